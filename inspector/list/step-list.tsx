import type { JSX } from 'preact'
import type { ExchangeSummary } from '../../src/records/api/types.ts'
import { go } from '../parts/route.ts'
import { StateBadge } from '../parts/state-badge.tsx'
import { Outside } from '../text/outside.tsx'
import { depthsOf } from './tree.ts'

interface StepListProps {
  rows: readonly ExchangeSummary[]
  shownId: string | undefined
}

/** The exchanges of a session as a tree of steps. */
export function StepList({ rows, shownId }: StepListProps): JSX.Element {
  const depths = depthsOf(rows)
  return (
    <ol class="steps">
      {rows.map((row) => (
        <li key={row.id} style={{ marginLeft: `${depths.get(row.id) ?? 0}rem` }}>
          <Step row={row} isShown={row.id === shownId} />
        </li>
      ))}
    </ol>
  )
}

function Step({ row, isShown }: { row: ExchangeSummary; isShown: boolean }): JSX.Element {
  const { session, state, calls, error, says, notices } = row
  return (
    <button
      type="button"
      {...(isShown && { 'aria-current': 'true' })}
      onClick={() => go({ page: 'exchanges', id: row.id })}
    >
      <span class="line">
        <span class="faint">{session.step + 1}.</span>
        <StateBadge state={state} />
        <span class="says">
          <Outside
            text={error ? `${error.code}: ${error.message}` : [...calls, says].filter((one) => one !== '').join(' · ')}
          />
        </span>
        {notices.length > 0 && (
          <span class="tag odd">
            <Outside text={notices.join(', ')} />
          </span>
        )}
      </span>
    </button>
  )
}
