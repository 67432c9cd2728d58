import type { Buffered } from './buffered-reasoning.ts'
import { htmlCloser } from './html-guard.ts'

/** Text further on in a line cannot make it the end of a fence. */
const longestLine = 256
/** The closing tag of a block of HTML is no longer than this, and may be anywhere in its line. */
const longestHtmlCloser = 32

/**
 * Text within a fence that is kept until it is known if the fence is closed: a closed block of code shows an example;
 * one that is open at the end of the reply may contain a call. Kept in pieces, because it may be long.
 */
export class BufferedFence implements Buffered {
  /** The run of characters that opened the fence. */
  readonly run: string
  readonly awaits: string
  /** The length of the fence's opening line if it is kept as well: the fence may then surround calls. */
  readonly openerLength: number
  readonly #pieces: string[] = []
  readonly #closer: RegExp
  readonly #isHtml: boolean
  /** The closer of a block of HTML came in the line. */
  #sawCloser = false
  #length = 0
  /** The line so far, without irrelevant parts. */
  #line = ''
  #lineLength = 0
  #lineStart = 0
  /** The offset of the line that closed the fence. */
  #closedAt: number | undefined

  constructor(run: string, openerLength: number) {
    this.run = run
    this.awaits = run
    this.openerLength = openerLength
    this.#isHtml = run.startsWith('<')
    this.#closer = this.#isHtml ? htmlCloser(run) : new RegExp(`^\\s*[${run[0] ?? '`'}]{${run.length},}\\s*$`)
  }

  /**
   * Keeps a piece. Returns the length of the example as soon as all of it is known to be one; the kept text may be
   * longer.
   */
  push(piece: string): number | undefined {
    const start = this.#length
    this.#pieces.push(piece)
    this.#length += piece.length
    let from = Math.max(0, this.openerLength - start)
    if (start <= this.openerLength) this.#lineStart = this.openerLength
    for (;;) {
      if (this.#closedAt !== undefined) return this.#after(piece, from, start)
      const end = piece.indexOf('\n', from)
      this.#feed(end < 0 ? piece.slice(from) : piece.slice(from, end))
      if (end < 0) return undefined
      if (this.#isCloser) {
        this.#closedAt = this.#lineStart
        if (this.openerLength === 0) return start + end
      }
      this.#line = ''
      this.#lineLength = 0
      this.#sawCloser = false
      this.#lineStart = start + end + 1
      from = end + 1
    }
  }

  /** True when the fence is closed, if the text ends here. */
  get isClosed(): boolean {
    return this.#closedAt !== undefined || this.#isCloser
  }

  /** The content of the fence, if its opening line is kept. */
  get content(): string {
    return this.take().slice(this.openerLength, this.#closedAt ?? (this.#isCloser ? this.#lineStart : undefined))
  }

  /** All that was kept. */
  take(): string {
    return this.#pieces.join('')
  }

  get #isCloser(): boolean {
    if (this.#isHtml) return this.#sawCloser
    return this.#lineLength <= longestLine && this.#closer.test(this.#line)
  }

  /**
   * The offset of the first character after the fence that is not white space: there must be none after a fence around
   * calls.
   */
  #after(piece: string, from: number, start: number): number | undefined {
    const place = piece.slice(from).search(/\S/)
    return place < 0 ? undefined : start + from + place
  }

  #feed(piece: string): void {
    if (this.#isHtml) {
      const line = this.#line + piece
      this.#sawCloser ||= this.#closer.test(line)
      this.#line = line.slice(-longestHtmlCloser)
      return
    }
    if (this.#line.length < longestLine) this.#line += piece.slice(0, longestLine - this.#line.length)
    this.#lineLength += piece.length
  }
}
