import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { SessionList, SessionSummary, SessionTree } from '../../src/records/api/types.ts'
import { askJson } from '../api/client.ts'
import { onConnected, onLive } from '../api/live.ts'
import { sentenceOf } from '../parts/problem.tsx'
import { counted, timeOfDay } from '../text/format.ts'
import { Outside } from '../text/outside.tsx'
import { StepList } from './step-list.tsx'

const refreshMs = 1000

/** Loads a path again some time after exchanges began or ended. */
function useFresh<Answer>(path: string): { answer?: Answer; problem?: string } {
  const [state, setState] = useState<{ answer?: Answer; problem?: string }>({})
  useEffect(() => {
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const load = (): void => {
      timer = undefined
      askJson<Answer>(path).then(
        (answer) => !isOver && setState({ answer }),
        (error: unknown) => !isOver && setState({ problem: sentenceOf(error) }),
      )
    }
    const later = (): void => {
      timer ??= setTimeout(load, refreshMs)
    }
    load()
    const stops = [
      onConnected(load),
      onLive((events) => events.some(({ type }) => type === 'end' || type === 'begin') && later()),
    ]
    return () => {
      isOver = true
      clearTimeout(timer)
      for (const stop of stops) stop()
    }
  }, [path])
  return state
}

/** The sessions, each with its exchanges as a tree of steps. */
export function Sessions({ shownId }: { shownId: string | undefined }): JSX.Element {
  const { answer, problem } = useFresh<SessionList>('sessions')
  if (problem) return <p class="problem">{problem}</p>
  if (!answer) return <p class="empty">Loading …</p>
  if (answer.sessions.length === 0) return <p class="empty">No sessions yet.</p>
  return (
    <div class="sessions">
      {answer.sessions.map((session) => (
        <Session key={session.id} session={session} shownId={shownId} />
      ))}
    </div>
  )
}

function Session({ session, shownId }: { session: SessionSummary; shownId: string | undefined }): JSX.Element {
  const [isOpen, setIsOpen] = useState(false)
  const { at, steps, failed, odd, model, asks } = session
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        <span class="line">
          <time dateTime={at}>{timeOfDay(at)}</time>
          <strong class="model">
            <Outside text={model ?? ''} />
          </strong>
          <span class="tag">{counted(steps, 'step')}</span>
          {failed > 0 && <span class="tag bad">✕ {failed} failed</span>}
          {odd > 0 && <span class="tag odd">! {odd} odd</span>}
        </span>
        <span class="line second">
          <Outside text={asks} />
        </span>
      </summary>
      {isOpen && <Steps id={session.id} shownId={shownId} />}
    </details>
  )
}

function Steps({ id, shownId }: { id: string; shownId: string | undefined }): JSX.Element {
  const { answer, problem } = useFresh<SessionTree>(`sessions/${id}`)
  if (problem) return <p class="problem">{problem}</p>
  if (!answer) return <p class="empty">Loading …</p>
  return <StepList rows={answer.exchanges} shownId={shownId} />
}
