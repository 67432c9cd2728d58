import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ReadRequest, ReadResult } from '../../src/records/api/types.ts'
import { Problem, sentenceOf } from '../parts/problem.tsx'
import { Legend } from '../text/legend.tsx'
import { DialectField } from './dialect-field.tsx'
import { listOf } from './json-list.ts'
import { Reading } from './reading.tsx'

const typingMs = 150
const example = 'Let me look.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo",}}\n</tool_call>'

interface ReadPageProps {
  read(request: ReadRequest, signal: AbortSignal): Promise<ReadResult>
}

/** Reads a pasted text while it is typed. */
export function ReadPage({ read }: ReadPageProps): JSX.Element {
  const [text, setText] = useState(example)
  const [tools, setTools] = useState('["get_weather"]')
  const [dialect, setDialect] = useState('universal')
  const [shown, setShown] = useState<{ text: string; result: ReadResult }>()
  const [problem, setProblem] = useState<string>()
  const [length, setLength] = useState<number>()
  const { list, problem: fault } = listOf(tools)
  const part = length === undefined ? text : text.slice(0, length)
  useEffect(() => {
    if (fault !== undefined) return
    const stop = new AbortController()
    const body: ReadRequest = { text: part, dialect, isCut: part.length < text.length, ...(list && { tools: list }) }
    const timer = setTimeout(() => {
      read(body, stop.signal).then(
        (result) => {
          setShown({ text: part, result })
          setProblem(undefined)
        },
        (error: unknown) => !stop.signal.aborted && setProblem(sentenceOf(error)),
      )
    }, typingMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
    // `list` is made of `tools`.
  }, [part, text.length, tools, dialect])
  return (
    <main class="tool-page">
      <h1>Read a model's text</h1>
      <div class="two">
        <form class="fields" onSubmit={(event) => event.preventDefault()}>
          <label>
            <span>Text</span>
            <textarea
              rows={14}
              spellcheck={false}
              value={text}
              onInput={({ currentTarget }) => {
                setText(currentTarget.value)
                setLength(undefined)
              }}
            />
          </label>
          <label>
            <span>Characters that have come: {part.length}</span>
            <input
              type="range"
              min={0}
              max={text.length}
              value={part.length}
              onInput={({ currentTarget }) => setLength(Number(currentTarget.value))}
            />
          </label>
          <DialectField value={dialect} onPick={setDialect} />
          <label>
            <span>Tools: a JSON list of names or definitions</span>
            <textarea
              rows={5}
              spellcheck={false}
              value={tools}
              onInput={({ currentTarget }) => setTools(currentTarget.value)}
            />
          </label>
          <Problem text={fault ?? problem} />
        </form>
        <div>
          <Legend />
          {shown && <Reading text={shown.text} result={shown.result} name="Reading" />}
        </div>
      </div>
    </main>
  )
}
