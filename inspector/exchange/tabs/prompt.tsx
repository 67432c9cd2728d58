import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ExchangeView } from '../../../src/records/api/types.ts'
import { counted } from '../../text/format.ts'
import { LongText } from '../../text/long-text.tsx'
import { Outside } from '../../text/outside.tsx'
import { ranked } from './ranked.ts'

type PromptView = ExchangeView['prompts'][number]

/** The prompts as the upstream got them, with the part that is new since the turn before. */
export function PromptTab({ view: { prompts } }: { view: ExchangeView }): JSX.Element {
  const [index, setIndex] = useState(0)
  const prompt = prompts[index] ?? prompts[0]
  if (!prompt) return <p class="empty">No request was sent to an upstream.</p>
  return (
    <>
      {prompts.length > 1 && (
        <label class="choice">
          Prompt{' '}
          <select value={index} onChange={({ currentTarget }) => setIndex(Number(currentTarget.value))}>
            {prompts.map(({ attempt, request }, number) => (
              <option key={number} value={number}>
                attempt {attempt + 1}, request {request + 1}
              </option>
            ))}
          </select>
        </label>
      )}
      <Budget prompt={prompt} />
      <Parts prompt={prompt} />
    </>
  )
}

/** Ranks the parts by the tokens that they take. */
function Budget({ prompt: { parts } }: { prompt: PromptView }): JSX.Element {
  const { total, kinds, largest } = ranked(parts)
  return (
    <section aria-label="Tokens by part" class="budget">
      <p>
        About {counted(total, 'token')}. Largest part:{' '}
        <Outside text={largest ? `${largest.kind} ${largest.label}`.trim() : 'none'} />
      </p>
      <ul>
        {kinds.map(({ kind, tokens, count }) => (
          <li key={kind}>
            <span class="phase">
              <Outside text={`${kind} (${count})`} />
            </span>
            <span class="track" aria-hidden="true">
              <span class="bar write" style={{ width: `${(100 * tokens) / Math.max(1, total)}%` }} />
            </span>
            <span class="took">{tokens.toLocaleString()}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Parts({ prompt: { parts, sharedLength } }: { prompt: PromptView }): JSX.Element {
  let at = 0
  return (
    <ol class="prompt-parts">
      {parts.map(({ kind, label, text, tokens, isNew }, index) => {
        const old = Math.max(0, Math.min(text.length, sharedLength - at))
        at += text.length
        return (
          <li key={index} class={isNew ? 'new' : ''}>
            <details open={isNew && kind !== 'tools'}>
              <summary>
                <span class="tag">
                  <Outside text={kind} />
                </span>{' '}
                <Outside text={label} /> <span class="faint">{counted(tokens, 'token')}</span>{' '}
                {isNew && <span class="tag odd">new</span>}
              </summary>
              {isNew && old > 0 && <LongText label={`${kind}, as before`} text={text.slice(0, old)} />}
              {isNew && old > 0 && <p class="new-from">new from here</p>}
              <LongText label={`${kind} ${label}`} text={isNew ? text.slice(old) : text} />
            </details>
          </li>
        )
      })}
    </ol>
  )
}
