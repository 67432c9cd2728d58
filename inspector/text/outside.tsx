import type { JSX } from 'preact'
import { stretchesOf } from './visible.ts'

/** Text of a model, a client or a server: text nodes, with names in place of characters that cannot be seen. */
export function Outside({ text }: { text: string }): JSX.Element {
  return (
    <bdi>
      {stretchesOf(text).map(({ text: shown, isEscape }, index) =>
        isEscape ? (
          <span key={index} class="escape">
            {shown}
          </span>
        ) : (
          shown
        ),
      )}
    </bdi>
  )
}
