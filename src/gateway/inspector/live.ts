import { sseHeaders } from '../../protocols/index.ts'
import type { LiveEvent, Recorder } from '../../records/index.ts'
import type { GatewayResponse } from '../http/http.ts'
import type { RequestLog } from '../http/request-log.ts'

/** The largest number of events that wait for a page that reads slowly; the oldest are dropped first. */
const mostWaiting = 2000
const pingMs = 10_000

/** Answers with the events of running exchanges, beginning with those that run now. */
export function liveStream(recorder: Recorder, requestLog: RequestLog, signal: AbortSignal): GatewayResponse {
  const waiting: LiveEvent[] = recorder.recent
    .filter(({ state }) => state === 'running')
    .map((exchange) => ({ type: 'begin', exchange }))
  let wake = (): void => {}
  const stop = recorder.live.watch((event) => {
    if (waiting.length >= mostWaiting) waiting.shift()
    waiting.push(event)
    wake()
  })
  signal.addEventListener('abort', () => wake(), { once: true })
  async function* chunks(): AsyncGenerator<string, void, undefined> {
    try {
      // The page learns that it is connected.
      yield ': live\n\n'
      while (!signal.aborted) {
        const events = waiting.splice(0)
        if (events.length > 0) yield events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
        else
          await new Promise<void>((resolve) => {
            wake = resolve
            if (signal.aborted || waiting.length > 0) resolve()
          })
      }
    } finally {
      stop()
      requestLog.end(200)
    }
  }
  return {
    status: 200,
    headers: { ...sseHeaders },
    body: { chunks: chunks(), ping: () => ': ping\n\n', pingMs, signal },
  }
}
