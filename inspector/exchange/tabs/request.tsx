import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { ExchangeView } from '../../../src/records/api/types.ts'
import { indented } from '../../text/format.ts'
import { LongText } from '../../text/long-text.tsx'
import { Outside } from '../../text/outside.tsx'

/** The client's request as it came. */
export function RequestTab({ view }: { view: ExchangeView }): JSX.Element {
  const { method, path, headers, body, protocol } = view.record.client
  const shown = useMemo(() => indented(body), [body])
  return (
    <>
      <h2>
        {method} <Outside text={path} /> {protocol !== undefined && <span class="tag">{protocol}</span>}
      </h2>
      <dl class="headers">
        {Object.entries(headers).map(([name, value]) => (
          <div key={name}>
            <dt>
              <Outside text={name} />
            </dt>
            <dd>
              <Outside text={value} />
            </dd>
          </div>
        ))}
      </dl>
      <h2>Body</h2>
      <LongText label="Body of the client's request" text={shown} />
    </>
  )
}
