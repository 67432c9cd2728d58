import type { JSX } from 'preact'
import type { ExchangeRecord } from '../../src/records/api/types.ts'
import { duration } from '../text/format.ts'
import { Outside } from '../text/outside.tsx'
import { phasesOf } from './phases.ts'

/** The times of an exchange: each phase as a bar, and in words. */
export function Timeline({ record }: { record: ExchangeRecord }): JSX.Element | null {
  const phases = phasesOf(record)
  const end = Math.max(1, record.timings.end ?? 0, ...phases.map((phase) => phase.end))
  if (phases.length === 0) return null
  return (
    <ol class="timeline" aria-label="Timeline">
      {phases.map(({ name, why, kind, start, end: until }, index) => (
        <li key={index}>
          <span class="phase" title={why ?? name}>
            <Outside text={name} />
          </span>
          <span class="track" aria-hidden="true">
            <span
              class={`bar ${kind}`}
              style={{ left: `${(100 * start) / end}%`, width: `${Math.max(0.4, (100 * (until - start)) / end)}%` }}
            />
          </span>
          <span class="took">{duration(until - start)}</span>
          {why !== undefined && (
            <span class="why faint">
              <Outside text={why} />
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}
