import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../../../test/support/draws.ts'
import { plans, serve } from '../../../test/support/gateway/plans.ts'
import type { JsonObject, ReplyPart } from '../../conversation/index.ts'
import type { Piece } from '../../upstreams/scripted/scripted.ts'
import type { CallPiece } from '../../upstreams/upstream.ts'

/** Text without any markup, and without white space at its ends. */
const words = [
  'It',
  'rains',
  'à',
  '東京',
  '🗼',
  '"so"',
  "d'or",
  '1.',
  '-',
  '*',
  'a:',
  'C:\\',
  '&amp;',
  '%',
  ' ',
  '\n',
  '\n\n',
]
const plain = fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((chosen) => chosen.join(' ').trim())

/** Strings that are hard to write or to find the end of. */
const nasty = fc
  .array(
    fc.oneof(
      fc.constantFrom('"', '\\', '\\"', '\n', '\t', '}', '{"a": 1}', ']', '</tool_call>', '<tool_call>', '<think>'),
      fc.constantFrom('```', '<|im_end|>', '</s>', "'", '\\u0041', '\u2028', 'é', '🗼', ' ', ''),
      fc.string({ maxLength: 6, unit: 'grapheme' }),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''))

const argument = fc.record({ city: nasty, days: fc.integer() }, { requiredKeys: ['city'] })
const message = fc.record({ reasoning: plain, text: plain, calls: fc.array(argument, { maxLength: 3 }) })
type Message = typeof message extends fc.Arbitrary<infer T> ? T : never

const places = fc.array(fc.nat(400), { maxLength: 12 })

/** The message as the model writes it. */
function written({ reasoning, text, calls }: Message): string {
  const thought = reasoning === '' ? '' : `<think>\n${reasoning}\n</think>\n\n`
  const blocks = calls.map(
    (input) => `<tool_call>\n{"name": "get_weather", "arguments": ${JSON.stringify(input)}}\n</tool_call>`,
  )
  return thought + [...(text === '' ? [] : [text]), ...blocks].join('\n')
}

/** The same as a server sends it that reads it itself, and leaves the line breaks in front of calls in its text. */
function sent({ reasoning, text, calls }: Message, at: readonly number[]): Piece[] {
  const said = text === '' || calls.length === 0 ? text : `${text}\n`
  return [
    ...cut(reasoning, at).map((piece) => ({ reasoning: piece })),
    ...cut(said, at),
    ...calls.flatMap((input, index) => {
      const pieces = cut(JSON.stringify(input), at).map((json): CallPiece => ({ type: 'call', index, arguments: json }))
      return pieces.map((piece, n) => (n === 0 ? { ...piece, id: `call_${index}`, name: 'get_weather' } : piece))
    }),
  ]
}

/** The parts of a message that a client must receive. */
function shown({ reasoning, text, calls }: Message): unknown[] {
  return [
    ...(reasoning === '' ? [] : [{ type: 'reasoning', text: reasoning }]),
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...calls.map((input) => ({ type: 'call', id: 'ID', name: 'get_weather', arguments: input, complete: true })),
  ]
}

function parsed(part: ReplyPart): unknown {
  if (part.type !== 'call') return part
  const input: JsonObject = JSON.parse(part.arguments)
  return { ...part, arguments: input }
}

/** Cuts between characters, as engines do. */
function cut(text: string, at: readonly number[]): string[] {
  const characters = [...text]
  const ends = [...new Set(at.map((place) => place % (characters.length + 1)))].sort((a, b) => a - b)
  return [0, ...ends]
    .map((start, n) => characters.slice(start, ends[n] ?? characters.length).join(''))
    .filter((piece) => piece !== '')
}

test('the same reply by every plan, whatever is said and however it is cut', async () => {
  await fc.assert(
    fc.asyncProperty(message, places, async (said, at) => {
      const text = written(said)
      for (const plan of plans) {
        const pieces = plan.name === 'native' ? sent(said, at) : cut(text, at)
        const { requests: _, parts, ...reply } = await serve(plan, [{ pieces }])
        expect({ plan: plan.name, text, ...reply, parts: parts.map(parsed) }).toEqual({
          plan: plan.name,
          text,
          parts: shown(said),
          codes: [],
          reason: said.calls.length > 0 ? 'calls' : 'stop',
        })
      }
    }),
    { numRuns: lawRuns },
  )
})
