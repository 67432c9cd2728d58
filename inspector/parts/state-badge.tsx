import type { JSX } from 'preact'
import type { ExchangeState } from '../../src/records/api/types.ts'

const signs: Readonly<Record<ExchangeState, string>> = { running: '▶', ok: '✓', odd: '!', failed: '✕' }

/** The state of an exchange, as a sign and a word. */
export function StateBadge({ state }: { state: ExchangeState }): JSX.Element {
  return (
    <span class={`state ${state}`}>
      <span aria-hidden="true">{signs[state]}</span> {state}
    </span>
  )
}
