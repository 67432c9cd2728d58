import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ExchangeView } from '../../src/records/api/types.ts'

const names = { curl: 'curl', program: 'program', test: 'test' } as const

/** Buttons that copy the exchange as a command, as a program and as a test. */
export function Copies({ copies }: { copies: ExchangeView['copies'] }): JSX.Element {
  const [done, setDone] = useState('')
  async function copy(name: keyof typeof names): Promise<void> {
    try {
      await navigator.clipboard.writeText(copies[name])
      setDone(`Copied as ${names[name]}.`)
    } catch {
      // The browser asks the reader, who may refuse.
      setDone('The browser does not let this page copy. Open it at localhost or over HTTPS.')
    }
  }
  return (
    <div class="copies">
      {(Object.keys(names) as (keyof typeof names)[]).map((name) => (
        <button key={name} type="button" onClick={() => void copy(name)}>
          Copy as {names[name]}
        </button>
      ))}
      <span role="status">{done}</span>
    </div>
  )
}
