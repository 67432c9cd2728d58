import { type ArgumentWriter, escapeText, Shape, types, typeText, unquote } from '../json/index.ts'
import { LiteralScan } from './literal-scan.ts'

const stringShape: Shape = Shape.of({ type: 'string' })
/** Words for null, where the schema allows null beside a string. */
const nullWords: readonly string[] = ['null', 'None']

/**
 * One value between tags, written into the arguments in the type that the schema wants. A string streams; what must be
 * whole before its type is known is held.
 */
export class TaggedValue {
  readonly #shape: Shape
  readonly #writer: ArgumentWriter
  readonly #problem: (message: string) => void
  readonly #scan: LiteralScan
  #mode: 'streaming' | 'undecided' | 'held'
  #held: string[] = []

  /** `type` is what the marker before the value says of it: `string` or, as DSML writes it, `true` for a string. */
  constructor(writer: ArgumentWriter, type: string | undefined, problem: (message: string) => void) {
    const isText = type === 'string' || type === 'true'
    this.#shape = writer.shape.untyped && isText ? stringShape : writer.shape
    this.#writer = writer
    this.#problem = problem
    this.#scan = new LiteralScan(isNullableString(this.#shape) ? nullWords : [])
    this.#mode = this.#shape.isString || isNullableString(this.#shape) ? 'undecided' : 'held'
  }

  push(text: string): void {
    if (text === '') return
    if (this.#mode === 'streaming') {
      this.#writer.stringPiece(escapeText(text))
      return
    }
    this.#held.push(text)
    if (this.#mode === 'undecided' && !this.#scan.push(text)) this.#stream()
  }

  end(): void {
    if (this.#mode === 'streaming') {
      this.#writer.closeString()
      return
    }
    const text = this.#held.join('')
    if (this.#mode === 'held') {
      const typed = typeText(text, this.#shape)
      if (typed.problem !== undefined) this.#problem(typed.problem)
      this.#writer.typedValue(typed.json)
      return
    }
    // Models that have seen much JSON quote a string between tags as well.
    const inner = unquote(text.trim())
    if (inner !== undefined) this.#problem('a quoted string between tags, taken without its quotes')
    this.#writer.typedValue(readUnstreamed(text, this.#shape))
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
export function writeTaggedString(value: string, shape: Shape): string {
  const isPlain = shape.isString || isNullableString(shape)
  const read = isPlain ? readUnstreamed(value, shape) : typeText(value, shape).json
  if (read !== JSON.stringify(value)) return JSON.stringify(value)
  // A line break next to a tag is the tag's: a value's own is doubled.
  return `${/^\r?\n/.test(value) ? '\n' : ''}${value}${value.endsWith('\n') ? '\n' : ''}`
}

/** The JSON text of a value that is a string, or null where that is allowed. */
function readUnstreamed(text: string, shape: Shape): string {
  const trimmed = text.trim()
  if (isNullableString(shape) && nullWords.includes(trimmed)) return 'null'
  return JSON.stringify(unquote(trimmed) ?? text)
}

function isNullableString(shape: Shape): boolean {
  return shape.types === (types.string | types.null)
}
