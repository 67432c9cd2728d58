import { type ArgumentWriter, escapeText, type Shape, types, typeText, unquote } from '../json/index.ts'

/**
 * One value between tags, written into the arguments in the type that the schema wants. A string streams; what must be
 * whole before its type is known is held.
 */
export class TaggedValue {
  readonly #shape: Shape
  readonly #writer: ArgumentWriter
  readonly #problem: (message: string) => void
  readonly #mayBeNull: boolean
  #mode: 'streaming' | 'undecided' | 'held'
  #held: string[] = []
  #literal: LiteralState = 'before'

  constructor(writer: ArgumentWriter, problem: (message: string) => void) {
    this.#shape = writer.shape
    this.#writer = writer
    this.#problem = problem
    this.#mayBeNull = this.#shape.types === (types.string | types.null)
    this.#mode = this.#shape.isString || this.#mayBeNull ? 'undecided' : 'held'
  }

  push(text: string): void {
    if (text === '') return
    if (this.#mode === 'streaming') {
      this.#writer.stringPiece(escapeText(text))
      return
    }
    this.#held.push(text)
    if (this.#mode === 'undecided' && !this.#mayStillBeOther(text)) this.#stream()
  }

  end(): void {
    const text = this.#held.join('')
    switch (this.#mode) {
      case 'streaming':
        this.#writer.closeString()
        return
      case 'undecided':
        this.#endText(text)
        return
      case 'held': {
        const typed = typeText(text, this.#shape)
        if (typed.problem !== undefined) this.#problem(typed.problem)
        this.#writer.literal(typed.json)
      }
    }
  }

  /** Whether the value may still turn out not to be the text itself: a JSON literal of it, or null. */
  #mayStillBeOther(piece: string): boolean {
    this.#literal = scanLiteral(this.#literal, piece)
    if (this.#literal === 'inside' || this.#literal === 'escape' || this.#literal === 'behind') return true
    const text = this.#held.join('')
    const trimmed = text.trim()
    if (trimmed === '') return text.length < 64
    return this.#mayBeNull && ['null', 'None'].some((word) => word.startsWith(trimmed))
  }

  #endText(text: string): void {
    const trimmed = text.trim()
    if (this.#mayBeNull && (trimmed === 'null' || trimmed === 'None')) {
      this.#writer.literal('null')
      return
    }
    // Models that have seen much JSON quote a string between tags as well.
    const inner = unquote(trimmed)
    if (inner !== undefined) this.#problem('a quoted string between tags, taken without its quotes')
    this.#writer.literal(JSON.stringify(inner ?? text))
  }

  #stream(): void {
    this.#mode = 'streaming'
    const text = this.#held.join('')
    this.#held = []
    this.#writer.openString()
    this.#writer.stringPiece(escapeText(text))
  }
}

/** A string value as it is written between tags, such that reading it gives it back. */
export function writeTaggedString(value: string): string {
  // What reads as a quoted literal or as null is quoted itself; a line break next to a tag is doubled.
  const looksOther = unquote(value.trim()) !== undefined || /^\s*(?:null|None)\s*$/.test(value)
  if (looksOther) return JSON.stringify(value)
  return `${/^\r?\n/.test(value) ? '\n' : ''}${value}${/\n$/.test(value) ? '\n' : ''}`
}

/** Where a text stands in the form `"…"`, a JSON string on one line with blanks around it. */
type LiteralState = 'before' | 'inside' | 'escape' | 'behind' | 'none'

function scanLiteral(state: LiteralState, text: string): LiteralState {
  let at = state
  for (const char of text) {
    if (at === 'none') return at
    const blank = char === ' ' || char === '\t' || char === '\n'
    switch (at) {
      case 'before':
        if (!blank) at = char === '"' ? 'inside' : 'none'
        break
      case 'inside':
        if (char === '\n') at = 'none'
        else if (char === '\\') at = 'escape'
        else if (char === '"') at = 'behind'
        break
      case 'escape':
        at = 'inside'
        break
      case 'behind':
        if (!blank) at = 'none'
    }
  }
  return at
}
