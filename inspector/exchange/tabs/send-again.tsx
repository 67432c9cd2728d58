import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { isSameReply } from '../../../src/records/api/same-reply.ts'
import type { ExchangeView, ReplayRequest, ReplayResult } from '../../../src/records/api/types.ts'
import { askJson } from '../../api/client.ts'
import { ChoiceField, TextField } from '../../parts/fields.tsx'
import { hashOf } from '../../parts/route.ts'
import { Outside } from '../../text/outside.tsx'
import { DialectField } from '../../tools/dialect-field.tsx'
import { EventList } from './event-list.tsx'
import { ReplayForm } from './replay-form.tsx'

const plans = ['native', 'prompted', 'templated'] as const

/** Sends the recorded request again, and compares the replies. */
export function SendAgain({ view }: { view: ExchangeView }): JSX.Element {
  const [model, setModel] = useState('')
  const [upstream, setUpstream] = useState('')
  const [plan, setPlan] = useState<(typeof plans)[number]>()
  const [dialect, setDialect] = useState('')
  async function send(): Promise<ExchangeView> {
    const body: ReplayRequest = {
      type: 'send',
      ...(model !== '' && { model }),
      ...(upstream !== '' && { upstream }),
      ...(plan && { plan }),
      ...(dialect !== '' && { dialect }),
    }
    const path = `exchanges/${view.record.id}/replay`
    const { id } = await askJson<Extract<ReplayResult, { type: 'send' }>>(path, { body })
    return await askJson<ExchangeView>(`exchanges/${id}`)
  }
  return (
    <ReplayForm
      name="Send again"
      title="Send the same request again"
      replay={send}
      show={(other) => (
        <>
          <p role="status">
            {isSameReply(view.record, other.record) ? '= Both replies are the same.' : '≠ The replies differ.'}
          </p>
          <div class="two">
            <Side name="Reply as recorded" view={view} />
            <Side name="Reply again" view={other} />
          </div>
        </>
      )}
    >
      <TextField name="Model" placeholder="as recorded" value={model} onType={setModel} />
      <TextField name="Upstream" placeholder="as recorded" value={upstream} onType={setUpstream} />
      <ChoiceField
        name="Plan"
        value={plan ?? ''}
        choices={plans}
        none="as the rule says"
        onPick={(picked) => setPlan(plans.find((name) => name === picked))}
      />
      <DialectField value={dialect} onPick={setDialect} none="as the rule says" />
    </ReplayForm>
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
