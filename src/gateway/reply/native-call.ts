import type { CallPiece } from '../../upstreams/index.ts'
import { ArgumentsOutline } from './arguments-outline.ts'

/** A call that an upstream makes itself, as its pieces come: its name, and the text of its arguments. */
export class NativeCall {
  readonly index: number
  id: string | undefined
  name: string
  /** All of the arguments so far. */
  #arguments = ''
  /** Known from the pieces: to look for it in a large text that came in many takes its time. */
  #hasArguments = false
  readonly #outline = new ArgumentsOutline()
  #isWhole: boolean | undefined
  #isBroken = false
  /** The number of characters in the next slices that are known already: their server sends all of the arguments so far each time. */
  #known = 0

  constructor(piece: CallPiece) {
    this.index = piece.index
    this.id = piece.id
    this.name = piece.name ?? ''
  }

  get hasArguments(): boolean {
    return this.#hasArguments
  }

  /** The arguments so far. */
  get json(): string {
    return this.#arguments
  }

  /** The name and the arguments, as text. */
  get text(): string {
    return `${this.name} ${this.#arguments}`.trim()
  }

  /** True once the arguments are whole. */
  get isWhole(): boolean {
    this.#isWhole ??= this.#outline.mayBeWhole && isJson(this.#arguments)
    // More text cannot repair a list or an object that has ended.
    if (!this.#isWhole && this.#outline.hasEnded) this.#isBroken = true
    return this.#isWhole
  }

  /** True if the arguments end within a string: a closing marker after them would be read as its end. */
  get isInString(): boolean {
    return this.#outline.isInString
  }

  /** True for a piece of another call. Some servers give every call of a reply the same index. */
  isOther(piece: CallPiece): boolean {
    if (piece.index !== this.index) return true
    return piece.name !== undefined && piece.id !== undefined && this.id !== undefined && piece.id !== this.id
  }

  /** Takes a piece; returns the new part of the arguments. */
  take(piece: CallPiece): string {
    this.id ??= piece.id
    if (piece.name !== undefined) this.#takeName(piece.name)
    const json = piece.arguments ?? ''
    // Some servers send all of the arguments so far each time.
    if (!piece.goesOn) this.#known = this.#isCumulative(piece.sent ?? json) ? this.#arguments.length : 0
    const added = json.slice(this.#known)
    this.#known -= json.length - added.length
    if (added === '') return ''
    this.#arguments += added
    this.#hasArguments ||= added.trim() !== ''
    this.#outline.push(added)
    this.#isWhole = this.#isBroken ? false : undefined
    return added
  }

  /** Most servers send the name once, some with every piece, some in pieces. */
  #takeName(name: string): void {
    if (this.#arguments !== '' || name === this.name) return
    this.name = name.startsWith(this.name) ? name : this.name + name
  }

  /** True for a piece that repeats everything before it, if no JSON text could continue like that. */
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
