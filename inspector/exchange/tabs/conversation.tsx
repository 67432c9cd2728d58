import type { JSX } from 'preact'
import type { ExchangeView } from '../../../src/records/api/types.ts'
import { counted } from '../../text/format.ts'
import { LongText } from '../../text/long-text.tsx'
import { Outside } from '../../text/outside.tsx'
import { type Said, saidIn } from './said.ts'

/** The request in neutral form: system text, tools, turns. */
export function ConversationTab({ view }: { view: ExchangeView }): JSX.Element {
  const { conversation } = view.record
  if (!conversation) return <p class="empty">The request could not be read as a conversation.</p>
  const { system, tools, turns, toolChoice } = conversation
  return (
    <>
      <details>
        <summary>
          {counted(tools.length, 'tool')}, choice: {toolChoice.type === 'named' ? toolChoice.name : toolChoice.type}
        </summary>
        <dl class="tools">
          {tools.map(({ name, description, schema }) => (
            <div key={name}>
              <dt>
                <Outside text={name} />
              </dt>
              <dd>
                <Outside text={description.slice(0, 2000)} />
                <LongText label={`Schema of ${name}`} text={JSON.stringify(schema, undefined, 2)} />
              </dd>
            </div>
          ))}
        </dl>
      </details>
      {system !== '' && (
        <details>
          <summary>System text, {counted(system.length, 'character')}</summary>
          <LongText label="System text" text={system} />
        </details>
      )}
      <ol class="turns">
        {turns.map((turn, index) => (
          <li key={index} class={`turn ${turn.role}`}>
            <h2>{turn.role}</h2>
            {saidIn(turn).map((said, part) => (
              <SaidView key={part} said={said} />
            ))}
          </li>
        ))}
      </ol>
    </>
  )
}

function SaidView({ said: { kind, label, text } }: { said: Said }): JSX.Element {
  return (
    <div class="said">
      {kind !== 'text' && (
        <p class="said-kind">
          <span class={`tag ${kind}`}>{kind}</span> <Outside text={label} />
        </p>
      )}
      <LongText label={`${kind} ${label}`} text={text} />
    </div>
  )
}
