import type { CallPiece } from '../../upstreams/index.ts'

/** A call that an upstream makes itself, as its pieces come: its name, and the text of its arguments. */
export class NativeCall {
  readonly index: number
  id: string | undefined
  name: string
  /** All of the arguments so far. */
  #arguments = ''
  #isWhole: boolean | undefined

  constructor(piece: CallPiece) {
    this.index = piece.index
    this.id = piece.id
    this.name = piece.name ?? ''
  }

  get hasArguments(): boolean {
    return this.#arguments.trim() !== ''
  }

  /** The name and the arguments, as text. */
  get text(): string {
    return `${this.name} ${this.#arguments}`.trim()
  }

  /** True once the arguments are whole. */
  get isWhole(): boolean {
    this.#isWhole ??= isJson(this.#arguments)
    return this.#isWhole
  }

  /** True if the arguments end within a string: a closing marker after them would be read as its end. */
  get isInString(): boolean {
    const text = this.#arguments
    let isInside = false
    for (let at = 0; at < text.length; at++) {
      const char = text[at]
      if (char === '"') isInside = !isInside
      else if (char === '\\' && isInside) at++
    }
    return isInside
  }

  /** True for a piece of another call. Some servers give every call of a reply the same index. */
  isOther(piece: CallPiece): boolean {
    if (piece.index !== this.index) return true
    return piece.name !== undefined && piece.id !== undefined && this.id !== undefined && piece.id !== this.id
  }

  /** Takes a piece; gives what is new of the arguments. */
  take(piece: CallPiece): string {
    this.id ??= piece.id
    if (piece.name !== undefined) this.#takeName(piece.name)
    const json = piece.arguments ?? ''
    // Some servers send all of the arguments so far each time.
    const added = this.#isCumulative(json) ? json.slice(this.#arguments.length) : json
    if (added === '') return ''
    this.#arguments += added
    this.#isWhole = undefined
    return added
  }

  /** Most servers send the name once, some with every piece, some in pieces. */
  #takeName(name: string): void {
    if (this.#arguments !== '' || name === this.name) return
    this.name = name.startsWith(this.name) ? name : this.name + name
  }

  /** A piece that begins with all that came, where no text of JSON could go on like that. */
  #isCumulative(piece: string): boolean {
    const before = this.#arguments
    // After a colon, a comma or a bracket the same may begin once more, as a part of itself.
    return before.trim() !== '' && piece.startsWith(before) && !/[:,[]\s*$/.test(before)
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    // Not whole yet, or broken: more may come either way.
    return false
  }
}
