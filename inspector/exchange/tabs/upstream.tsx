import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { ExchangeView, UpstreamRequest } from '../../../src/records/api/types.ts'
import { duration, indented } from '../../text/format.ts'
import { LongText } from '../../text/long-text.tsx'
import { Outside } from '../../text/outside.tsx'

/** Shows the requests to upstreams, and the lines of the log. */
export function UpstreamTab({ view: { record } }: { view: ExchangeView }): JSX.Element {
  const { attempts, log } = record
  return (
    <>
      {attempts.length === 0 && <p class="empty">No request was sent to an upstream.</p>}
      {attempts.map(({ upstream, model, plan, requests, error }, index) => (
        <section key={index} aria-label={`Attempt ${index + 1}`}>
          <h2>
            Attempt {index + 1}: <Outside text={`${upstream} / ${model}, ${plan}`} />
          </h2>
          {error && (
            <p class="bad">
              <Outside text={`${error.code}: ${error.message}`} />
            </p>
          )}
          {requests.map((request, number) => (
            <RequestView key={number} request={request} isOpen={requests.length === 1} />
          ))}
        </section>
      ))}
      {log.length > 0 && (
        <section aria-label="Log">
          <h2>Log</h2>
          <ul class="log">
            {log.map(({ ms, level, event, fields }, index) => (
              <li key={index}>
                <span class="took">{duration(ms)}</span> <span class="tag">{level}</span>{' '}
                <Outside text={`${event} ${JSON.stringify(fields)}`} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function RequestView({ request, isOpen }: { request: UpstreamRequest; isOpen: boolean }): JSX.Element {
  const { ms, type, url, body, constraint } = request
  const shown = useMemo(() => indented(body), [body])
  return (
    <details open={isOpen}>
      <summary>
        <span class="took">{duration(ms)}</span> <span class="tag">{type}</span>{' '}
        <Outside text={url ?? 'in this process'} /> {constraint !== undefined && <span class="tag">{constraint}</span>}
      </summary>
      <LongText label="Body sent to the upstream" text={shown} />
    </details>
  )
}
