import type { EngineModel } from './engine.ts'

/** The character that tokenizers show for bytes that form no character. */
const noCharacter = '\ufffd'
/** A character has four bytes at most, so of one that is not whole three tokens may be there. */
const longestPart = 3

/** The text of tokens as they come. Bytes of a character that is not whole wait for the rest; work per token is constant. */
export class TokenText {
  readonly #model: Pick<EngineModel, 'textOf'>
  /** The last emitted tokens: engines write some tokens differently at the beginning of a text. */
  #before: readonly number[]
  #waiting: number[] = []

  /** `prompt` contains the tokens before the first one. */
  constructor(model: Pick<EngineModel, 'textOf'>, prompt: readonly number[]) {
    this.#model = model
    this.#before = prompt.slice(-longestPart)
  }

  push(token: number): string {
    this.#waiting.push(token)
    const text = this.#textOf(this.#waiting)
    if (!text.endsWith(noCharacter)) return this.#give(this.#waiting.length, text)
    if (this.#waiting.length <= longestPart) return ''
    // Bytes that never become a character go out, unless the last tokens need them for one.
    const count = this.#waiting.length - longestPart
    const first = this.#textOf(this.#waiting.slice(0, count))
    const rest = this.#model.textOf(this.#waiting.slice(count), this.#waiting.slice(0, count))
    return first + rest === text ? this.#give(count, first) : this.#give(this.#waiting.length, text)
  }

  /** Returns the remaining text after the last token. */
  end(): string {
    return this.#waiting.length === 0 ? '' : this.#give(this.#waiting.length, this.#textOf(this.#waiting))
  }

  #textOf(tokens: readonly number[]): string {
    return this.#model.textOf(tokens, this.#before)
  }

  #give(count: number, text: string): string {
    this.#before = [...this.#before, ...this.#waiting.splice(0, count)].slice(-longestPart)
    return text
  }
}
