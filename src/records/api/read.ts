import { AnycallError, ReplyCollector, type ReplyEvent, type ToolDefinition } from '../../conversation/index.ts'
import { type AcceptOptions, createReader, dialectNames } from '../../dialects/index.ts'
import type { AttemptRecord, ExchangeRecord, Span } from '../record/exchange.ts'
import { piecesOf } from '../record/timed-text.ts'
import type { ReadRequest, ReadResult, ReplayRequest, ReplayResult } from './types.ts'

/** The largest number of pieces: one takes a few microseconds. */
const mostPieces = 200_000

/**
 * Reads a model's text with the role of each span.
 *
 * @example
 * readAgain({ text: '<tool_call>{"name":"now","arguments":{}}</tool_call>', tools: ['now'] }).parts
 */
export function readAgain(request: ReadRequest): ReadResult {
  const { text, tools = [], dialect = 'universal', trigger, delivery, reasoning, accept, isCut } = request
  const spans: Span[] = []
  const reader = createReader({
    // The reader validates them.
    tools: tools as ToolDefinition[],
    dialect,
    ...(trigger !== undefined && { trigger }),
    ...(delivery && { delivery }),
    ...(reasoning && { reasoning }),
    ...(accept && { accept: accept as AcceptOptions }),
    newCallId: idsInTurn(),
    trace: (role, start, end) => {
      const last = spans.at(-1)
      if (last?.role === role && last.end === start) last.end = end
      else spans.push({ role, start, end })
    },
  })
  const collector = new ReplyCollector()
  const given: ReadResult['events'] = []
  let offset = 0
  const add = (events: ReplyEvent[]): void => {
    collector.push(events)
    if (events.length > 0) given.push({ offset, events })
  }
  for (const piece of split(text, request.split)) {
    offset += piece.length
    add(reader.push(piece))
  }
  add(reader.end(isCut ? 'length' : 'stop'))
  const { parts, notices, finish } = collector.reply
  return { dialect, spans, events: given, parts, notices, finish: finish.reason }
}

/** Ids that are the same in each reading. */
function idsInTurn(): () => string {
  let count = 0
  return () => `call_${++count}`
}

function split(text: string, how: ReadRequest['split']): string[] {
  if (how === undefined || text === '') return [text]
  if (typeof how === 'number') {
    const size = Math.max(1, Math.floor(how), Math.ceil(text.length / mostPieces))
    return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
      text.slice(index * size, (index + 1) * size),
    )
  }
  const cuts = [...new Set(how.filter((at) => at > 0 && at < text.length))].sort((a, b) => a - b).slice(0, mostPieces)
  return [0, ...cuts].map((start, index) => text.slice(start, cuts[index] ?? text.length))
}

/** Reads the text of a recorded attempt as it was read, and again as is asked. Throws `not-found` for an attempt that there is not. */
export function replayReading(
  { attempts, conversation }: ExchangeRecord,
  { attempt = attempts.length - 1, type: _, ...wanted }: Extract<ReplayRequest, { type: 'read' }>,
): Extract<ReplayResult, { type: 'read' }> {
  const recorded = attempts[attempt]
  if (!recorded) throw new AnycallError('not-found', noAttempt(attempts.length, attempt))
  const before = readingOf(recorded, conversation?.tools ?? [])
  const old = readAgain(before)
  const now = readAgain({ ...before, ...wanted })
  const isSame = JSON.stringify([old.parts, old.notices]) === JSON.stringify([now.parts, now.notices])
  return { type: 'read', before: old, after: now, isSame }
}

function noAttempt(count: number, attempt: number): string {
  if (count === 0) return 'The exchange failed before a request to an upstream: there is no text to read.'
  const numbers = count === 1 ? '1 attempt' : `${count} attempts, numbered from 1`
  return `The exchange has ${numbers}, but no number ${attempt + 1}: leave the number out to read the last one.`
}

/** The request that reads an attempt as it was read. The dialect of a template is not recorded: its text is read as any. */
export function readingOf({ text, reading, finish }: AttemptRecord, tools: readonly unknown[]): ReadRequest {
  const { dialect, trigger, delivery, accept } = reading
  const cuts: number[] = []
  let at = 0
  for (const piece of piecesOf(text)) {
    at += piece.text.length
    cuts.push(at)
  }
  return {
    text: text.text,
    tools: [...tools],
    dialect: dialect !== undefined && dialectNames.includes(dialect) ? dialect : 'universal',
    split: cuts,
    ...(trigger !== undefined && { trigger }),
    delivery,
    ...(accept && { accept }),
    isCut: finish === 'length',
  }
}
