import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ExchangeView, ReplayRequest, ReplayResult } from '../../../src/records/api/types.ts'
import { askJson, sentenceOf } from '../../api/client.ts'
import { hashOf } from '../../parts/route.ts'
import { Outside } from '../../text/outside.tsx'
import { DialectField } from '../../tools/dialect-field.tsx'
import { EventList } from './event-list.tsx'

const plans = ['native', 'prompted', 'templated'] as const

/** Sends the recorded request again, and compares the replies. */
export function SendAgain({ view }: { view: ExchangeView }): JSX.Element {
  const [model, setModel] = useState('')
  const [upstream, setUpstream] = useState('')
  const [plan, setPlan] = useState<(typeof plans)[number]>()
  const [dialect, setDialect] = useState('')
  const [isRunning, setIsRunning] = useState(false)
  const [other, setOther] = useState<ExchangeView>()
  const [problem, setProblem] = useState<string>()
  async function send(): Promise<void> {
    const body: ReplayRequest = {
      type: 'send',
      ...(model !== '' && { model }),
      ...(upstream !== '' && { upstream }),
      ...(plan && { plan }),
      ...(dialect !== '' && { dialect }),
    }
    setIsRunning(true)
    setProblem(undefined)
    try {
      const result = await askJson<Extract<ReplayResult, { type: 'send' }>>(`exchanges/${view.record.id}/replay`, {
        body,
      })
      setOther(await askJson<ExchangeView>(`exchanges/${result.id}`))
    } catch (error) {
      setProblem(sentenceOf(error))
    } finally {
      setIsRunning(false)
    }
  }
  return (
    <section aria-label="Send again">
      <h2>Send the same request again</h2>
      <form
        class="fields in-line"
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <Field name="Model" value={model} onType={setModel} />
        <Field name="Upstream" value={upstream} onType={setUpstream} />
        <label>
          <span>Plan</span>
          <select
            value={plan ?? ''}
            onChange={({ currentTarget }) => setPlan(plans.find((name) => name === currentTarget.value))}
          >
            <option value="">as the rule says</option>
            {plans.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <DialectField value={dialect} onPick={setDialect} none="as the rule says" />
        <button type="submit" disabled={isRunning}>
          {isRunning ? 'Sending …' : 'Send again'}
        </button>
      </form>
      {problem !== undefined && (
        <p class="problem" role="alert">
          <Outside text={problem} />
        </p>
      )}
      {other && (
        <div class="two">
          <Side name="As recorded" view={view} />
          <Side name="Again" view={other} />
        </div>
      )}
    </section>
  )
}

interface FieldProps {
  name: string
  value: string
  onType(value: string): void
}

function Field({ name, value, onType }: FieldProps): JSX.Element {
  return (
    <label>
      <span>{name}</span>
      <input
        type="text"
        placeholder="as recorded"
        value={value}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
    </label>
  )
}

function Side({ name, view: { record, summary } }: { name: string; view: ExchangeView }): JSX.Element {
  return (
    <section class="reading" aria-label={name}>
      <h3>
        {name} <a href={hashOf({ page: 'exchanges', id: record.id })}>{record.id}</a>
      </h3>
      <p>
        Status {summary.status},{' '}
        <Outside
          text={[summary.upstream, summary.upstreamModel, summary.plan, summary.dialect].filter(Boolean).join(' · ')}
        />
      </p>
      <EventList reply={record.reply} />
    </section>
  )
}
