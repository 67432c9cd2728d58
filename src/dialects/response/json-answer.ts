import type { FinishEvent, JsonObject, Notice, ReplyEvent, ResponseFormat } from '../../conversation/index.ts'
import { defaultBounds, repairJson, SchemaTypes, types, typeText, validate } from '../../json/index.ts'
import { schemaOfFormat } from '../prompt/response-format.ts'
import { JsonValueReading } from './json-value.ts'

/**
 * The codes of notices about a reply that does not have its format. Such a reply can be asked for again.
 * - `response-missing`: it has no JSON value.
 * - `response-incomplete`: the model ended it in the middle of the value, or the value is no JSON from there on.
 * - `response-invalid`: the value does not fit the schema.
 */
export const formatFaults: ReadonlySet<string> = new Set([
  'response-missing',
  'response-incomplete',
  'response-invalid',
])

/** The most characters in which a value must show that it is one; longer keys are not met. */
const longestBeginning = 1000
/** The fences around a value, which are no words. */
const fenceLine = /^(?:```[\w-]{0,32}|`{1,2})?$/
/** The most characters after a value that are examined. */
const longestAfter = 200

/**
 * Takes the JSON value out of a reply that must be one: words before and after it and the fence around it are left out, and it is repaired
 * and typed as the arguments of calls are. The value is given as it comes; a reply without one is given at its end, as a refusal. Beside a
 * call there is no value. A reply that does not have the format has a notice of `formatFaults`.
 */
export class JsonAnswer {
  readonly #schema: JsonObject
  readonly #schemaTypes: SchemaTypes
  readonly #openers: RegExp | undefined
  /** The text before the value. */
  readonly #before: string[] = []
  /** The text from the place at which a value may begin. */
  #pending = ''
  /** The value that was found. */
  #value: JsonValueReading | undefined
  /** The first object that does not fit the schema: given if there is no other. */
  #possible: JsonValueReading | undefined
  #hasCalls = false
  readonly #written: string[] = []
  #after = ''
  #noticed = 0

