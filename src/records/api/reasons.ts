import type { ExchangeRecord } from '../record/exchange.ts'
import type { Reason } from './types.ts'

/** The gravest first. */
export const ranks: Readonly<Record<Reason['level'], number>> = { error: 0, warning: 1, info: 2 }

/** Notices that report no fault of the reply: what the client asked was done otherwise, or something was mended. */
const mild: ReadonlySet<string> = new Set(['field-ignored', 'repaired', 'prompt-adapted', 'call-continued'])

const brief =
  'Too many records waited when the request came, so this one has no roles of the text, no reply events and not what the client got. Replay reads the text again.'

/** Returns the reasons for which an exchange failed or is odd, the gravest first. */
export function reasonsOf({ error, answer, attempts, notices, log, isBrief }: ExchangeRecord): Reason[] {
  const reasons: Reason[] = []
  if (error) reasons.push({ level: error.code === 'cancelled' ? 'warning' : 'error', ...error })
  else if (answer.status >= 400)
    reasons.push({ level: 'error', code: `status-${answer.status}`, message: answer.body.text })
  for (const [attempt, { error: own }] of attempts.entries()) {
    if (own && own.message !== error?.message) reasons.push({ level: 'warning', ...own, attempt })
  }
  for (const { code, message, span, attempt } of notices) {
    const place = { ...(span && { span }), ...(attempt !== undefined && { attempt }) }
    reasons.push({ level: mild.has(code) ? 'info' : 'warning', code, message, ...place })
  }
  for (const { level, event, fields } of log) {
    if (level !== 'warn' && level !== 'error') continue
    reasons.push({ level: 'info', code: event, message: String(fields.error ?? fields.why ?? fields.fault ?? '') })
  }
  if (isBrief) reasons.push({ level: 'info', code: 'brief-record', message: brief })
  return reasons.sort((a, b) => ranks[a.level] - ranks[b.level])
}
