import { isJsonObject } from '../../conversation/index.ts'
import type { ExchangeRecord, TimedEvent, TimedText } from '../record/exchange.ts'
import type { ShortRecord } from '../store/pack.ts'
import { type Masker, shortestSecret } from './masker.ts'
import { valuesAt } from './paths.ts'

/** The rules of what a record must not have. */
export interface Redaction {
  masker: Masker
  /** Paths in the client's request whose values are masked. */
  paths: readonly string[]
}

/** Returns the rules for one exchange, whose client's key is no secret of the configuration if that has only its digest, or none. */
export function withKey(rules: Redaction, key: string | undefined): Redaction {
  if (key === undefined) return rules
  const masker = rules.masker.with([key], shortestSecret)
  return masker === rules.masker ? rules : { ...rules, masker }
}

/**
 * True if a search of the stored form of a record finds nothing to mask: much faster than `redacted`, which would return
 * the record unchanged. May be false for a record without secrets. `json` is the JSON of its short members.
 */
export function isClean(
  { short, texts }: { short: ShortRecord; texts: readonly string[] },
  json: string,
  rules: Redaction,
): boolean {
  const masker = maskerFor(texts[0] ?? '', rules)
  // A pattern may match a member of the record and not its JSON.
  if (masker.hasPatterns) return false
  const calls = short.attempts.flatMap((attempt) => attempt.calls.map((call) => call.arguments.text))
  return (
    [json, ...texts, ...calls].every((text) => masker.mask(text) === text) &&
    maskEvents(short.reply, masker) === short.reply
  )
}

/** Returns a masker that also masks the values at `paths` of a request. */
function maskerFor(body: string, { masker, paths }: Redaction): Masker {
  return masker.with(paths.length === 0 ? [] : valuesAt(body, paths))
}

/**
 * Returns a record without secrets: keys of the configuration, texts that patterns match, and the values that the client's request has
 * at `paths`, wherever in the record they are.
 */
export function redacted(record: ExchangeRecord, rules: Redaction): ExchangeRecord {
  const masker = maskerFor(record.client.body, rules)
  const attempts = record.attempts.map((attempt) => ({
    ...attempt,
    text: maskText(attempt.text, masker),
    reasoning: maskText(attempt.reasoning, masker),
    calls: attempt.calls.map((call) => ({ ...call, arguments: maskText(call.arguments, masker) })),
    requests: attempt.requests.map((request) => ({ ...request, body: masker.mask(request.body) })),
  }))
  const reply = maskEvents(record.reply, masker)
  const body = maskText(record.answer.body, masker)
  const long = {
    client: { ...record.client, body: masker.mask(record.client.body) },
    attempts,
    reply,
    answer: { ...record.answer, body },
  }
  const { client: _client, attempts: _attempts, reply: _reply, answer: _answer, ...rest } = record
  // Offsets of later stages are those of the masked texts, which have the same length.
  const own: ExchangeRecord = { ...maskedValue(rest, masker), ...maskedShort(long, masker) }
  // In a stream the parts of a secret are in separate events, so they cannot be found there.
  const isSpread = reply !== record.reply && body === record.answer.body
  if (!isSpread) return own
  const { length } = body.text
  return {
    ...own,
    answer: { ...own.answer, body: { text: '', pieces: [] } },
    leftOut: { ...own.leftOut, 'answer.body': length },
  }
}

function maskText(timed: TimedText, masker: Masker): TimedText {
  const text = masker.mask(timed.text)
  return text === timed.text ? timed : { ...timed, text }
}

/** Returns the same list if there is nothing to mask. Texts of one kind continue each other, whatever is between them. */
function maskEvents(events: TimedEvent[], masker: Masker): TimedEvent[] {
  const kinds = new Map<string, number[]>()
  for (const [place, { event }] of events.entries()) {
    const kind = event.type === 'call-arguments' ? `call ${event.index}` : event.type
    if (textOf(event) !== undefined) kinds.set(kind, [...(kinds.get(kind) ?? []), place])
  }
  const shown = [...events]
  let isSame = true
  for (const places of kinds.values()) {
    const texts = places.map((place) => textOf(events[place]?.event) ?? '')
    for (const [index, text] of masker.maskAll(texts).entries()) {
      const place = places[index] ?? 0
      const timed = events[place]
      if (!timed || text === texts[index]) continue
      isSame = false
      const { event } = timed
      if (event.type === 'call-arguments') shown[place] = { ...timed, event: { ...event, json: text } }
      else if (event.type === 'text' || event.type === 'reasoning')
        shown[place] = { ...timed, event: { ...event, text } }
    }
  }
  return isSame ? events : shown
}

function textOf(event: TimedEvent['event'] | undefined): string | undefined {
  if (event?.type === 'call-arguments') return event.json
  return event?.type === 'text' || event?.type === 'reasoning' ? event.text : undefined
}

/** Masks the short texts beside the long ones, which are masked already. */
function maskedShort<Part extends Pick<ExchangeRecord, 'client' | 'attempts' | 'reply' | 'answer'>>(
  part: Part,
  masker: Masker,
): Part {
  const { body, ...client } = part.client
  return {
    ...part,
    client: { ...maskedValue(client, masker), body },
    attempts: part.attempts.map(({ text, reasoning, calls, requests, spans, ...attempt }) => ({
      ...maskedValue(attempt, masker),
      text,
      reasoning,
      spans,
      calls: calls.map(({ arguments: json, ...call }) => ({ ...maskedValue(call, masker), arguments: json })),
      requests: requests.map(({ body: sent, ...request }) => ({ ...maskedValue(request, masker), body: sent })),
    })),
    reply: part.reply.map((timed) => (textOf(timed.event) === undefined ? maskedValue(timed, masker) : timed)),
  }
}

/** Returns a value of plain data with all texts in it masked, names of members too; the same value if there is nothing to mask. */
export function maskedValue<Value>(value: Value, masker: Masker): Value {
  const text = JSON.stringify(value)
  if (text === undefined || masker.mask(text) === text) return value
  // The shape of plain data stays.
  return deepMasked(value, masker) as Value
}

function deepMasked(value: unknown, masker: Masker): unknown {
  if (typeof value === 'string') return masker.mask(value)
  if (Array.isArray(value)) return value.map((item) => deepMasked(item, masker))
  if (!isJsonObject(value) && !isPlain(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [masker.mask(name), deepMasked(member, masker)]),
  )
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
