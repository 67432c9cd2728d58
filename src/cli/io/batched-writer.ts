/**
 * Joins the texts that are written in one turn of the event loop, and writes them at its end. Each write to a file or a pipe is a call of the
 * system, which takes as long as all else about a line of the log.
 *
 * @example
 * const stderr = new BatchedWriter((text) => process.stderr.write(text))
 * process.on('exit', stderr.flush)
 * stderr.write('a line\n')
 */
export class BatchedWriter {
  readonly #write: (text: string) => void
  #texts = ''

  constructor(write: (text: string) => void) {
    this.#write = write
  }

  readonly write = (text: string): void => {
    if (this.#texts === '') setImmediate(this.flush)
    this.#texts += text
  }

  /** Writes now all that waits. */
  readonly flush = (): void => {
    const texts = this.#texts
    this.#texts = ''
    if (texts !== '') this.#write(texts)
  }
}
