import {
  AnycallError,
  type ErrorCode,
  type FinishEvent,
  type Notice,
  type ReplyEvent,
} from '../../conversation/index.ts'
import type { ExchangeEvent, Observer } from '../../records/index.ts'
import type { Log } from '../../upstreams/index.ts'
import type { TokenMeter } from './token-meter.ts'

/** The largest number of notices logged per reply: a model that repeats itself must not flood the log. */
const loggedNotices = 20
/** The number of characters that are logged of a text that quotes other texts. */
const loggedLength = 1000

/** Errors that are not the client's fault. The status does not show this: after the first byte it is 200. */
const faults: ReadonlySet<ErrorCode> = new Set(['internal', 'upstream', 'timeout', 'overloaded'])

/** Resources of a request that are held until its reply is made. */
export interface RequestHolds {
  /** Releases them. */
  release(): void
  /** Aborts the request: its client is gone. */
  leave(): void
}

/** Logs one request and its reply: one line at the end, and one for each notice. Passes the same to the observer of the exchange. */
export class RequestLog {
  readonly requestId: string
  /** Fields of the last line: protocol, model, upstream. Never a key, never text of users or models. */
  readonly fields: Record<string, unknown> = {}
  /** Counts the tokens, if the client's key has limits. */
  meter: TokenMeter | undefined
  /** True if success is logged at level `debug`. */
  isQuiet = false
  /** Masks the keys in a text that may quote a server. */
  mask: (text: string) => string = (text) => text
  readonly #log: Log
  readonly #started = performance.now()
  readonly #holds: RequestHolds
  #released = false
  #firstEvent: number | undefined
  #calls = 0
  #notices = 0
  #finish: FinishEvent | undefined
  #ended = false
  #observer: Observer | undefined
  #hasSent = false

  constructor(requestId: string, log: Log, holds: RequestHolds) {
    this.requestId = requestId
    this.#log = log
    this.#holds = holds
  }

  /** The observer of the exchange, once there is one. */
  get observer(): Observer | undefined {
    return this.#observer
  }

  /** From now on, passes all events to the observer as well. */
  observe(observer: Observer | undefined): void {
    this.#observer = observer
  }

  emit(event: ExchangeEvent): void {
    this.#observer?.onEvent(event)
  }

  /** True once the first events of the reply are there. */
  get hasBegun(): boolean {
    return this.#firstEvent !== undefined
  }

  /** The upstream has begun to answer. */
  begin(): void {
    this.#firstEvent ??= performance.now()
  }

  saw(events: readonly ReplyEvent[]): void {
    this.begin()
    this.#observer?.onEvent({ type: 'reply', events })
    this.meter?.saw(events)
    for (const event of events) {
      if (event.type === 'notice') this.#logNotice(event.notice)
      else if (event.type === 'call-start') this.#calls++
      else if (event.type === 'finish') this.#finish = event
    }
  }

  notice(notice: Notice): void {
    this.#observer?.onEvent({ type: 'notice', notice })
    this.#logNotice(notice)
  }

  /** A piece of the response's body is about to be sent. */
  sent(text: string): void {
    if (text === '' || (this.#hasSent && !this.#observer?.needsTexts)) return
    this.#hasSent = true
    this.#observer?.onEvent({ type: 'sent', text })
  }

  #logNotice(notice: Notice): void {
    if (++this.#notices > loggedNotices) return
    this.#log('info', 'notice', { requestId: this.requestId, ...notice, message: shortened(this.mask(notice.message)) })
  }

  /** The reply is made. */
  release(): void {
    if (this.#released) return
    this.#released = true
    this.#holds.release()
  }

  /** Called when the client reads no further. */
  abandon(): void {
    if (this.#ended) return
    this.#holds.leave()
    this.end(200, new AnycallError('cancelled', 'The client stopped reading the reply.'))
  }

  /** Returns an error without the keys that its message quotes: the same one if there are none. */
  shown(error: AnycallError): AnycallError {
    const message = this.mask(error.message)
    if (message === error.message) return error
    const { code, param, retryAfter, cause } = error
    return new AnycallError(code, message, {
      cause,
      ...(param !== undefined && { param }),
      ...(retryAfter !== undefined && { retryAfter }),
    })
  }

  /** Logs the end of the request; only the first call counts. */
  end(status: number, failure?: AnycallError): void {
    if (this.#ended) return
    const error = failure && this.shown(failure)
    this.#ended = true
    this.release()
    this.meter?.end(this.hasBegun)
    this.#observer?.onEvent({
      type: 'end',
      status,
      ...(error && { error: { code: error.code, message: error.message } }),
    })
    const level = this.#levelOf(error)
    const fields: Record<string, unknown> = { requestId: this.requestId, ...this.fields }
    fields.status = status
    fields.ms = Math.round(performance.now() - this.#started)
    if (this.#firstEvent !== undefined) fields.firstEventMs = Math.round(this.#firstEvent - this.#started)
    if (this.#finish) Object.assign(fields, { finish: this.#finish.reason }, this.#finish.usage)
    if (this.#calls > 0) fields.calls = this.#calls
    if (this.#notices > 0) fields.notices = this.#notices
    if (error) {
      const cause = error.code === 'internal' && { cause: this.mask(stackOf(error.cause)) }
      fields.error = { kind: error.code, message: shortened(error.message), ...cause }
    }
    this.#log(level, 'request', fields)
  }

  #levelOf(error: AnycallError | undefined): 'debug' | 'info' | 'warn' | 'error' {
    if (error === undefined || error.code === 'cancelled') return this.isQuiet ? 'debug' : 'info'
    return faults.has(error.code) ? 'error' : 'warn'
  }
}

/** Returns a log that masks the texts of its lines. Those of level `debug`, of which there are many, are masked where they are made. */
export function masking(log: Log, mask: RequestLog['mask']): Log {
  return (level, event, fields) => {
    const isPlain = fields === undefined || level === 'debug'
    log(level, event, isPlain ? fields : mapped(fields, mask))
  }
}

function mapped(fields: Record<string, unknown>, mask: RequestLog['mask']): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? mask(value) : value]),
  )
}

function shortened(text: string): string {
  return text.length > loggedLength ? `${text.slice(0, loggedLength)}…` : text
}

function stackOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
}
