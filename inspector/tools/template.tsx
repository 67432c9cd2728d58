import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { TemplateRequest, TemplateResult } from '../../src/records/api/types.ts'
import { Problem, sentenceOf } from '../parts/problem.tsx'
import { LongText } from '../text/long-text.tsx'
import { Outside } from '../text/outside.tsx'
import { listOf } from './json-list.ts'

interface TemplatePageProps {
  analyse(request: TemplateRequest): Promise<TemplateResult>
}

/** Analyses a pasted chat template. */
export function TemplatePage({ analyse }: TemplatePageProps): JSX.Element {
  const [template, setTemplate] = useState('')
  const [tools, setTools] = useState('')
  const [result, setResult] = useState<TemplateResult>()
  const [problem, setProblem] = useState<string>()
  async function show(): Promise<void> {
    const { list, problem: fault } = listOf(tools)
    if (fault !== undefined) return setProblem(fault)
    const body: TemplateRequest = { template, ...(list && { tools: list }) }
    try {
      setResult(await analyse(body))
      setProblem(undefined)
    } catch (error) {
      setResult(undefined)
      setProblem(sentenceOf(error))
    }
  }
  return (
    <main class="tool-page">
      <h1>Analyse a chat template</h1>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault()
          void show()
        }}
      >
        <label>
          <span>Load a file</span>
          <input
            type="file"
            accept=".jinja,.j2,.txt,.json"
            onChange={({ currentTarget }) => {
              void currentTarget.files?.[0]?.text().then(setTemplate)
            }}
          />
        </label>
        <label>
          <span>Template</span>
          <textarea
            rows={12}
            spellcheck={false}
            value={template}
            onInput={({ currentTarget }) => setTemplate(currentTarget.value)}
          />
        </label>
        <label>
          <span>Tools: a JSON list; without one, a weather tool</span>
          <textarea
            rows={3}
            spellcheck={false}
            value={tools}
            onInput={({ currentTarget }) => setTools(currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={template === ''}>
          Analyse
        </button>
        <Problem text={problem} />
      </form>
      {result && <Found result={result} />}
    </main>
  )
}

function Found({
  result: { capabilities, calls, proof, prompt, problem, grammar },
}: {
  result: TemplateResult
}): JSX.Element {
  return (
    <section aria-label="Analysis">
      <h2>
        Round trip: {proof.passed} read back{proof.failed.length > 0 ? `, ${proof.failed.length} not` : ''}
      </h2>
      {proof.failed.length > 0 && (
        <p class="bad">
          <Outside text={`Not read back: ${proof.failed.join(', ')}`} />
        </p>
      )}
      <h3>Capabilities</h3>
      <dl class="facts">
        {Object.entries(capabilities).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Outside text={typeof value === 'string' && value !== '' ? value : (JSON.stringify(value) ?? 'none')} />
            </dd>
          </div>
        ))}
      </dl>
      <h3>{calls === undefined ? 'The template renders no calls' : 'Calls'}</h3>
      {calls !== undefined && <LongText label="Calls" text={JSON.stringify(calls, undefined, 2)} />}
      <h3>Prompt</h3>
      {problem !== undefined && (
        <p class="bad">
          <Outside text={problem} />
        </p>
      )}
      {prompt !== undefined && <LongText label="Prompt" text={prompt} />}
      {grammar !== undefined && (
        <details>
          <summary>Grammar</summary>
          <LongText label="Grammar" text={grammar} />
        </details>
      )}
    </section>
  )
}
