import type { ExchangeRecord } from '../record/exchange.ts'
import { summaryOf } from '../record/summary.ts'
import { copiesOf } from './copies.ts'
import { promptsOf } from './prompts.ts'
import { ranks, reasonsOf } from './reasons.ts'
import type { ExchangeView, Reason } from './types.ts'

interface ViewOptions {
  /** The exchange before it in its session. */
  before?: ExchangeRecord | undefined
  /** Reasons that were found by reading its text again. */
  missed?: readonly Reason[]
}

/** Returns everything about an exchange. */
export function viewOf(record: ExchangeRecord, { before, missed = [] }: ViewOptions = {}): ExchangeView {
  return {
    record,
    summary: summaryOf(record),
    reasons: [...reasonsOf(record), ...missed].sort((a, b) => ranks[a.level] - ranks[b.level]),
    prompts: promptsOf(record, before),
    copies: copiesOf(record),
  }
}
