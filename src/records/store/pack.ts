import { AnycallError, type Conversation, type Tool, toolsText } from '../../conversation/index.ts'
import type { ExchangeRecord, TimedText } from '../record/exchange.ts'

/** A record without its long texts, each of which is an empty one. */
export type ShortRecord = Omit<ExchangeRecord, 'conversation'> & {
  conversation?: Omit<Conversation, 'tools'> & { tools: readonly Tool[] | '' }
}

/** A record and its long texts apart, in one order. The tools of its conversation are the last of them, as JSON. */
export interface SplitRecord {
  short: ShortRecord
  texts: string[]
}

/** Takes a record apart. Nothing is copied: its texts are the same, and its tools become JSON once for each frozen list. */
export function split(record: ExchangeRecord): SplitRecord {
  const texts: string[] = []
  const take = (text: string): '' => {
    texts.push(text)
    return ''
  }
  const visited = visit(record, take)
  const { conversation } = record
  if (!conversation) return { short: visited, texts }
  return { short: { ...visited, conversation: { ...conversation, tools: take(toolsText(conversation.tools)) } }, texts }
}

/** Puts a record together again. */
export function joined({ short, texts }: SplitRecord): ExchangeRecord {
  let at = 0
  return restored(short, () => texts[at++] ?? '')
}

/**
 * Writes a record as one text: the lengths of its parts, its short members as JSON, and then its long texts unescaped: escaping
 * them as JSON would be most of the work.
 */
export function pack(record: ExchangeRecord): string {
  const { short, texts } = split(record)
  return packParts(JSON.stringify(short), texts)
}

/** The same for a record that is split, with the JSON of its short members. */
export function packParts(json: string, texts: readonly string[]): string {
  return `${[json, ...texts].map(({ length }) => length).join(',')}\n${json}${texts.join('')}`
}

/** Reads what `pack` wrote. Throws an AnycallError for a text that was not written by it. */
export function unpack(packed: string): ExchangeRecord {
  const lineEnd = packed.indexOf('\n')
  const lengths = packed.slice(0, lineEnd).split(',').map(Number)
  let at = lineEnd + 1
  const next = (): string => {
    const length = lengths.shift()
    if (length === undefined || !(at + length <= packed.length)) throw torn()
    const text = packed.slice(at, at + length)
    at += length
    return text
  }
  const record = restored(JSON.parse(next()) as ShortRecord, next)
  if (at !== packed.length || lengths.length > 0) throw torn()
  return record
}

function torn(): AnycallError {
  return new AnycallError('internal', 'The record is incomplete.')
}

function restored(short: ShortRecord, next: () => string): ExchangeRecord {
  const { conversation, ...record } = visit(short, next)
  if (!conversation) return record
  // Earlier versions have the tools among the short members.
  const tools = conversation.tools === '' ? (JSON.parse(next()) as readonly Tool[]) : conversation.tools
  return { ...record, conversation: { ...conversation, tools } }
}

/** Replaces each long text, in one order. */
function visit<Kind extends Omit<ExchangeRecord, 'conversation'>>(
  record: Kind,
  replace: (text: string) => string,
): Kind {
  const timed = ({ text, pieces }: TimedText): TimedText => ({ text: replace(text), pieces })
  return {
    ...record,
    client: { ...record.client, body: replace(record.client.body) },
    answer: { ...record.answer, body: timed(record.answer.body) },
    attempts: record.attempts.map((attempt) => ({
      ...attempt,
      text: timed(attempt.text),
      reasoning: timed(attempt.reasoning),
      requests: attempt.requests.map((request) => ({ ...request, body: replace(request.body) })),
    })),
  }
}
