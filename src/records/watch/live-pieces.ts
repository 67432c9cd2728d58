import type { Masker } from '../redact/masker.ts'
import type { ExchangeEvent } from './hooks.ts'

/** A piece of an attempt's text. */
interface Piece {
  attempt: number
  text: string
}

/** A character may be written as an escape of six. */
const escapeLength = 6

/**
 * Yields the text of running attempts for those who watch, with secrets masked: what may be the beginning of one is held back. Without a
 * masker, or with patterns, which may match text of any length, there are no pieces.
 */
export class LivePieces {
  readonly #masker: Masker | undefined
  readonly #held = new Map<number, string>()

  constructor(masker: Masker | undefined) {
    this.#masker = masker?.hasPatterns ? undefined : masker
  }

  take(event: ExchangeEvent): Piece[] {
    if (!this.#masker) return []
    if (event.type === 'attempt-end') return this.#give(event.attempt, '', 0)
    if (event.type !== 'pieces') return []
    const text = event.events.map((one) => (one.type === 'text' ? one.text : '')).join('')
    return text === '' ? [] : this.#give(event.attempt, text, escapeLength * this.#masker.longest)
  }

  #give(attempt: number, more: string, held: number): Piece[] {
    const text = this.#masker?.mask((this.#held.get(attempt) ?? '') + more) ?? ''
    const end = Math.max(0, text.length - held)
    this.#held.set(attempt, text.slice(end))
    return end === 0 ? [] : [{ attempt, text: text.slice(0, end) }]
  }
}
