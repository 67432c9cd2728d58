import type { ModelText, Program, Scanner } from '../../grammar/index.ts'
import { ExampleGuard } from './examples/example-guard.ts'
import { maySay } from './examples/sentence.ts'
import { SyntaxWatch } from './examples/syntax-watch.ts'
import { gap, longestGap, trimmedEnd } from './gap.ts'
import { isBlankLine } from './reasoning-in-progress.ts'
import type { ReplyOutput } from './reply-output.ts'
import { Seam } from './seam.ts'

/** After what only white space came since; undefined in text. A trigger counts as a call, `marker` is any other in text. */
export type Gap = 'start' | 'reasoning' | 'call' | 'marker' | undefined

/** What a word goes on with, in scripts that part words. */
const wordChar = /(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])[\p{L}\p{N}_]/u

/** Something that was looked for was found at a place of the text in hand. */
export interface Match {
  at: number
  /** It begins a line, or comes behind a call or at the reply's head. */
  atLine: boolean
  /** It stands in an example. */
  isExample: boolean
}

/** The text of a reply while it is read, up to what is looked for in it. */
export class ReplyText {
  gap: Gap = 'start'
  /** Text up to here, in all of it, is an example: the fence around it is closed. */
  exampleEnd = 0
  readonly #source: ModelText
  readonly #out: ReplyOutput
  readonly #guard: ExampleGuard = new ExampleGuard()
  readonly #watch: SyntaxWatch = new SyntaxWatch()
  readonly #seam: Seam
  /** Up to here, in all of the text, lines and examples were followed. */
  #followed = 0
  #hasText = false
  #isFirstLine = true
  /** Only white space came since a marker around text. */
  #isBehindMarker = false
  /**
   * Behind a call that could not be read on comes the rest of it, and in it may stand what looks like a call: up to its
   * closing marker only what begins a line counts. `isLineBlank` says whether the line so far allows that.
   */
  #brokenCallTail: { isLineBlank: boolean; closers: Program['closers'] } | undefined

  constructor(source: ModelText, out: ReplyOutput) {
    this.#source = source
    this.#out = out
    this.#seam = new Seam(source)
  }

  /** True when there was text. */
  get hasText(): boolean {
    return this.#hasText
  }

  /** True while the text has no line break. */
  get isFirstLine(): boolean {
    return this.#isFirstLine
  }

  /** True in the rest of a call that could not be read on. */
  get isAfterBrokenCall(): boolean {
    return this.#brokenCallTail !== undefined
  }

  /** The run that opened the fence which is open; empty outside. */
  get openFence(): string {
    return this.#guard.openFence
  }

  /** The text has words of calls outside of examples. */
  get sawSyntax(): boolean {
    return this.#watch.saw(this.#guard.openFence !== '')
  }

  /** Where the first markup of a call stands outside of examples, in all of the text; undefined without any. */
  get markupAt(): number | undefined {
    return this.#watch.markupAt(this.#guard.openFence !== '')
  }

  /** The character that the text so far ends with. */
  get last(): string {
    return this.#guard.last
  }

