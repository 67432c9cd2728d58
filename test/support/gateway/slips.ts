import type { JsonObject } from '../../../src/conversation/index.ts'
import type { CallFault } from '../../../src/gateway/metrics/call-faults.ts'

/** A call as an API carries it: the name, and the arguments as text. */
export interface WireCall {
  name: string
  arguments: string
}

/** A way in which models were seen to write a call that is not valid. */
export interface Slip {
  name: string
  fault: CallFault
  write(call: { name: string; arguments: JsonObject }): WireCall
}

export const bookingTool: { name: string; schema: JsonObject } = {
  name: 'book_room',
  schema: {
    type: 'object',
    properties: {
      hotel: { type: 'string' },
      nights: { type: 'integer' },
      breakfast: { type: 'boolean' },
      guests: { type: 'array', items: { type: 'string' } },
      card: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
    },
    required: ['hotel', 'nights', 'breakfast', 'guests', 'card'],
  },
}

/** Returns a valid call of the tool; `random` is below 1. */
export function bookingOf(random: () => number): { name: string; arguments: JsonObject } {
  const guests = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, at) => `guest ${at}`)
  const booking = {
    hotel: `Hôtel "${Math.floor(random() * 1000)}", 2nd floor`,
    nights: 1 + Math.floor(random() * 20),
    breakfast: random() < 0.5,
    guests,
    card: { number: String(Math.floor(random() * 1e9)) },
  }
  return { name: bookingTool.name, arguments: booking }
}

/** The call as it should be written. */
export function written({ name, arguments: args }: { name: string; arguments: JsonObject }): WireCall {
  return { name, arguments: JSON.stringify(args) }
}

function ofJson(name: string, spoil: (json: string) => string): Slip {
  const write: Slip['write'] = (call) => ({ name: call.name, arguments: spoil(JSON.stringify(call.arguments)) })
  return { name, fault: 'invalid_json', write }
}

function ofName(name: string, spoil: (name: string) => string): Slip {
  return { name, fault: 'unknown_name', write: (call) => ({ ...written(call), name: spoil(call.name) }) }
}

function ofValue(name: string, key: string, spoil: (value: unknown) => string): Slip {
  const write: Slip['write'] = (call) =>
    written({ ...call, arguments: { ...call.arguments, [key]: spoil(call.arguments[key]) } })
  return { name, fault: 'schema_mismatch', write }
}

/** Slips of servers' own tool calling and of models' text, which have one sensible reading each. */
export const slips: readonly Slip[] = [
  ofJson('a comma before the end', (json) => json.replace(/\}$/, ',}')),
  ofJson('a key without quotes', (json) => json.replace('"nights"', 'nights')),
  ofJson('a key without its first quote', (json) => json.replace('"nights":', 'nights":')),
  ofJson('single quotes around a key', (json) => json.replace('"nights"', "'nights'")),
  ofJson("Python's literals", (json) =>
    json.replace(/:(true|false)/, (_, word) => (word === 'true' ? ':True' : ':False')),
  ),
  ofJson('a comma that is missing', (json) => json.replace(',"nights"', ' "nights"')),
  ofName('another case', (name) => name.toUpperCase()),
  ofName('a name space', (name) => `functions.${name}`),
  ofName('other punctuation', (name) => name.replaceAll('_', '-')),
  ofValue('a number as a string', 'nights', String),
  ofValue('a boolean as a string', 'breakfast', String),
  ofValue('a list as a string', 'guests', JSON.stringify),
  ofValue('an object as a string', 'card', JSON.stringify),
]
