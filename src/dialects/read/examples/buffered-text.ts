import type { ModelText } from '../../../grammar/index.ts'
import type { BufferedFence } from './buffered-fence.ts'
import { BufferedReasoning } from './buffered-reasoning.ts'

/** Text that was kept, and is read now. */
export interface Released {
  hold: BufferedFence | BufferedReasoning
  /** The offset in the whole text before which there is no call; undefined if the text is read as calls. */
  noCallsUntil: number | undefined
}

/** Keeps a part of a reply until it is known how to read it: text within a fence, or reasoning. */
export class BufferedText {
  readonly #source: ModelText
  /** True when a text holds calls and nothing else: complete ones, except the last of a text that was cut. */
  readonly #isCalls: (text: string, isCut: boolean) => boolean
  #hold: BufferedFence | BufferedReasoning | undefined
  /** The closing texts that a buffer waited for until the end of the reply, without finding them. */
  readonly #missing = new Set<string>()
  /** False in a reader that only finds out if a rest holds calls: reasoning that is left open in it is reasoning. */
  readonly #judgesThoughts: boolean
  /** True if unclosed reasoning of a reply that was cut holds calls. All later reasoning is part of the text that was read for it. */
  #thoughtHoldsCalls: boolean | undefined

  constructor(source: ModelText, isCalls: (text: string, isCut: boolean) => boolean, judgesThoughts: boolean) {
    this.#source = source
    this.#isCalls = isCalls
    this.#judgesThoughts = judgesThoughts
  }

  /** True while text is kept. */
  get isOpen(): boolean {
    return this.#hold !== undefined
  }

  /** Keeps all text from here on; returns what is known at once. */
  begin(hold: BufferedFence | BufferedReasoning): Released | undefined {
    this.#hold = hold
    // A reply may be full of fences that are never closed: it is searched to its end for one of them only.
    if (this.#source.isFinal && this.#missing.has(hold.awaits)) return this.#end(hold)
    return this.#keep(hold, this.#source.withdraw())
  }

  /** Keeps a piece while a buffer is open; otherwise passes it to the source. */
  push(piece: string): Released | undefined {
    if (this.#hold) return this.#keep(this.#hold, piece)
    this.#source.add(piece)
    return undefined
  }

  /** The reply ends while text is kept. */
  end(): Released | undefined {
    return this.#hold && this.#end(this.#hold)
  }

  #keep(hold: BufferedFence | BufferedReasoning, piece: string): Released | undefined {
    const length = hold.push(piece)
    return length === undefined ? undefined : this.#releaseUntil(hold, length)
  }

  /** Releases the text, of which the first `length` characters contain no call. */
  #releaseUntil(hold: BufferedFence | BufferedReasoning, length: number): Released {
    const { offset } = this.#source
    this.#release(hold)
    return { hold, noCallsUntil: offset + length }
  }

  #end(hold: BufferedFence | BufferedReasoning): Released {
    const source = this.#source
    const closed = hold instanceof BufferedReasoning ? hold.end() : undefined
    if (closed !== undefined) return this.#releaseUntil(hold, closed)
    const isExample = hold instanceof BufferedReasoning ? this.#endsInThought(hold) : this.#endsInExample(hold)
    if (hold instanceof BufferedReasoning || !hold.isClosed) this.#missing.add(hold.awaits)
    this.#release(hold)
    return { hold, noCallsUntil: isExample ? source.offsetOf(source.text.length) : undefined }
  }

  /** True if a fence that the reply ends in, or that nothing follows, shows an example. */
  #endsInExample(hold: BufferedFence): boolean {
    // A reply that was cut in a fence was cut in an example.
    if (hold.openerLength === 0) return hold.isClosed || this.#source.isCut
    return !hold.isClosed || !this.#isCalls(hold.content, false)
  }

  /** True if unclosed reasoning only mentions a call: a reply that was cut off might still have closed it. */
  #endsInThought(hold: BufferedReasoning): boolean {
    if (!this.#source.isCut) return false
    if (!this.#judgesThoughts) return true
    // Read once: a reply may open its reasoning again and again.
    this.#thoughtHoldsCalls ??= this.#isCalls(hold.take(), true)
    return !this.#thoughtHoldsCalls
  }

  #release(hold: BufferedFence | BufferedReasoning): void {
    this.#hold = undefined
    this.#source.add(hold.take())
  }
}
