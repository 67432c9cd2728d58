import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { ReadResult } from '../../src/records/api/types.ts'
import type { Mark } from '../text/blocks.ts'
import { indented } from '../text/format.ts'
import { LongText } from '../text/long-text.tsx'
import { Outside } from '../text/outside.tsx'

/** A reading of a text: its spans, the parts of the reply, the notices. */
export function Reading({ text, result, name }: { text: string; result: ReadResult; name: string }): JSX.Element {
  const marks = useMemo(
    (): Mark[] =>
      result.notices
        .flatMap(({ span, code, message }) => (span ? [{ at: span[0], code, message }] : []))
        .sort((one, other) => one.at - other.at),
    [result],
  )
  return (
    <section class="reading" aria-label={name}>
      <h2>
        {name}{' '}
        <span class="tag">
          <Outside text={result.dialect} />
        </span>{' '}
        <span class="faint">ends with {result.finish}</span>
      </h2>
      <LongText label={`${name}: text`} text={text} spans={result.spans} marks={marks} />
      <ol class="parts">
        {result.parts.map((part, index) => (
          <li key={index}>
            <span class={`tag ${part.type}`}>{part.type}</span>{' '}
            {part.type === 'call' && (
              <Outside text={`${part.name} (${part.id})${part.complete ? '' : ', broken off'}`} />
            )}
            <LongText
              label={`${part.type} ${index + 1}`}
              text={part.type === 'call' ? indented(part.arguments) : part.text}
            />
          </li>
        ))}
      </ol>
      {result.notices.length > 0 && (
        <ul class="reasons">
          {result.notices.map(({ code, message }, index) => (
            <li key={index} class="reason warning">
              <span class="sign" aria-hidden="true">
                !
              </span>
              <span>
                <code>{code}</code> <Outside text={message} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
