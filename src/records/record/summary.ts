import type { Conversation, FinishReason, Usage } from '../../conversation/index.ts'
import type { ErrorRecord, ExchangeRecord, SessionPlace } from './exchange.ts'
import { hasFailed } from './outcome.ts'

/** The row of an exchange in a list: enough to find it. */
export interface ExchangeSummary {
  id: string
  /** The time at which the request came, as in `2026-01-31T12:00:00.000Z`. */
  at: string
  session: SessionPlace
  /** `running` is given only by the live list. */
  state: ExchangeState
  status: number
  protocol?: string
  path: string
  model?: string
  stream?: boolean
  upstream?: string
  upstreamModel?: string
  plan?: string
  dialect?: string
  /** The tools that were called, in order. */
  calls: string[]
  /** The codes of the notices, each once. */
  notices: string[]
  attempts: number
  finish?: FinishReason
  error?: ErrorRecord
  usage?: Usage
  /** Milliseconds to the first byte for the client, and to the end. */
  firstByteMs?: number
  ms?: number
  /** The beginning of the last text of the user, or of the result that was sent. */
  asks: string
  /** The beginning of the reply's text. */
  says: string
}

export type ExchangeState = 'running' | 'ok' | 'odd' | 'failed'

/** Characters of a text in a row. */
const shownLength = 200

/** The parts of a record that its row is made of. */
type Summarized = Omit<ExchangeRecord, 'conversation'> & { conversation?: Pick<Conversation, 'turns'> }

/** Returns the row of an exchange. */
export function summaryOf(record: Summarized): ExchangeSummary {
  const { client, plan, timings } = record
  const codes = [...new Set(record.notices.map(({ code }) => code))]
  return {
    id: record.id,
    at: record.at,
    session: record.session,
    state: hasFailed(record) ? 'failed' : codes.length > 0 || record.attempts.length > 1 ? 'odd' : 'ok',
    status: record.answer.status,
    ...(client.protocol !== undefined && { protocol: client.protocol }),
    path: client.path,
    ...(client.model !== undefined && { model: client.model }),
    ...(client.stream !== undefined && { stream: client.stream }),
    ...(plan && { upstream: plan.upstream, upstreamModel: plan.model, plan: plan.plan }),
    ...(plan?.dialect !== undefined && { dialect: plan.dialect }),
    calls: record.reply.flatMap(({ event }) => (event.type === 'call-start' ? [event.name] : [])),
    notices: codes,
    attempts: record.attempts.length,
    ...(record.finish && { finish: record.finish }),
    ...(record.error && { error: record.error }),
    ...(record.usage && { usage: record.usage }),
    ...(timings.firstByte !== undefined && { firstByteMs: timings.firstByte }),
    ...(timings.end !== undefined && { ms: timings.end }),
    asks: asked(record),
    says: said(record),
  }
}

function asked({ conversation }: Summarized): string {
  const last = conversation?.turns.findLast(({ role }) => role === 'user')
  if (last?.role !== 'user') return ''
  for (const part of last.parts.toReversed()) {
    if (part.type === 'text' && part.text.trim() !== '') return shortened(part.text)
    if (part.type !== 'result') continue
    const text = part.content.find(({ type }) => type === 'text')
    return shortened(`${part.name}: ${text?.type === 'text' ? text.text : ''}`)
  }
  return ''
}

function said({ reply }: Summarized): string {
  const text = reply.find(({ event }) => event.type === 'text')?.event
  return text?.type === 'text' ? shortened(text.text) : ''
}

function shortened(text: string): string {
  // Cut first: a text may have megabytes.
  const plain = text
    .slice(0, 4 * shownLength)
    .replace(/\s+/g, ' ')
    .trim()
  return plain.length > shownLength ? `${plain.slice(0, shownLength)}…` : plain
}
