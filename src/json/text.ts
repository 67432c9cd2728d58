import type { JsonSink } from './sink.ts'

/** The text between members: only the marks, or the marks and a space, as most models write JSON. */
export interface JsonSpacing {
  comma: string
  colon: string
}
export const compact: JsonSpacing = { comma: ',', colon: ':' }
export const spaced: JsonSpacing = { comma: ', ', colon: ': ' }

/** Writes the events of a JsonReader as JSON text, piece by piece. */
export class JsonText implements JsonSink {
  readonly #emit: (json: string) => void
  /** For each open container: true while it is empty. */
  readonly #empty: boolean[] = []
  readonly #isArray: boolean[] = []
  readonly #spacing: JsonSpacing

  constructor(emit: (json: string) => void, spacing: JsonSpacing = compact) {
    this.#emit = emit
    this.#spacing = spacing
  }

  openObject(): void {
    this.#open('{', false)
  }

  openArray(): void {
    this.#open('[', true)
  }

  closeObject(): void {
    this.#close('}')
  }

  closeArray(): void {
    this.#close(']')
  }

  key(key: string): void {
    this.#emit(`${this.#comma()}${JSON.stringify(key)}${this.#spacing.colon}`)
  }

  openString(): void {
    this.#emit(`${this.#beforeValue()}"`)
  }

  stringPiece(json: string): void {
    this.#emit(json)
  }

  closeString(): void {
    this.#emit('"')
  }

  /** Any value that is JSON text already. */
  literal(json: string): void {
    this.#emit(this.#beforeValue() + json)
  }

  /** The text does not depend on repairs. */
  repaired: JsonSink['repaired'] = () => {}

  #open(bracket: string, isArray: boolean): void {
    this.#emit(this.#beforeValue() + bracket)
    this.#empty.push(true)
    this.#isArray.push(isArray)
  }

  #close(bracket: string): void {
    this.#empty.pop()
    this.#isArray.pop()
    this.#emit(bracket)
  }

  #beforeValue(): string {
    return this.#isArray.at(-1) ? this.#comma() : ''
  }

  #comma(): string {
    const last = this.#empty.length - 1
    if (last < 0) return ''
    const first = this.#empty[last]
    this.#empty[last] = false
    return first ? '' : this.#spacing.comma
  }
}
