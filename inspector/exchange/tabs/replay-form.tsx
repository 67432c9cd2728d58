import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Problem, sentenceOf } from '../../parts/problem.tsx'

interface ReplayFormProps<Result> {
  /** The name of the section and its button. */
  name: string
  title: string
  /** Replays with the settings of the fields. An error that it throws is shown. */
  replay(): Promise<Result>
  show(result: Result): JSX.Element
  /** The fields. */
  children: ComponentChildren
}

/** A form that replays an exchange, with the result below it. */
export function ReplayForm<Result>({ name, title, replay, show, children }: ReplayFormProps<Result>): JSX.Element {
  const [isRunning, setIsRunning] = useState(false)
  const [result, setResult] = useState<Result>()
  const [problem, setProblem] = useState<string>()
  async function run(): Promise<void> {
    setIsRunning(true)
    setProblem(undefined)
    try {
      const now = await replay()
      setResult(() => now)
    } catch (error) {
      setProblem(sentenceOf(error))
    } finally {
      setIsRunning(false)
    }
  }
  return (
    <section aria-label={name}>
      <h2>{title}</h2>
      <form
        class="fields in-line"
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        {children}
        <button type="submit" disabled={isRunning}>
          {isRunning ? 'Running …' : name}
        </button>
      </form>
      <Problem text={problem} />
      {result !== undefined && show(result)}
    </section>
  )
}
