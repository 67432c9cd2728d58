import type { JSX } from 'preact'
import type { ExchangeView } from '../../../src/records/api/types.ts'
import { ReadAgain } from './read-again.tsx'
import { SendAgain } from './send-again.tsx'

/** Reads the text again, or sends the request again, and shows both results side by side. */
export function ReplayTab({ view }: { view: ExchangeView }): JSX.Element {
  return (
    <>
      <ReadAgain view={view} />
      <SendAgain view={view} />
    </>
  )
}