  constructor(format: ResponseFormat) {
    this.#schema = schemaOfFormat(format)
    this.#schemaTypes = SchemaTypes.of(this.#schema)
    const openers = [
      ...(this.#schemaTypes.allows(types.object) ? ['\\{'] : []),
      ...(this.#schemaTypes.allows(types.array) ? ['\\['] : []),
    ]
    this.#openers = openers.length === 0 ? undefined : new RegExp(`[${openers.join('')}]`)
  }

  /** Reads events of the reply, and returns the resulting events. */
  read(events: readonly ReplyEvent[]): ReplyEvent[] {
    return events.flatMap((event) => {
      if (event.type === 'call-start') this.#hasCalls = true
      if (event.type === 'text') return this.#read(event.text)
      return event.type === 'finish' ? this.#end(event) : [event]
    })
  }

  /** Takes note of a call that did not come as an event. */
  noteCall(): void {
    this.#hasCalls = true
  }

  #read(text: string): ReplyEvent[] {
    // A value before a call is given; after a call there is only text.
    if (this.#value) return this.#give(this.#value, this.#value.push(text))
    this.#pending += text
    return this.#search()
  }

  /** Looks for the value in the pending text. `ending`: nothing follows that text; the model ended it or it was cut. */
  #search(ending?: 'own' | 'cut'): ReplyEvent[] {
    while (!this.#hasCalls) {
      const at = this.#openers?.exec(this.#pending)?.index ?? -1
      if (at < 0) break
      this.#before.push(this.#pending.slice(0, at))
      this.#pending = this.#pending.slice(at)
      const value = new JsonValueReading(this.#schema)
      const after = value.push(this.#pending.slice(0, longestBeginning))
      if (ending !== undefined) value.end(ending === 'own')
      if (value.isCertain) {
        this.#value = value
        const rest = after + this.#pending.slice(longestBeginning)
        this.#pending = ''
        return this.#give(value, value.push(rest))
      }
      if (value.isPossible) this.#possible ??= value
      if (value.state === 'open' && this.#pending.length < longestBeginning) return []
      this.#before.push(this.#pending.slice(0, 1))
      this.#pending = this.#pending.slice(1)
    }
    this.#before.push(this.#pending)
    this.#pending = ''
    return []
  }

  /** Emits the part of the value that was read. `after` is the text after it. */
  #give(value: JsonValueReading, after = ''): ReplyEvent[] {
    this.#after = (this.#after + after.slice(0, longestAfter)).slice(0, longestAfter)
    const notices = value.notices.slice(this.#noticed).map(noticeEvent)
    this.#noticed += notices.length
    return [...notices, ...this.#write(value.take())]
  }

  #write(json: string): ReplyEvent[] {
    if (json === '') return []
    this.#written.push(json)
    return [{ type: 'text', text: json }]
  }

  #end(finish: FinishEvent): ReplyEvent[] {
    const isOwnEnd = finish.reason === 'stop' || finish.reason === 'calls'
    const events = this.#search(isOwnEnd ? 'own' : 'cut')
    if (this.#value) return [...events, ...this.#endValue(this.#value, finish, isOwnEnd)]
    const words = this.#before.join('')
    if (this.#hasCalls) return [...trimmed(words), finish]
    const scalar = this.#scalar(words)
    if (scalar !== undefined) return [...this.#write(scalar), finish]
    if (this.#possible) return [...this.#give(this.#possible), ...this.#judge(), finish]
    const refusal = words.trim()
    // After a token limit, a stop sequence or a filter, the finish reason already reports that the reply was cut.
    if (!isOwnEnd) return [{ type: 'text', text: refusal, refusal: true }, finish]
    const fault: Notice = { code: 'response-missing', message: 'The reply has no JSON value.' }
    const said = refusal === '' ? 'The model wrote no JSON value.' : refusal
    return [noticeEvent(fault), { type: 'text', text: said, refusal: true }, finish]
  }

  #endValue(value: JsonValueReading, finish: FinishEvent, isOwnEnd: boolean): ReplyEvent[] {
    const given = this.#give(value, value.end(isOwnEnd))
    const around = trimmed(this.#before.join(''), this.#after)
    if (value.state === 'done') return [...given, ...around, ...this.#judge(), finish]
    // After a token limit, a stop sequence or a filter, the finish reason already reports that the reply was cut.
    if (!isOwnEnd) return [...given, finish]
    const message = 'The JSON value of the reply breaks off.'
    return [...given, noticeEvent({ code: 'response-incomplete', message }), { ...finish, reason: 'length' }]
  }

  /** The value as JSON text, if the schema allows a string, a number, a boolean or null: the whole reply is then one. */
  #scalar(words: string): string | undefined {
    const allowed = types.string | types.number | types.integer | types.boolean | types.null
    const text = unfenced(withoutMarkers(words.trim()))
    if (!this.#schemaTypes.allows(allowed) || text === '') return undefined
    const isQuoted = text.startsWith('"') && this.#schemaTypes.allows(types.string)
    const json = (isQuoted ? repairJson(text) : undefined) ?? typeText(text, this.#schemaTypes).json
    return validate(this.#schema, JSON.parse(json)).type === 'invalid' ? undefined : json
  }

  #judge(): ReplyEvent[] {
    const verdict = validate(this.#schema, JSON.parse(this.#written.join('')), defaultBounds)
    switch (verdict.type) {
      case 'valid':
        return []
      case 'unjudged': {
        const message = 'The JSON value of the reply was not checked: it and its schema take too many steps.'
        return [noticeEvent({ code: 'response-not-checked', message })]
      }
      case 'invalid': {
        const faults = verdict.faults.map(({ place, message }) => `${place || 'The value'}: ${message}.`)
        return [
          noticeEvent({ code: 'response-invalid', message: `The JSON does not fit the schema. ${faults.join(' ')}` }),
        ]
      }
    }
  }
}

/** Returns the notice that words were left out; a fence alone does not count. */
function trimmed(...around: string[]): ReplyEvent[] {
  if (around.every((text) => fenceLine.test(text.trim()))) return []
  return [noticeEvent({ code: 'response-trimmed', message: 'Words around the JSON value or the calls were left out.' })]
}

/** A marker: of a channel before the value, or of the end after it, which llama-server writes out. */
const marker = String.raw`(?:\[[^[\]\s"]{1,60}\]|<[^<>\s"]{1,60}>)`
const literal = String.raw`"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]{0,60}|true|false|null`
const amongMarkers = new RegExp(`^(?:${marker}\\s{0,9})?(?<value>${literal})(?:\\s{0,9}${marker})?$`, 's')

/** Returns a JSON string, number, boolean or null without the marker before it and the one after it. */
function withoutMarkers(text: string): string {
  return amongMarkers.exec(text)?.groups?.value ?? text
}

function unfenced(text: string): string {
  const inner = /^```[\w-]{0,32}\n(?<inner>[^`]{0,100000})```$/.exec(text)?.groups?.inner
  return inner === undefined ? text : inner.trim()
}

function noticeEvent(notice: Notice): ReplyEvent {
  return { type: 'notice', notice }
}
