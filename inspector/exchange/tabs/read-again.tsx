import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ExchangeView, ReplayRequest, ReplayResult } from '../../../src/records/api/types.ts'
import { askJson } from '../../api/client.ts'
import { ChoiceField, TextField } from '../../parts/fields.tsx'
import { DialectField } from '../../tools/dialect-field.tsx'
import { listOf } from '../../tools/json-list.ts'
import { Reading } from '../../tools/reading.tsx'
import { ReplayForm } from './replay-form.tsx'

interface Read {
  text: string
  answer: Extract<ReplayResult, { type: 'read' }>
}

/** Reads the recorded text with other settings. */
export function ReadAgain({ view: { record } }: { view: ExchangeView }): JSX.Element {
  const [dialect, setDialect] = useState('')
  const [split, setSplit] = useState('')
  const [tools, setTools] = useState('')
  const [number, setNumber] = useState(String(record.attempts.length))
  const attempt = Number(number) - 1
  const text = record.attempts[attempt]?.text.text
  if (text === undefined) return <p class="empty">There is no text to read again.</p>
  async function read(text: string): Promise<Read> {
    const { list, problem } = listOf(tools)
    if (problem !== undefined) throw new Error(problem)
    const body: ReplayRequest = {
      type: 'read',
      attempt,
      ...(dialect !== '' && { dialect }),
      ...(split !== '' && { split: Number(split) }),
      ...(list && { tools: list }),
    }
    return { text, answer: await askJson<Read['answer']>(`exchanges/${record.id}/replay`, { body }) }
  }
  return (
    <ReplayForm
      name="Read again"
      title="Read the same text again"
      replay={() => read(text)}
      show={(result) => <TwoReadings {...result} />}
    >
      {record.attempts.length > 1 && (
        <ChoiceField
          name="Attempt"
          value={number}
          choices={record.attempts.map((_, index) => String(index + 1))}
          onPick={setNumber}
        />
      )}
      <DialectField value={dialect} onPick={setDialect} none="as recorded" />
      <TextField name="Characters a piece" type="number" placeholder="as recorded" value={split} onType={setSplit} />
      <TextField name="Tools (JSON list)" placeholder="as recorded" value={tools} onType={setTools} />
    </ReplayForm>
  )
}

function TwoReadings({ text, answer: { before, after, isSame } }: Read): JSX.Element {
  return (
    <>
      <p role="status">{isSame ? '= Both readings are the same.' : '≠ The readings differ.'}</p>
      <div class="two">
        <Reading text={text} result={before} name="As recorded" />
        <Reading text={text} result={after} name="Again" />
      </div>
    </>
  )
}
