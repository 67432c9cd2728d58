import { AnycallError } from '../../conversation/index.ts'
import type { ExchangeRecord, TimedText } from '../record/exchange.ts'

/**
 * Writes a record as one text: the lengths of its parts, its short members as JSON, and then its long texts as they are, since to write
 * them as JSON would be most of the work.
 */
export function pack(record: ExchangeRecord): string {
  const texts: string[] = []
  const take = (text: string): string => {
    texts.push(text)
    return ''
  }
  const small = visit(record, take)
  const json = JSON.stringify(small)
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
  const record = visit(JSON.parse(next()) as ExchangeRecord, next)
  if (at !== packed.length || lengths.length > 0) throw torn()
  return record
}

function torn(): AnycallError {
  return new AnycallError('internal', 'The record is not whole.')
}

/** Replaces each long text, in one order. */
function visit(record: ExchangeRecord, replace: (text: string) => string): ExchangeRecord {
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
