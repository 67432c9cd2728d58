import type { JSX } from 'preact'
import { Outside } from '../text/outside.tsx'

/** Tells what went wrong; nothing if there is no text. */
export function Problem({ text }: { text: string | undefined }): JSX.Element | null {
  if (text === undefined) return null
  return (
    <p class="problem" role="alert">
      <Outside text={text} />
    </p>
  )
}

/** Returns an error as a sentence. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
