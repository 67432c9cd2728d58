import type { Io, SpanRole } from '../io/io.ts'
import { paint, type Screen, type Style, shown } from '../io/terminal.ts'
import { outcomeText, type ReadOutcome, type ReadStep, type ReplyView, type Span } from './reply-view.ts'

/** A role, or `unread` for text that a defective reader gave none. */
type Shown = SpanRole | 'unread'

const styles: Readonly<Record<Shown, Style>> = {
  text: 'plain',
  reasoning: 'dim',
  marker: 'magenta',
  name: 'bold cyan',
  argument: 'green',
  repaired: 'yellow',
  rejected: 'red',
  unread: 'bold',
}

const legendRoles: readonly SpanRole[] = ['text', 'reasoning', 'marker', 'name', 'argument', 'repaired', 'rejected']

/**
 * Prints the model's text with the role of every span: in colours, or else in marks, `⟦marker:<tool_call>⟧`; only plain text is
 * unmarked. A bracket of the text itself is written `⟦char:27E6⟧`, so that every `⟦` begins a mark and every `⟧` ends one. The
 * notices and the report follow.
 */
export class ExplainView implements ReplyView {
  readonly #io: Pick<Io, 'stdout'>
  readonly #screen: Screen
  /** The text whose role is not known yet, and its offset in the whole text. */
  #pending = ''
  #base = 0
  #role: Shown | undefined
  #lastChar = ''

  constructor(io: Pick<Io, 'stdout'>, screen: Screen) {
    this.#io = io
    this.#screen = screen
  }

  show({ piece, spans }: ReadStep): void {
    this.#pending += piece
    const output = spans.map((span) => this.#span(span)).join('')
    if (output !== '') this.#io.stdout(output)
  }

  end(outcome: ReadOutcome): void {
    const rest = this.#take(this.#base + this.#pending.length, 'unread') + this.#close()
    const lineEnd = this.#lastChar === '' || (this.#lastChar === '\n' && rest === '') ? '' : '\n'
    const legend = this.#screen.colour
      ? `${legendRoles.map((role) => paint(role, styles[role], this.#screen)).join(' ')}\n`
      : ''
    this.#io.stdout(`${rest}${lineEnd}\n${legend}${outcomeText(outcome, this.#screen)}`)
  }

  #span({ role, start, end }: Span): string {
    return this.#take(start, 'unread') + this.#take(end, role)
  }

  /** Returns the text up to `end`, shown in its role. */
  #take(end: number, role: Shown): string {
    const text = this.#pending.slice(0, Math.max(0, end - this.#base))
    if (text === '') return ''
    this.#pending = this.#pending.slice(text.length)
    this.#base += text.length
    this.#lastChar = text.slice(-1)
    if (this.#screen.colour) return paint(shown(text, this.#screen), styles[role], this.#screen)
    const marked = shown(text, this.#screen).replace(/[⟦⟧]/g, (char) => `⟦char:${char === '⟦' ? '27E6' : '27E7'}⟧`)
    return this.#open(role) + marked
  }

  #open(role: Shown): string {
    if (role === this.#role) return ''
    const closed = this.#close()
    this.#role = role
    return role === 'text' ? closed : `${closed}⟦${role}:`
  }

  #close(): string {
    const isOpen = this.#role !== undefined && this.#role !== 'text'
    this.#role = undefined
    return isOpen ? '⟧' : ''
  }
}
