import type { ModelText, Program, Scanner } from '../../../grammar/index.ts'
import { indentedCode, isCode } from '../examples/code-line.ts'
import { ExampleGuard } from '../examples/example-guard.ts'
import { maySay } from '../examples/sentence.ts'
import { SyntaxWatch } from '../examples/syntax-watch.ts'
import { gapPattern, longestGap, trimmedEnd } from './gap.ts'
import type { ReplyOutput } from './output.ts'
import { isBlankLine } from './reasoning-in-progress.ts'
import { Seam } from './seam.ts'

/**
 * The part after which only white space came; undefined in text. A trigger counts as a call, `marker` is any other part
 * in text.
 */
export type Gap = 'start' | 'reasoning' | 'call' | 'marker' | undefined

/** A character that continues a word, in scripts that separate words. */
const wordChar = /(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])[\p{L}\p{N}_]/u

/** Something that was looked for was found at a place of the text in hand. */
export interface Match {
  at: number
  /** It begins a line, or comes after a call or at the beginning of the reply. */
  atLine: boolean
  /** It is in an example. */
  isExample: boolean
}

/** The text of a reply while it is read, up to the next match of a scanner. */
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
  #isAfterMarker = false
  /**
   * Set after a call that could not be read to its end: the rest of the call follows, and may contain text that looks
   * like a call. Up to its closing marker only text at the beginning of a line counts. `isLineBlank`: the line so far
   * allows that.
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

  /** True while nothing but white space came. */
  get isAtHead(): boolean {
    return this.gap === 'start' && !this.#isAfterMarker
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

  /** The offset in the whole text of the first markup of a call outside of examples; undefined without any. */
  get markupAt(): number | undefined {
    return this.#watch.markupAt(this.#guard.openFence !== '')
  }

  /** The character that the text so far ends with. */
  get last(): string {
    return this.#guard.last
  }

  /** True if a sentence may announce a call here: no word is broken off, and the sentence does not say the opposite. */
  get maySayCall(): boolean {
    return !wordChar.test(this.#guard.last) && maySay(this.#guard.line)
  }

  /** True if the next text is a member or an item of JSON that is text. */
  get isInJson(): boolean {
    return this.#isInLine && /["']\s*:\s*(?:\[\s*)?$|[}\]]\s*,\s*$/.test(this.#guard.lineEnd)
  }

  /** True if a call that no marker announces would be part of code or a table. */
  isInCode({ at, atLine }: Match): boolean {
    const { text, place } = this.#source
    const { line, lineEnd, isLineWhole, lastLine } = this.#guard
    return atLine
      ? !this.gap && !this.#isAfterMarker && indentedCode.test(lastLine + text.slice(place, at))
      : isCode(line, lineEnd, isLineWhole)
  }

  /** Reads up to the next match of the scanner. */
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

  /** Emits the source up to `end` as text. */
  passOver(end: number): true {
    if (this.gap) this.#leaveGap(Math.min(this.#source.length(gapPattern), end - this.#source.place))
    this.#give(end)
    return true
  }

  /** Ends the line before a marker: the line break belongs to the marker, but still ends the line. */
  endLineBefore(at: number): void {
    if (this.#brokenCallTail || !this.#unfollowed(at).includes('\n')) return
    this.#watch.endLine(this.#guard.openFence !== '')
    this.#guard.feed('\n')
  }

  /**
   * Takes a marker from `at` to `end`. The text after it begins a line: after a turn's end and a header a reply begins.
   */
  takeMarker(at: number, end: number): true {
    this.endLineBefore(end)
    if (this.opensSeam) this.openSeam(this.#source.take(at, 'seam'))
    this.#source.take(end, 'marker')
    this.#out.flush()
    this.#isAfterMarker = true
    this.gap ??= 'marker'
    return true
  }

  /**
   * Emits the marker of a call that is text, from `at` to `end`. The text after it begins a line, as after any other marker: the same calls
   * must be read after a broken call in both deliveries.
   */
  giveMarker(at: number, end: number): true {
    const { gap } = this
    this.passOver(at)
    this.endLineBefore(end)
    this.#followed = this.#source.offsetOf(end)
    this.#give(end)
    this.#isAfterMarker = true
    this.gap = gap
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

  /** A block of calls turned out to be text, and was emitted. */
  tookBlockForText(): void {
    this.#seam.drop()
    this.#hasText = true
  }

  /** The reply is over. */
  end(): void {
    this.#seam.drop()
  }

  /** True if the next match was known to be an example, and was skipped. */
  passOverExample(): boolean {
    const { offset, place } = this.#source
    return offset < this.exampleEnd && this.passOver(place + this.exampleEnd - offset)
  }

  /** In the rest of a broken call: true if the match is part of that rest, and was skipped. */
  skipBrokenCall({ at, atLine }: Match): boolean {
    const end = this.#brokenCallEnd(at)
    if (end !== undefined) {
      this.passOver(end)
      this.endBrokenCall()
      return true
    }
    return this.isAfterBrokenCall && !atLine && this.passOver(at + 1)
  }

  /** The offset after the closer of the broken call, if the closer is at `at`. */
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

  /** Notes that a block of calls was read at this place. */
  interrupt(): void {
    this.#guard.interrupt()
    this.#watch.interrupt()
  }

  /** The next text is markup in an example. */
  quote(): void {
    this.#guard.quote()
  }

  /** The open fence turned out not to be one: the reply ended in it. */
  leaveFence(): void {
    this.#guard.leaveFence()
  }

  /** True if the next text begins a line, or comes after a call. */
  get #beginsLine(): boolean {
    return this.gap !== undefined || this.#isAfterMarker || (this.#brokenCallTail ?? this.#guard).isLineBlank
  }

  #match(at: number): Match {
    const onNewLine = this.#source.text.slice(this.#source.place, at).includes('\n')
    // The match depends on the white space before it, whichever part that becomes.
    if (this.#isInLine) this.#follow(at)
    return {
      at,
      atLine: onNewLine || this.#beginsLine,
      isExample: this.#isInLine && this.#guard.inExample(onNewLine),
    }
  }

  /** White space between markers belongs to the format, until text follows it. False if more text is needed. */
  #readGap(limit: number, beforeMarker: boolean): boolean {
    const source = this.#source
    const blank = source.length(gapPattern)
    if (blank > longestGap || source.place + blank < limit) {
      this.#leaveGap(blank)
      return true
    }
    if (source.isFinal && !beforeMarker) source.take(limit, 'marker')
    return beforeMarker
  }

  /** True if the next text continues a line of the text, if only after a marker. */
  get #isInLine(): boolean {
    return this.gap === undefined || this.gap === 'marker'
  }

  /** Handles text that follows this number of blanks. */
  #leaveGap(blank: number): void {
    const isHead = this.gap === 'start' && !this.#isAfterMarker
    const end = this.#source.place + blank
    this.gap = undefined
    if (blank > longestGap) {
      this.#seam.drop()
    } else if (this.#seam.isOpen) {
      this.#follow(end)
      this.#out.text(this.#seam.close(end))
    } else if (!this.#hasText && !isHead) {
      // Text after a marker begins with its first word if it is on its own line and no text came before.
      this.#follow(end)
      this.#source.take(end, 'marker')
    }
  }

  /** Emits the text up to `end`. */
  #give(end: number): void {
    this.#follow(end)
    const text = this.#source.take(end, 'text')
    if (text === '') return
    this.#hasText = true
    if (text.trim() !== '') this.#isAfterMarker = false
    this.#out.text(text)
  }

  /** The part of the text up to `end` that was not followed yet. */
  #unfollowed(end: number): string {
    const { text, place } = this.#source
    return text.slice(place + Math.max(0, this.#followed - this.#source.offset), end)
  }

  /** Follows the source up to `end`, as text. */
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
