import type { FinishReason, ReplyEvent } from '../../conversation/index.ts'
import { type FormatData, hermes, type Reader } from '../../dialects/index.ts'
import type { NativeCall } from './native-call.ts'

type CallStart = Extract<ReplyEvent, { type: 'call-start' }>

/**
 * Reads one native call of an upstream: writes it as text in a format, and reads that text. The result is a call if any event
 * of a call was emitted, otherwise the text that the upstream sent; never the text in the intermediate format.
 */
export class NativeCallReading {
  readonly call: NativeCall
  /** Reads only this call, so that all its notices are about this call. */
  readonly #reader: Reader
  #isNamed = false
  /** The start of the call, as long as nothing of its arguments was read. */
  #start: CallStart | undefined
  #isStarted = false
  #isCalled = false
  /** The written text that is no part of the call. */
  #unread = ''

  constructor(call: NativeCall, reader: Reader) {
    this.call = call
    this.#reader = reader
  }

  /** True if a call came out that a client can run. */
  get isCalled(): boolean {
    return this.#isCalled
  }

  get sawToolCallSyntax(): boolean {
    return this.#reader.report.sawToolCallSyntax
  }

  /** Takes a piece of the arguments. The name is complete once arguments come; until then it may continue. */
  write(json: string): ReplyEvent[] {
    return json === '' ? [] : [...this.#writeName(), ...this.#sent(this.#reader.push(json))]
  }

  /** Ends the call. Its reply continues. */
  close(): ReplyEvent[] {
    const events = this.call.hasArguments ? [] : this.write('{}')
    // Written after an open string, the closing marker would be taken for a proof that the model ended it there.
    const closed = this.call.isInString ? [] : this.#sent(this.#reader.push(closing))
    return [...events, ...closed, ...this.#end('stop')]
  }

  /** Ends a call that was cut with its reply, for `reason`. */
  cut(reason: FinishReason): ReplyEvent[] {
    return [...this.#writeName(), ...this.#end(reason)]
  }

  #writeName(): ReplyEvent[] {
    if (this.#isNamed) return []
    this.#isNamed = true
    return this.#sent(this.#reader.push(`${opening}${JSON.stringify(this.call.name)}${separator}`))
  }

  #end(reason: FinishReason): ReplyEvent[] {
    const ends = this.#reader.end(reason)
    this.#isCalled = ends.some((event) => event.type === 'finish' && event.reason === 'calls')
    const events = this.#sent(ends)
    const text = this.#isStarted ? this.#leftover : this.call.text
    if (text !== '') events.push({ type: 'text', text })
    return events
  }

  /** The text that the upstream sent after the arguments, or after the place where they break, without the closing that was written. */
  get #leftover(): string {
    const { length } = this.#unread
    for (let at = Math.max(0, length - closing.length); at < length; at++) {
      if (closing.endsWith(this.#unread.slice(at))) return this.#unread.slice(0, at).trim()
    }
    return this.#unread.trim()
  }

  /**
   * The events of the call; its text waits for the end of the call, when its kind is known. The call starts with its
   * first readable argument, because a call whose arguments are not an object is not a call.
   */
  #sent(events: readonly ReplyEvent[]): ReplyEvent[] {
    const sent: ReplyEvent[] = []
    for (const event of events) {
      if (event.type === 'text') this.#unread += event.text
      else if (event.type === 'notice') sent.push(event)
      else if (event.type === 'call-start') this.#start = event
      else if (event.type === 'call-arguments' || event.type === 'call-end') {
        const isNone = this.#start && event.type === 'call-end' && !event.complete && this.call.hasArguments
        if (this.#start && !isNone) {
          sent.push(this.#start)
          this.#isStarted = true
        }
        this.#start = undefined
        if (this.#isStarted) sent.push(event)
      }
    }
    return sent
  }
}

/** The format in which a sent call is written and read. */
export const sentCallFormat: FormatData = hermes

const opening = '<tool_call>\n{"name": '
const separator = ', "arguments": '
const closing = '}\n</tool_call>'