  /** What a sentence calls is no part of a word, and the sentence does not say the opposite. */
  get maySayCall(): boolean {
    return !wordChar.test(this.#guard.last) && maySay(this.#guard.line)
  }

  /** What comes next is a member or an item of JSON that is text. */
  get isInJson(): boolean {
    return this.#isInLine && /["']\s*:\s*(?:\[\s*)?$|[}\]]\s*,\s*$/.test(this.#guard.lineEnd)
  }

  /** Reads up to what the scanner looks for. */
  read(scanner: Scanner): Match | 'more' {
    const source = this.#source
    const found = scanner.find(source.text, source.place, source.isFinal, this.#beginsLine)
    const limit = found?.index ?? source.text.length
    const isFound = found?.type === 'found'
    if (this.gap && !this.#readGap(limit, isFound)) return 'more'
    if (!this.gap) this.#give(source.isFinal && !found ? limit : trimmedEnd(source, limit))
    if (!isFound) return 'more'
    return this.#match(found.index)
  }

  /** What stands up to `end` is text. */
  passOver(end: number): true {
    if (this.gap) this.#leaveGap(Math.min(this.#source.length(gap), end - this.#source.place))
    this.#give(end)
    return true
  }

  /** The line break in front of a marker is the marker's, and ends the line all the same. */
  endLineBefore(at: number): void {
    if (this.#brokenCallTail || !this.#unfollowed(at).includes('\n')) return
    this.#watch.endLine(this.#guard.openFence !== '')
    this.#guard.feed('\n')
  }

  /** Takes a marker from `at` to `end`. What stands after it begins a line: after a turn's end and a header a reply begins. */
  takeMarker(at: number, end: number): true {
    this.endLineBefore(end)
    if (this.opensSeam) this.openSeam(this.#source.take(at, 'seam'))
    this.#source.take(end, 'marker')
    this.#out.flush()
    this.#isBehindMarker = true
    this.gap ??= 'marker'
    return true
  }

  /** True when the white space before a marker may be the text's. */
  get opensSeam(): boolean {
    return this.#hasText && !this.#seam.isOpen
  }

  /** `before` is the white space between the text and a marker, taken as a seam. */
  openSeam(before: string): void {
    this.#seam.open(before)
  }

  /** A block of calls turned out to be text, and was given out. */
  tookBlockForText(): void {
    this.#seam.drop()
    this.#hasText = true
  }

  /** The reply is over. */
  end(): void {
    this.#seam.drop()
  }

  /** True when what comes next was known to be an example, and was passed over. */
  passOverExample(): boolean {
    const { offset, place } = this.#source
    return offset < this.exampleEnd && this.passOver(place + this.exampleEnd - offset)
  }

  /** In the rest of a call that could not be read on: true when what was met is a part of it, and was passed over. */
  skipBrokenCall({ at, atLine }: Match): boolean {
    const end = this.#brokenCallEnd(at)
    if (end !== undefined) {
      this.passOver(end)
      this.endBrokenCall()
      return true
    }
    return this.isAfterBrokenCall && !atLine && this.passOver(at + 1)
  }

  /** The place behind what closes the call that could not be read on, where that stands at `at`. */
  #brokenCallEnd(at: number): number | undefined {
    for (const closer of this.#brokenCallTail?.closers ?? []) {
      const match = this.#source.terminalAt(closer, at)
      if (match && match !== 'begun') return at + match[0].length
    }
    return undefined
  }

  beginBrokenCall(closers: Program['closers']): void {
    this.#brokenCallTail = { isLineBlank: false, closers }
  }

  endBrokenCall(): void {
    this.#brokenCallTail = undefined
  }

  /** A block of calls stood here. */
  interrupt(): void {
    this.#guard.interrupt()
    this.#watch.interrupt()
  }

  /** What follows was found to be markup in an example. */
  quote(): void {
    this.#guard.quote()
  }

  /** The fence that is open turned out to be none: the reply ended in it. */
  leaveFence(): void {
    this.#guard.leaveFence()
  }

  /** True when what comes next begins a line, or comes behind a call. */
  get #beginsLine(): boolean {
    return this.gap !== undefined || this.#isBehindMarker || (this.#brokenCallTail ?? this.#guard).isLineBlank
  }

  #match(at: number): Match {
    const onNewLine = this.#source.text.slice(this.#source.place, at).includes('\n')
    // What is met depends on the white space before it, whatever that becomes.
    if (this.#isInLine) this.#follow(at)
    return {
      at,
      atLine: onNewLine || this.#beginsLine,
      isExample: this.#isInLine && this.#guard.inExample(onNewLine),
    }
  }

  /** White space between markers is the format's, until text follows it. False when more is needed to tell. */
  #readGap(limit: number, beforeMarker: boolean): boolean {
    const source = this.#source
    const blank = source.length(gap)
    if (blank > longestGap || source.place + blank < limit) {
      this.#leaveGap(blank)
      return true
    }
    if (source.isFinal && !beforeMarker) source.take(limit, 'marker')
    return beforeMarker
  }

  /** True where what comes next goes on with a line of the text, if only after a marker. */
  get #isInLine(): boolean {
    return this.gap === undefined || this.gap === 'marker'
  }

  /** Text follows so many blanks. */
  #leaveGap(blank: number): void {
    const isHead = this.gap === 'start' && !this.#isBehindMarker
    const end = this.#source.place + blank
    this.gap = undefined
    if (blank > longestGap) {
      this.#seam.drop()
    } else if (this.#seam.isOpen) {
      this.#follow(end)
      this.#out.text(this.#seam.close(end))
    } else if (!this.#hasText && !isHead) {
      // The text after a marker that no text came before begins with its first word, if on a line of its own.
      this.#follow(end)
      this.#source.take(end, 'marker')
    }
  }

  /** Gives out what stands up to `end`. */
  #give(end: number): void {
    this.#follow(end)
    const text = this.#source.take(end, 'text')
    if (text === '') return
    this.#hasText = true
    if (text.trim() !== '') this.#isBehindMarker = false
    this.#out.text(text)
  }

  /** What of the text in hand up to `end` was not followed yet. */
  #unfollowed(end: number): string {
    const { text, place } = this.#source
    return text.slice(place + Math.max(0, this.#followed - this.#source.offset), end)
  }

  /** Follows what stands up to `end`, as text. */
  #follow(end: number): void {
    const text = this.#unfollowed(end)
    if (text === '') return
    this.#followed = this.#source.offsetOf(end)
    const start = this.#followed - text.length
    if (this.#brokenCallTail) this.#brokenCallTail.isLineBlank = isBlankLine(text, this.#brokenCallTail.isLineBlank)
    let from = 0
    for (;;) {
      const end = text.indexOf('\n', from)
      const line = end < 0 ? text.slice(from) : text.slice(from, end)
      if (!this.#brokenCallTail) this.#guard.feed(line)
      this.#watch.feed(line, start + from)
      if (end < 0) return
      this.#isFirstLine = false
      this.#watch.endLine(this.#guard.openFence !== '')
      if (!this.#brokenCallTail) this.#guard.feed('\n')
      from = end + 1
    }
  }
}
