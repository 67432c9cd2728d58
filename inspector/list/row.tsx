import type { JSX } from 'preact'
import type { ExchangeSummary } from '../../src/records/api/types.ts'
import { StateBadge } from '../parts/state-badge.tsx'
import { useStore } from '../parts/store.ts'
import { duration, timeOfDay } from '../text/format.ts'
import { Outside } from '../text/outside.tsx'
import { tails } from './feed.ts'

/** The row of an exchange. */
export function ExchangeRow({ row }: { row: ExchangeSummary }): JSX.Element {
  const { state, at, model, plan, upstream, dialect, ms, error, notices, calls, asks, says, attempts } = row
  const tail = useStore(tails).get(row.id)
  return (
    <>
      <span class="line">
        <StateBadge state={state} />
        <time dateTime={at}>{timeOfDay(at)}</time>
        <strong class="model">
          <Outside text={model ?? row.path} />
        </strong>
        <span class="faint way">
          <Outside text={[upstream, plan, dialect].filter((one) => one !== undefined).join(' · ')} />
        </span>
        {attempts > 1 && <span class="tag">{attempts} attempts</span>}
        <span class="end">{ms === undefined ? '' : duration(ms)}</span>
      </span>
      <span class="line second">
        <span class="asks">
          <Outside text={asks || row.path} />
        </span>
        <span class="says">
          <span aria-hidden="true">→ </span>
          {calls.length > 0 && (
            <span class="tag call">
              <Outside
                text={calls.length > 2 ? `${calls.slice(0, 2).join(', ')} +${calls.length - 2}` : calls.join(', ')}
              />
            </span>
          )}
          {error ? (
            <span class="bad">
              <Outside text={`${error.code}: ${error.message}`} />
            </span>
          ) : (
            <Outside text={tail ?? says} />
          )}
          {notices.length > 0 && (
            <span class="tag odd">
              <Outside text={notices.length > 1 ? `${notices[0]} +${notices.length - 1}` : (notices[0] ?? '')} />
            </span>
          )}
        </span>
      </span>
    </>
  )
}
