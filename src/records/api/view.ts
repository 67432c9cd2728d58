import type { ExchangeRecord } from '../record/exchange.ts'
import { summaryOf } from '../record/summary.ts'
import { copiesOf } from './copies.ts'
import { promptsOf } from './prompts.ts'
import { reasonsOf } from './reasons.ts'
import type { ExchangeView } from './types.ts'

/** Returns everything about an exchange; `before` is the one before it in its session. */
export function viewOf(record: ExchangeRecord, before?: ExchangeRecord): ExchangeView {
  return {
    record,
    summary: summaryOf(record),
    reasons: reasonsOf(record),
    prompts: promptsOf(record, before),
    copies: copiesOf(record),
  }
}
