import { mayBeAt } from '../../json/index.ts'
import { LazyRegExp } from '../regex/lazy-reg-exp.ts'
import type { Terminal } from './terminal.ts'

/**
 * The role of a span of the model's text. `argument`: becomes part of a call's arguments; `repaired`: was repaired;
 * `rejected`: a refused call, which is text.
 */
export type SpanRole = 'text' | 'reasoning' | 'marker' | 'name' | 'argument' | 'repaired' | 'rejected'

export type Trace = (role: SpanRole, start: number, end: number) => void

/**
 * `seam`: white space between text and a marker, which belongs to the text or the marker, depending on the text after
 * the marker.
 */
type Taken = SpanRole | 'seam'

/**
 * The model's text between arrival and reading: the part that was pushed and not yet taken. Everything that is taken is
 * given a role, so that no character is lost or read twice.
 */
export class ModelText {
  /** The text in hand; the part before `place` was taken. */
  text = ''
  place = 0
  /** True when nothing follows. */
  isFinal = false
  /** True when the text was cut by a limit, not ended by the model. */
  isCut = false
  readonly #trace: ((role: SpanRole, start: number, end: number) => void) | undefined
  /** The offset of `text` in the whole text. */
  #base = 0
  /** Spans without a decided role. Undefined while spans are emitted at once. */
  #undecided: [Taken, number, number][] | undefined
  /** An open seam and the spans after it: they are emitted in order. */
  #seam: { start: number; end: number; after: [SpanRole, number, number][] } | undefined
  /** The role of all consumed text for now, if set. */
  #role: SpanRole | undefined
  /** Spans with separate roles, in order, until they are emitted. */
  #marks: [SpanRole, number, number][] = []
  /** Half of a surrogate pair at the end of the last piece. */
  #half = ''

  constructor(trace?: (role: SpanRole, start: number, end: number) => void) {
    this.#trace = trace
  }

  /** True when all text in hand was taken. */
  get isAtEnd(): boolean {
    return this.place === this.text.length
  }

  /** The offset of `place` in the whole text of the model. */
  get offset(): number {
    return this.#base + this.place
  }

  /** Returns the offset, in the whole text of the model, of a place in `text`. */
  offsetOf(place: number): number {
    return this.#base + place
  }

