import type { JSX } from 'preact'
import type { ExchangeView } from '../../../src/records/api/types.ts'
import { indented } from '../../text/format.ts'
import { LongText } from '../../text/long-text.tsx'
import { Outside } from '../../text/outside.tsx'

/** The grammars and schemas that held the reply, as upstreams got them. */
export function GrammarTab({ view: { prompts } }: { view: ExchangeView }): JSX.Element {
  const held = prompts.flatMap(({ attempt, request, constraint }) =>
    constraint ? [{ attempt, request, ...constraint }] : [],
  )
  if (held.length === 0) return <p class="empty">No grammar or schema was sent: the model could write anything.</p>
  return (
    <>
      {held.map(({ attempt, request, type, text }, index) => {
        const name = `${type} of attempt ${attempt + 1}, request ${request + 1}`
        return (
          <section key={index} aria-label={name}>
            <h2>
              <Outside text={name} />
            </h2>
            {index > 0 && held[index - 1]?.text === text ? (
              <p class="faint">The same as before.</p>
            ) : (
              <LongText label={`Grammar or schema, ${name}`} text={indented(text)} />
            )}
          </section>
        )
      })}
    </>
  )
}
