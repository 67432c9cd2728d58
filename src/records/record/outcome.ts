import type { ExchangeRecord } from './exchange.ts'

/** True for an exchange that ended with an error. A client that left is no failure. */
export function hasFailed({ answer, error }: Pick<ExchangeRecord, 'answer' | 'error'>): boolean {
  return answer.status >= 400 || (error !== undefined && error.code !== 'cancelled')
}
