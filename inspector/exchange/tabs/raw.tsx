import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { ExchangeView } from '../../../src/records/api/types.ts'
import type { Mark } from '../../text/blocks.ts'
import { Legend } from '../../text/legend.tsx'
import { LongText } from '../../text/long-text.tsx'
import { Outside } from '../../text/outside.tsx'

/** The model's own text, with the role of each span and the notices at their places. */
export function RawTab({ view: { record } }: { view: ExchangeView }): JSX.Element {
  if (record.attempts.length === 0) return <p class="empty">No upstream sent any text.</p>
  return (
    <>
      <Legend />
      {record.attempts.map((attempt, index) => (
        <Attempt key={index} attempt={attempt} index={index} record={record} />
      ))}
    </>
  )
}

interface AttemptProps {
  attempt: ExchangeView['record']['attempts'][number]
  index: number
  record: ExchangeView['record']
}

function Attempt({ attempt, index, record: { attempts, notices } }: AttemptProps): JSX.Element {
  const { text, spans, reasoning, calls, cause, error, reading } = attempt
  const marks = useMemo(() => marksOf(notices, index), [notices, index])
  return (
    <section aria-label={`Attempt ${index + 1}`}>
      {attempts.length > 1 && (
        <h2>
          Attempt {index + 1}
          {cause && <Outside text={`: ${cause.event}, ${cause.why}`} />}
        </h2>
      )}
      {error && (
        <p class="bad">
          <Outside text={`${error.code}: ${error.message}`} />
        </p>
      )}
      {reasoning.text !== '' && (
        <>
          <h2>Reasoning, sent separately</h2>
          <LongText label="Reasoning" text={reasoning.text} />
        </>
      )}
      {(text.text !== '' || calls.length === 0) && (
        <>
          <h2>Text, read as {reading.dialect ?? 'text'}</h2>
          <LongText label={`Raw text of attempt ${index + 1}`} text={text.text} spans={spans} marks={marks} />
        </>
      )}
      {calls.map((call) => (
        <div key={call.index}>
          <h2>
            Call that the upstream made: <Outside text={call.name ?? ''} />
          </h2>
          <LongText label={`Arguments of ${call.name ?? 'a call'}`} text={call.arguments.text} />
        </div>
      ))}
    </section>
  )
}

function marksOf(notices: ExchangeView['record']['notices'], index: number): Mark[] {
  return notices
    .flatMap(({ span, attempt, code, message }) =>
      span && (attempt ?? 0) === index ? [{ at: span[0], code, message }] : [],
    )
    .sort((one, other) => one.at - other.at)
}
