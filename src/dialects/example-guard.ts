/** A fence's line may carry a language and a file name; what stands further behind cannot change what it is. */
const maxLineHead = 256
/** A fence may stand in a list, so that any indent and a list's own mark may come before it. */
const fenceOpening = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(`{3,}|~{3,})(.*)$/
const fenceClosing = /^\s*(`{3,}|~{3,})\s*$/
const quotation = /^ {0,3}>/
const quotes: ReadonlySet<string> = new Set(['"', "'", '\u201c', '\u2018', '\u00ab', '\u300c'])

/**
 * Follows text as it is written and tells whether what comes next stands in an example: inside a fenced block, in
 * inline code, in a block quotation, or right behind a quotation mark. Markup there is shown, not meant.
 */
export class ExampleGuard {
  /** The opening run of the fence that is open; empty outside. */
  #fence = ''
  /** The line so far, as much of it as decides what the line is. */
  #lineHead = ''
  #lineLength = 0
  /** Length of the inline code's opening run that is not closed yet; 0 outside. */
  #codeRun = 0
  /** Length of the run of backticks that the text ends with. */
  #run = 0
  #last = ''

  /** The run that opened the fence which is open, the line so far counted as a whole one; empty outside. */
  get openFence(): string {
    if (this.#fence !== '') return this.#closesFence() ? '' : this.#fence
    const [, run = '', info = ''] = fenceOpening.exec(this.#lineHead) ?? []
    // A fence of backticks has none in its info string: that is inline code, on a line of its own.
    return run.startsWith('`') && info.includes('`') ? '' : run
  }

  /** True when what follows the text so far is an example; `onNewLine` says that a line break comes before it. */
  inExample(onNewLine: boolean): boolean {
    if (onNewLine) return this.openFence !== ''
    // A run as long as the one that opened the code closes it.
    const inCode = this.#run > 0 ? this.#codeRun !== this.#run : this.#codeRun > 0
    const isQuoted = quotation.test(this.#lineHead) || quotes.has(this.#last)
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

  /** Something that is not text stood here: what the text before it ended with no longer touches what follows. */
  interrupt(): void {
    this.#closeRun()
    // A character that stands for it, so that what follows on its line does not begin a line.
    this.#feedLine('\ufffc')
    this.#last = ''
  }

  #feedLine(piece: string): void {
    if (piece === '') return
    if (this.#lineHead.length < maxLineHead) this.#lineHead += piece.slice(0, maxLineHead - this.#lineHead.length)
    this.#lineLength += piece.length
    if (this.#fence !== '' || (this.#run === 0 && !piece.includes('`'))) return
    for (const char of piece) {
      if (char === '`') this.#run++
      else this.#closeRun()
    }
  }

  /** A run of backticks is over: it opens inline code, or closes the code that a run of the same length opened. */
  #closeRun(): void {
    if (this.#run === 0) return
    if (this.#codeRun === 0) this.#codeRun = this.#run
    else if (this.#codeRun === this.#run) this.#codeRun = 0
    this.#run = 0
  }

  #closesFence(): boolean {
    const run = fenceClosing.exec(this.#lineHead)?.[1] ?? ''
    const isLongEnough = run.length >= this.#fence.length && run[0] === this.#fence[0]
    return isLongEnough && this.#lineLength <= maxLineHead
  }

  #endLine(): void {
    this.#fence = this.openFence
    this.#lineHead = ''
    this.#lineLength = 0
    // Inline code may run on over a line break, but models leave single backticks about: the line decides.
    this.#codeRun = 0
    this.#run = 0
  }
}
