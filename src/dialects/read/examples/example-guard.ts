import { appendTail } from '../../../grammar/index.ts'
import { HtmlGuard } from './html-guard.ts'

/** A fence's line may have a language and a file name; text further on cannot change what it is. */
const maxLineHead = 256
/** The number of characters before the next text in its line that are kept. */
const lineEndLength = 32
/** A fence may be in a list, so any indent and a list mark may come before it. */
const fenceOpening = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(`{3,}(?!`)|~{3,}(?!~))([^\n]*)$/
const fenceClosing = /^\s*(`{3,}|~{3,})\s*$/
const quotation = /^ {0,3}(?:(?:[-*+]|\d{1,9}[.)])\s{1,3})?>/
const quotes: ReadonlySet<string> = new Set('"\'\u201c\u201e\u2018\u201a\u00ab\u00bb\u2039\u203a\u300c\u300e')
/** Quotation marks that occur in pairs, each with the one that closes it; an apostrophe is not one of them. */
const closingQuotes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\u201c', '\u201d'],
  ['\u201e', '\u201c'],
  ['\u00ab', '\u00bb'],
  // German turns them inwards.
  ['\u00bb', '\u00ab'],
  ['\u300c', '\u300d'],
  ['\u300e', '\u300f'],
])
const anyQuote = /["\u201c\u201d\u201e\u00ab\u00bb\u300c\u300d\u300e\u300f]/g
/** Marks that may also close a quotation that nothing has opened: before white space they do. */
const eitherQuotes: ReadonlySet<string> = new Set(['"', '\u00bb'])

/**
 * Follows text as it is written and determines whether the next text is in an example: inside a fenced block, in inline
 * code, in a block quotation, or directly after a quotation mark. Markup there is shown, not meant.
 */
export class ExampleGuard {
  /** The opening run of the fence that is open; empty outside. */
  #fence = ''
  /** The beginning of the line, as far as it determines the kind of the line. */
  #lineHead = ''
  /** The beginning of the last line before it that is not empty. */
  lastLine = ''
  #lineEnd = ''
  #lineLength = 0
  /** Length of the inline code's opening run that is not closed yet; 0 outside. */
  #codeRun = 0
  /** Length of the run of backticks that the text ends with. */
  #run = 0
  #last = ''
  /** True if the rest of the line belongs to a quotation. */
  #isQuoted = false
  /** The quotation mark that closes the quotation that is open on the line; empty outside. */
  #closingQuote = ''
  /** True when the quotation mark that came last opened a quotation. */
  #isOpening = false
  readonly #html: HtmlGuard = new HtmlGuard()

  /**
   * The run or tag that opened the open fence or block of HTML, with the line so far counted as complete; empty
   * outside.
   */
  get openFence(): string {
    return this.#openFence || this.#html.openBlock
  }

  get #openFence(): string {
    if (this.#fence !== '') return this.#closesFence() ? '' : this.#fence
    const [, run = '', info = ''] = fenceOpening.exec(this.#lineHead) ?? []
    // A fence of backticks has no backtick in its info string: such a line is inline code.
    return run.startsWith('`') && info.includes('`') ? '' : run
  }

  /** True when the line so far is empty or blank. */
  get isLineBlank(): boolean {
    return this.isLineWhole && this.#lineHead.trim() === ''
  }

  /** The line so far, or its beginning. */
  get line(): string {
    return this.#lineHead
  }

  /** True if `line` is all of the line so far. */
  get isLineWhole(): boolean {
    return this.#lineLength <= maxLineHead
  }

  /** The end of the line so far. */
  get lineEnd(): string {
    return this.#lineEnd.slice(-lineEndLength)
  }

  /** The character that the text so far ends with; empty at its beginning. */
  get last(): string {
    return this.#last
  }

  /** The open fence turned out not to be one: the reply ended in it. */
  leaveFence(): void {
    if (this.#openFence === '') this.#html.leave()
    this.#fence = ''
    if (this.#openFence !== '') this.#lineHead = ''
  }

  /** True directly after a quotation mark that did not close a quotation. */
  get #isAfterQuote(): boolean {
    return quotes.has(this.#last) && (this.#isOpening || !closingQuotes.has(this.#last))
  }

  /** The next text is markup directly after a quotation mark: the rest of the line is quoted too. */
  quote(): void {
    if (this.#isAfterQuote || this.#closingQuote !== '' || this.#html.isShown) this.#isQuoted = true
  }

  /** True if the text that follows is an example; `onNewLine`: a line break comes before it. */
  inExample(onNewLine: boolean): boolean {
    if (onNewLine) return this.openFence !== ''
    // A run as long as the one that opened the code closes it.
    const inCode = this.#run > 0 ? this.#codeRun !== this.#run : this.#codeRun > 0
    const isQuote = this.#isQuoted || this.#closingQuote !== '' || this.#isAfterQuote
    const isQuoted = isQuote || this.#html.isShown || quotation.test(this.#lineHead)
    return this.#fence !== '' || this.openFence !== '' || inCode || isQuoted
  }

  feed(text: string): void {
    if (text === '') return
    let from = 0
    for (;;) {
      const lineEnd = text.indexOf('\n', from)
      this.#feedLine(lineEnd < 0 ? text.slice(from) : text.slice(from, lineEnd))
      if (lineEnd < 0) break
      this.#endLine()
      from = lineEnd + 1
    }
    this.#last = text.at(-1) ?? ''
  }

  /** A part that is not text was here: the text before it no longer touches the text after it. */
  interrupt(): void {
    this.#closeRun('')
    // A replacement character, so that the text after it does not begin a line.
    this.#feedLine('\ufffc')
    this.#isQuoted = false
    this.#closingQuote = ''
    this.#isOpening = false
    this.#last = ''
  }

  #feedLine(piece: string): void {
    if (piece === '') return
    if (this.#lineHead.length < maxLineHead) this.#lineHead += piece.slice(0, maxLineHead - this.#lineHead.length)
    this.#lineLength += piece.length
    this.#lineEnd = appendTail(this.#lineEnd, piece, lineEndLength)
    this.#feedQuotes(piece)
    if (this.#fence === '') this.#html.feed(piece)
    if (this.#fence !== '' || (this.#run === 0 && !piece.includes('`'))) return
    for (const char of piece) {
      if (char === '`') this.#run++
      else this.#closeRun(char)
    }
  }

  /** Quotations are followed within one line: one that is left open there is an inch mark, or an oversight. */
  #feedQuotes(piece: string): void {
    if (this.#fence !== '') return
    // Such a mark before white space closes something, or means inches.
    if (this.#isOpening && eitherQuotes.has(this.#last) && /^\s/.test(piece)) this.#closingQuote = ''
    anyQuote.lastIndex = 0
    for (let found = anyQuote.exec(piece); found; found = anyQuote.exec(piece)) {
      const [mark] = found
      const closes = eitherQuotes.has(mark) && /\s/.test(piece[found.index + 1] ?? '')
      this.#isOpening = this.#closingQuote === '' && !closes
      if (this.#isOpening) this.#closingQuote = closingQuotes.get(mark) ?? ''
      else if (this.#closingQuote === mark) this.#closingQuote = ''
    }
  }

  /**
   * A run of backticks is over: it opens inline code, or closes the code that a run of the same length opened. One before white
   * space opens nothing: it was left about.
   */
  #closeRun(next: string): void {
    if (this.#run === 0) return
    if (this.#codeRun === 0) this.#codeRun = this.#run === 1 && /\s/.test(next) ? 0 : this.#run
    else if (this.#codeRun === this.#run) this.#codeRun = 0
    this.#run = 0
  }

  #closesFence(): boolean {
    const run = fenceClosing.exec(this.#lineHead)?.[1] ?? ''
    const isLongEnough = run.length >= this.#fence.length && run[0] === this.#fence[0]
    return isLongEnough && this.isLineWhole
  }

  #endLine(): void {
    this.#fence = this.#openFence
    this.#html.endLine()
    this.lastLine = this.#lineHead || this.lastLine
    this.#lineHead = ''
    this.#lineEnd = ''
    this.#lineLength = 0
    this.#isQuoted = false
    this.#closingQuote = ''
    // Inline code may run on over a line break, but models leave single backticks about: the line decides.
    this.#codeRun = 0
    this.#run = 0
  }
}
