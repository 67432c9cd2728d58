import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ExchangeView } from '../../../src/records/api/types.ts'
import { duration } from '../../text/format.ts'
import { EventList } from './event-list.tsx'

/** The reply events on the time axis. The slider shows the reply as it was at a time; play shows it at its own pace. */
export function EventsTab({ view: { record } }: { view: ExchangeView }): JSX.Element {
  const last = Math.max(0, ...record.reply.map(lastMs))
  const [at, setAt] = useState<number | undefined>(undefined)
  const [isPlaying, setIsPlaying] = useState(false)
  useEffect(() => {
    if (!isPlaying) return
    const begun = performance.now() - (at ?? 0)
    let frame = requestAnimationFrame(function step() {
      const now = performance.now() - begun
      if (now >= last) {
        setAt(undefined)
        setIsPlaying(false)
        return
      }
      setAt(now)
      frame = requestAnimationFrame(step)
    })
    return () => cancelAnimationFrame(frame)
    // `at` is no dependency: a running playback continues from the position at which it began.
  }, [isPlaying, last])
  if (record.reply.length === 0) return <p class="empty">There was no reply.</p>
  return (
    <>
      <div class="player">
        <button
          type="button"
          onClick={() => {
            if (!isPlaying && at === undefined) setAt(0)
            setIsPlaying(!isPlaying)
          }}
        >
          {isPlaying ? 'Pause' : 'Play'}
        </button>
        <input
          type="range"
          aria-label="Time"
          min={0}
          max={last}
          value={at ?? last}
          onInput={({ currentTarget }) => {
            setIsPlaying(false)
            setAt(Number(currentTarget.value))
          }}
        />
        <output>{duration(at ?? last)}</output>
      </div>
      <EventList reply={record.reply} {...(at !== undefined && { at })} />
    </>
  )
}

function lastMs({ ms, pieces }: ExchangeView['record']['reply'][number]): number {
  return pieces?.at(-2) ?? ms
}
