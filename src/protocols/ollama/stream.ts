import type { AnycallError, FinishEvent, ReplyEvent } from '../../conversation/index.ts'
import type { SynchronousEncoder } from '../protocol.ts'
import { charactersOf, WholeCalls, type WholePart } from '../whole-calls.ts'
import { WholeCharacters } from '../whole-characters.ts'
import { encodeCall, encodeEnd, encodeSaid, head, type OllamaContext, type Said } from './encode.ts'
import { encodeErrorBody } from './error.ts'

/** Returns an encoder of one reply as JSON objects, each on its line. */
export function createEncoder(context: OllamaContext): SynchronousEncoder {
  return new LineEncoder(context)
}

/**
 * Writes one reply as lines. A line is built from JSON text: everything except the output is the same in all of them.
 */
class LineEncoder implements SynchronousEncoder {
  readonly #context: OllamaContext
  readonly #calls = new WholeCalls()
  readonly #whole = new WholeCharacters()
  readonly #head: string
  #last: WholePart['type'] | undefined
  #callCount = 0
  #characters = 0
  #firstMs: number | undefined
  #ended = false

  constructor(context: OllamaContext) {
    this.#context = context
    this.#head = JSON.stringify(head(context)).slice(0, -1)
  }

  start(): string {
    return ''
  }

  encode(events: readonly ReplyEvent[]): string {
    this.#firstMs ??= this.#context.options.elapsed()
    let out = ''
    for (const part of this.#calls.pass(events)) out += this.#write(part)
    return out
  }

  /** A line without text: the API has no ping, and some readers take no blank lines. */
  ping(): string {
    return this.#ended ? '' : this.#line({ content: '' })
  }

  fail(error: AnycallError): string {
    if (this.#ended) return ''
    this.#ended = true
    return `${JSON.stringify(encodeErrorBody(error))}\n`
  }

  #write(part: WholePart | FinishEvent): string {
    if (this.#ended) return ''
    if (part.type === 'finish') return this.#half() + this.#finish(part)
    this.#characters += charactersOf(part)
    const half = this.#last === part.type ? '' : this.#half()
    this.#last = part.type
    if (part.type === 'call')
      return half + this.#line({ content: '', tool_calls: [encodeCall(part, this.#callCount++)] })
    const text = this.#whole.push(part.text)
    return half + (text === '' ? '' : this.#text(part.type, text))
  }

  /** Writes the half of a character that its text ended with. */
  #half(): string {
    const text = this.#whole.rest()
    return text === '' ? '' : this.#text(this.#last === 'reasoning' ? 'reasoning' : 'text', text)
  }

  #text(type: 'text' | 'reasoning', text: string): string {
    return this.#line(type === 'text' ? { content: text } : { content: '', thinking: text })
  }

  #line(said: Said): string {
    const members = JSON.stringify(encodeSaid(said, this.#context.options.endpoint)).slice(1, -1)
    return `${this.#head},${members},"done":false}\n`
  }

  #finish(finish: FinishEvent): string {
    this.#ended = true
    const { endpoint } = this.#context.options
    const end = encodeEnd(finish, this.#context, this.#characters, this.#firstMs)
    return `${JSON.stringify({ ...head(this.#context), ...encodeSaid({ content: '' }, endpoint), ...end })}\n`
  }
}