  /** The text that was taken since that place in all of the text; it must still be in hand. */
  since(offset: number): string {
    return this.text.slice(offset - this.#base, this.place)
  }

  /** Adds a piece to the text in hand. */
  add(piece: string): void {
    const whole = this.#half + piece
    const last = whole.charCodeAt(whole.length - 1)
    // A pair is read whole, lest each half be escaped for itself.
    const cut = last >= 0xd800 && last <= 0xdbff && !this.isFinal
    this.#half = cut ? whole.slice(-1) : ''
    const added = cut ? whole.slice(0, -1) : whole
    this.text = this.place === this.text.length ? added : this.text.slice(this.place) + added
    this.#base += this.place
    this.place = 0
  }

  /** Removes the text that was not taken yet, to be added again when it is known how to read it. */
  withdraw(): string {
    const rest = this.text.slice(this.place) + this.#half
    this.text = this.text.slice(0, this.place)
    this.#half = ''
    return rest
  }

  /** Returns the text that was taken last, and has no decided role yet, to the text in hand. */
  putBack(taken: string): void {
    const { offset } = this
    const start = offset - taken.length
    this.text = taken + this.text.slice(this.place)
    this.#base = start
    this.place = 0
    this.#undecided = this.#undecided
      ?.filter(([, from]) => from < start)
      .map(([role, from, to]) => [role, from, Math.min(to, start)])
  }

  /** Marks the text as complete; `isCut` if a limit cut it. */
  finish(isCut: boolean): void {
    this.isFinal = true
    this.isCut = isCut
    this.add('')
  }

  /** Consumes the text up to `end`. A seam inside another seam is emitted as a marker. */
  take(end: number, role: Taken): string {
    const taken = this.text.slice(this.place, end)
    if (taken !== '' && this.#trace) {
      const start = this.#base + this.place
      if (this.#undecided) this.#undecided.push([role, start, start + taken.length])
      else this.#emit(this.#role ?? role, start, start + taken.length)
    }
    this.place = end
    return taken
  }

  /** Holds back the roles of all that is taken from here on, until `decide`. */
  doubt(): void {
    this.#undecided = []
  }

  /**
   * Decides the role of the text that was consumed since `doubt`. A given role applies from the place `from` of all the
   * text on, until `trust`; the text before it has the roles that it was taken with.
   */
  decide(role?: SpanRole, from = 0): void {
    const spans = this.#undecided ?? []
    this.#undecided = undefined
    this.#role = role
    // A span that is not a call has no name in it.
    if (role !== undefined) this.#marks = []
    for (const [taken, start, end] of spans) {
      const cut = Math.min(Math.max(from, start), end)
      if (start < cut) this.#emit(taken, start, cut)
      if (cut < end) this.#emit(role ?? taken, cut, end)
    }
  }

  /** Gives the text from `start` to `end` a separate role within the text that is consumed around it. */
  mark(role: SpanRole, start: number, end: number): void {
    if (this.#trace) this.#marks.push([role, start, end])
  }

  /** Gives the open seam its role. */
  closeSeam(role: SpanRole): void {
    const seam = this.#seam
    if (!seam) return
    this.#seam = undefined
    this.#give(role, seam.start, seam.end)
    for (const [taken, start, end] of seam.after) this.#give(taken, start, end)
  }

  /** Emits a span, cut at the marks in it. */
  #emit(role: Taken, start: number, end: number): void {
    let from = start
    while (this.#marks[0] && this.#marks[0][1] < end) {
      const [marked, markStart, markEnd] = this.#marks[0]
      if (markStart > from) this.#give(role, from, markStart)
      const until = Math.min(markEnd, end)
      if (until > Math.max(from, markStart)) this.#give(marked, Math.max(from, markStart), until)
      from = Math.max(from, until)
      if (markEnd > end) break
      this.#marks.shift()
    }
    if (from < end) this.#give(role, from, end)
  }

  #give(taken: Taken, start: number, end: number): void {
    if (taken === 'seam' && !this.#seam) {
      this.#seam = { start, end, after: [] }
      return
    }
    const role = taken === 'seam' ? 'marker' : taken
    if (!this.#seam) {
      this.#trace?.(role, start, end)
      return
    }
    const { after } = this.#seam
    const last = after.at(-1)
    // Long reasoning in many pieces is one span.
    if (last?.[0] === role && last[2] === start) last[2] = end
    else after.push([role, start, end])
  }

  /** Ends the role that `decide` set: from here on, spans have the roles they are taken with. */
  trust(): void {
    this.#role = undefined
  }

  /** Matches `pattern` at `at` if it is sticky, else anywhere from there on. */
  match(pattern: RegExp | LazyRegExp, at: number = this.place): RegExpExecArray | null {
    if (pattern instanceof LazyRegExp) return pattern.execAt(this.text, at)
    pattern.lastIndex = at
    return pattern.exec(this.text)
  }

  /** True if `match` finds one. Making the match would take as long again. */
  matches(pattern: RegExp | LazyRegExp, at: number = this.place): boolean {
    if (pattern instanceof LazyRegExp) return pattern.testAt(this.text, at)
    pattern.lastIndex = at
    return pattern.test(this.text)
  }

  /** Returns the length of the match of a sticky pattern; 0 without one. */
  length(pattern: RegExp, at: number = this.place): number {
    return this.matches(pattern, at) ? pattern.lastIndex - at : 0
  }

  /** Matches `terminal` at offset `at`. Returns the match, `'begun'` if more input could complete it, or undefined. */
  terminalAt(terminal: Terminal, at: number = this.place): RegExpExecArray | 'begun' | undefined {
    if (!mayBeAt(terminal, this.text, at)) return undefined
    const left = this.text.length - at
    // A part of the literal that it begins with needs no expression: markers come in pieces.
    const mayGoOn = !this.isFinal && left < terminal.longest
    if (mayGoOn && (left < terminal.prefix.length || this.matches(terminal.begun, at))) return 'begun'
    const whole = this.match(terminal.whole, at)
    // One that is longer would not have been waited for.
    return whole && whole[0].length <= terminal.longest ? whole : undefined
  }
}
