import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ExchangeView, ReplayRequest, ReplayResult } from '../../../src/records/api/types.ts'
import { askJson, sentenceOf } from '../../api/client.ts'
import { Outside } from '../../text/outside.tsx'
import { DialectField } from '../../tools/dialect-field.tsx'
import { listOf } from '../../tools/json-list.ts'
import { Reading } from '../../tools/reading.tsx'

type Result = Extract<ReplayResult, { type: 'read' }>

/** Reads the recorded text with other settings. */
export function ReadAgain({ view: { record } }: { view: ExchangeView }): JSX.Element {
  const [dialect, setDialect] = useState('')
  const [split, setSplit] = useState('')
  const [tools, setTools] = useState('')
  const [attempt, setAttempt] = useState(record.attempts.length - 1)
  const [result, setResult] = useState<Result>()
  const [problem, setProblem] = useState<string>()
  const text = record.attempts[attempt]?.text.text
  if (text === undefined) return <p class="empty">There is no text to read again.</p>
  async function read(): Promise<void> {
    const { list, problem: fault } = listOf(tools)
    if (fault !== undefined) return setProblem(fault)
    const body: ReplayRequest = {
      type: 'read',
      attempt,
      ...(dialect !== '' && { dialect }),
      ...(split !== '' && { split: Number(split) }),
      ...(list && { tools: list }),
    }
    try {
      setResult(await askJson<Result>(`exchanges/${record.id}/replay`, { body }))
      setProblem(undefined)
    } catch (error) {
      setProblem(sentenceOf(error))
    }
  }
  return (
    <section aria-label="Read again">
      <h2>Read the same text again</h2>
      <form
        class="fields in-line"
        onSubmit={(event) => {
          event.preventDefault()
          void read()
        }}
      >
        {record.attempts.length > 1 && (
          <label>
            <span>Attempt</span>
            <select value={attempt} onChange={({ currentTarget }) => setAttempt(Number(currentTarget.value))}>
              {record.attempts.map((_, index) => (
                <option key={index} value={index}>
                  {index + 1}
                </option>
              ))}
            </select>
          </label>
        )}
        <DialectField value={dialect} onPick={setDialect} none="as recorded" />
        <label>
          <span>Characters a piece</span>
          <input
            type="number"
            min={1}
            placeholder="as recorded"
            value={split}
            onInput={({ currentTarget }) => setSplit(currentTarget.value)}
          />
        </label>
        <label>
          <span>Tools (JSON list)</span>
          <input
            type="text"
            placeholder="as recorded"
            value={tools}
            onInput={({ currentTarget }) => setTools(currentTarget.value)}
          />
        </label>
        <button type="submit">Read again</button>
      </form>
      {problem !== undefined && (
        <p class="problem" role="alert">
          <Outside text={problem} />
        </p>
      )}
      {result && (
        <>
          <p role="status">{result.isSame ? '= Both readings are the same.' : '≠ The readings differ.'}</p>
          <div class="two">
            <Reading text={text} result={result.before} name="As recorded" />
            <Reading text={text} result={result.after} name="Again" />
          </div>
        </>
      )}
    </section>
  )
}
