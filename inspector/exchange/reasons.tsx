import type { JSX } from 'preact'
import type { ExchangeView, Reason } from '../../src/records/api/types.ts'
import { Outside } from '../text/outside.tsx'

const signs: Readonly<Record<Reason['level'], string>> = { error: '✕', warning: '!', info: 'i' }
/** Reasons that are shown at once. */
const shown = 4
/** Characters of the text around a reason. */
const around = 60

/** A reason, and how often there is one of the same words. */
interface Counted {
  reason: Reason
  times: number
}

/** The reasons for which an exchange failed or is odd, the gravest first. */
export function Reasons({ view: { reasons, record } }: { view: ExchangeView }): JSX.Element | null {
  if (reasons.length === 0) return null
  const different = counted(reasons)
  const rest = different.slice(shown)
  const list = (some: readonly Counted[]): JSX.Element => (
    <ul class="reasons">
      {some.map(({ reason, times }, index) => (
        <ReasonView key={index} reason={reason} times={times} text={textAt(reason, record)} />
      ))}
    </ul>
  )
  return (
    <section aria-label="Reasons">
      {list(different.slice(0, shown))}
      {rest.length > 0 && (
        <details>
          <summary>{rest.length} more</summary>
          {list(rest)}
        </details>
      )}
    </section>
  )
}

function ReasonView({
  reason: { level, code, message },
  times,
  text,
}: Counted & { text: string | undefined }): JSX.Element {
  return (
    <li class={`reason ${level}`}>
      <span class="sign" aria-hidden="true">
        {signs[level]}
      </span>
      <span>
        <span class="for-readers">{level}: </span>
        <code>
          <Outside text={code} />
        </code>{' '}
        <Outside text={message} />
        {times > 1 && <span class="faint"> ({times} times)</span>}
        {text !== undefined && text !== '' && (
          <code class="quote">
            <Outside text={text} />
          </code>
        )}
      </span>
    </li>
  )
}

function textAt({ span, attempt }: Reason, { attempts }: ExchangeView['record']): string | undefined {
  const text = attempts[attempt ?? attempts.length - 1]?.text.text
  if (!span || text === undefined) return undefined
  const [start, end] = span
  const cut = text.slice(start, Math.min(end, start + 2 * around))
  return cut.length < end - start ? `${cut}…` : cut
}

/** Joins reasons of the same words: retries fail in the same way. */
function counted(reasons: readonly Reason[]): Counted[] {
  const found = new Map<string, Counted>()
  for (const reason of reasons) {
    const key = JSON.stringify([reason.level, reason.code, reason.message])
    const known = found.get(key)
    if (known) known.times++
    else found.set(key, { reason, times: 1 })
  }
  return [...found.values()]
}
