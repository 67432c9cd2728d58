import type { ReplyEvent } from '../../conversation/index.ts'
import type { Io } from '../io/io.ts'
import { paint, type Screen, shown } from '../io/terminal.ts'
import { outcomeText, type ReadOutcome, type ReadStep, type ReplyView } from './reply-view.ts'

type Part = 'reasoning' | 'text' | 'call'

const reasoningMark = '│ '

/**
 * Prints the message for a person, as it arrives, on stdout: text as it is, reasoning after a bar, each call on its own line.
 * Notices and the report follow on stderr, so that they are neither in the middle of a line nor in a pipe.
 */
export class MessageView implements ReplyView {
  readonly #io: Pick<Io, 'stdout' | 'stderr'>
  readonly #screen: Screen
  #part: Part | undefined
  #atLineStart = true

  constructor(io: Pick<Io, 'stdout' | 'stderr'>, screen: Screen) {
    this.#io = io
    this.#screen = screen
  }

  show({ events }: ReadStep): void {
    const output = events.map((event) => this.#output(event)).join('')
    if (output !== '') this.#io.stdout(output)
  }

  end(outcome: ReadOutcome): void {
    const lineEnd = this.#begin(undefined)
    if (lineEnd !== '') this.#io.stdout(lineEnd)
    this.#io.stderr(outcomeText(outcome, this.#screen))
  }

  #output(event: ReplyEvent): string {
    switch (event.type) {
      case 'text':
        return this.#begin('text') + this.#text(event.text)
      case 'reasoning':
        return this.#begin('reasoning') + this.#reasoning(event.text)
      case 'call-start': {
        const name = paint(shown(event.name, this.#screen), 'bold cyan', this.#screen)
        const begun = this.#begin('call')
        this.#atLineStart = false
        return `${begun}${paint('call', 'bold', this.#screen)} ${name} `
      }
      case 'call-arguments':
        return shown(event.json, this.#screen)
      case 'call-end':
        return `${event.complete ? '' : ` ${paint('(incomplete)', 'red', this.#screen)}`}${this.#begin(undefined)}`
      case 'notice':
      case 'finish':
        return ''
    }
  }

  /** Returns the text needed before a part that begins on its own line. */
  #begin(part: Part | undefined): string {
    if (part === this.#part && part !== 'call') return ''
    const lineEnd = this.#atLineStart ? '' : '\n'
    this.#part = part
    this.#atLineStart = true
    return lineEnd
  }

  #text(text: string): string {
    this.#atLineStart = text.endsWith('\n')
    return shown(text, this.#screen)
  }

  #reasoning(text: string): string {
    const lines = text.split('\n')
    const marked = lines.map((line, index) => {
      const isMarked = index > 0 || this.#atLineStart
      // The text after the last line break gets its bar when it arrives.
      return isMarked && (line !== '' || index < lines.length - 1) ? `${reasoningMark}${line}` : line
    })
    this.#atLineStart = lines.at(-1) === '' && (lines.length > 1 || this.#atLineStart)
    return paint(shown(marked.join('\n'), this.#screen), 'dim', this.#screen)
  }
}
