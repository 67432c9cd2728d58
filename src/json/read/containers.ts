import type { JsonSink, Repair } from '../sink.ts'
import { HeldEvents } from './held-events.ts'

/** An array, an object, or a tuple that is being read. */
export interface Container {
  closer: string
  isArray: boolean
  afterComma: boolean
  isEmpty: boolean
  /** True until something, even white space, follows the opening bracket. */
  isFresh: boolean
  /** True while one of two closing braces is still to come. */
  isDoubled: boolean
  /** True if a bracket of the wrong kind came inside: it may have been meant to close this container. */
  isOdd: boolean
  /** True when the last value was an object or an array. */
  endsInContainer: boolean
  /** The content of a parenthesis until it is known if it is a tuple, and the sink that then receives it. */
  held: { events: HeldEvents; sink: JsonSink } | undefined
}

const maxDepth = 200

/** The open containers, from the outermost to the innermost. Opening and closing them is reported to the sink. */
export class Containers {
  /** The sink that receives values. While a parenthesis is held, it is not the caller's. */
  sink: JsonSink
  readonly #stack: Container[] = []
  readonly #repaired: (repair: Repair, place: number) => void

  constructor(sink: JsonSink, repaired: (repair: Repair, place: number) => void) {
    this.sink = sink
    this.#repaired = repaired
  }

  get depth(): number {
    return this.#stack.length
  }

  get top(): Container | undefined {
    return this.#stack.at(-1)
  }

  /** True if these brackets close all open containers, from the inside out. */
  isClosedBy(brackets: string): boolean {
    const last = this.#stack.length - 1
    return brackets.length === last + 1 && this.#stack.every(({ closer }, index) => brackets[last - index] === closer)
  }

  /** True if the innermost container is itself a member of an object. */
  get isInObject(): boolean {
    return this.#stack.at(-2)?.isArray === false
  }

  /** Opens a container with the bracket `char`; false when too many are open. */
  open(char: string, closer: string): boolean {
    if (this.#stack.length >= maxDepth) return false
    const isArray = char !== '{'
    const held = char === '(' ? { events: new HeldEvents(), sink: this.sink } : undefined
    this.#stack.push({
      closer,
      isArray,
      afterComma: false,
      isEmpty: true,
      isFresh: true,
      isDoubled: false,
      isOdd: false,
      endsInContainer: false,
      held,
    })
    if (held) this.sink = held.events
    else if (isArray) this.sink.openArray()
    else this.sink.openObject()
    return true
  }

  /**
   * Takes a closing bracket. `closed`: it ended a container, together with open containers inside; `doubled`: it is the
   * first of two brackets that end one container; `surplus`: no open container matches it.
   */
  closeBracket(char: string, place: number): 'closed' | 'doubled' | 'surplus' {
    const depth = this.#stack.findLastIndex((container) => container.closer === char)
    const top = this.top
    if (depth < 0 || !top) {
      this.#repaired('surplus-closer', place)
      // Too many, or of the wrong kind: as long as no member follows, both come to the same.
      if (top && this.#stack.length > 1) top.isOdd = true
      return 'surplus'
    }
    // A tuple of one has a comma at its end.
    if (top.afterComma && char !== ')') this.#repaired('trailing-comma', place)
    while (this.#stack.length > depth + 1) {
      this.#repaired('missing-closer', place)
      this.pop()
    }
    const container = this.#stack[depth]
    if (container?.isDoubled) {
      container.isDoubled = false
      return 'doubled'
    }
    this.pop()
    return 'closed'
  }

  /** Closes all that is open. */
  closeAll(place: number): void {
    while (this.#stack.length > 0) {
      this.#repaired('missing-closer', place)
      this.pop()
    }
  }

  /** Handles a comma after a value. A comma makes a parenthesis a tuple, which becomes an array. */
  gotComma(container: Container): void {
    container.afterComma = true
    if (container.held) this.#emitTuple(container)
  }

  pop(): void {
    const container = this.top
    if (!container) return
    if (container.isEmpty) this.#emitTuple(container)
    this.#stack.pop()
    if (container.held) {
      // A parenthesis around one value is that value.
      this.sink = container.held.sink
      container.held.events.replay(this.sink)
    } else if (container.isArray) {
      this.sink.closeArray()
    } else {
      this.sink.closeObject()
    }
    this.gotValue(true)
  }

  /** Records in the surrounding container that a value is complete. */
  gotValue(isContainer: boolean): void {
    const container = this.top
    if (!container) return
    container.afterComma = false
    container.isEmpty = false
    container.endsInContainer = isContainer
  }

  #emitTuple(container: Container): void {
    const { held } = container
    if (!held) return
    container.held = undefined
    this.sink = held.sink
    this.sink.openArray()
    held.events.replay(this.sink)
  }
}
