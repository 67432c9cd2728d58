import {
  type AnycallError,
  type Notice,
  newId,
  ReplyCollector,
  type ReplyEvent,
  toAnycallError,
} from '../../conversation/index.ts'
import { isLarge, jsonPieces, jsonText, pause } from '../../json/index.ts'
import type { DecodedRequest, EncodedReply, Protocol, ReplyContext, StreamEncoder } from '../../protocols/index.ts'
import { sseHeaders, withoutLineBreaks } from '../../protocols/index.ts'
import type { BatchStep } from '../reply/reply-streams.ts'
import type { ServedReply } from '../serve/serve.ts'
import type { EventStreamBody, GatewayResponse } from './http.ts'
import { Abandonment, ReplyChunks } from './reply-chunks.ts'
import type { RequestLog } from './request-log.ts'

/** Milliseconds of silence before a ping is sent; clients and proxies give up after about a minute. */
const pingMs = 10_000

/** A reply that is being made, and how to send it. */
export interface PendingReply<Options> {
  protocol: Protocol<Options>
  request: DecodedRequest<Options>
  /** Resolves when the reply has begun; rejects with the error that prevented it. */
  reply: Promise<ServedReply>
  /**
   * Changes each batch of the reply before it is encoded; may leave all of it out. A function, as a stream around the stream would cost
   * each piece a turn of the microtask queue.
   */
  pass: BatchStep
  /** True if the reply shows reasoning that its request did not ask for. */
  showsReasoning: boolean
  /** Estimates the tokens of the prompt, if the upstream reports none. */
  estimateInputTokens(): number
  /** Milliseconds to wait for the reply to begin before the stream's headers go out without it. */
  startMs: number
  /** Aborts when the client is gone or its time is over. */
  signal: AbortSignal
  requestLog: RequestLog
}

/** Answers with the reply, streamed or whole as the client asked. Rejects as long as an error status can still be sent. */
export function answer<Options>(pending: PendingReply<Options>): Promise<GatewayResponse> {
  const { protocol, request, requestLog } = pending
  const context: ReplyContext<Options> = {
    id: newId(protocol.ids.reply),
    model: request.conversation.model,
    requestId: requestLog.requestId,
    created: Math.floor(Date.now() / 1000),
    estimateInputTokens: pending.estimateInputTokens,
    options: request.options,
    showsReasoning: pending.showsReasoning,
  }
  return request.stream ? streamed(pending, context) : whole(pending, context)
}

async function whole<Options>(
  pending: PendingReply<Options>,
  context: ReplyContext<Options>,
): Promise<GatewayResponse> {
  const { requestLog, signal } = pending
  const collector = new ReplyCollector()
  const reply = await pending.reply
  const take = (batch: ReplyEvent[]): void => {
    reply.saw?.(batch)
    const events = pending.pass(batch)
    requestLog.saw(events)
    collector.push(events)
  }
  if (Array.isArray(reply.stream)) for (const batch of reply.stream) take(batch)
  else for await (const batch of reply.stream) take(batch)
  reply.ended()
  const encoded = await pending.protocol.encodeReply(collector.reply, context)
  const notices = [...pending.request.notices, ...collector.notices]
  return {
    status: 200,
    headers: { 'content-type': 'application/json', ...noticeHeader(notices) },
    body: isLarge(encoded, mostAtOnce) ? inPieces(encoded, signal, requestLog) : jsonText(encoded),
  }
}

/** The number of characters up to which a reply is written at once: a few milliseconds of work. */
const mostAtOnce = 512 * 1024

/** A large reply as JSON, written piece by piece while it is sent, so that others are served between the pieces. */
function inPieces(encoded: EncodedReply, signal: AbortSignal, requestLog: RequestLog): EventStreamBody {
  const abandonment = new Abandonment(() => requestLog.abandon())
  async function* written(): AsyncGenerator<string, void, undefined> {
    try {
      for (const piece of jsonPieces(encoded)) {
        requestLog.sent(piece)
        yield piece
        await pause()
      }
    } finally {
      requestLog.end(200)
      abandonment.over()
    }
  }
  // There is no form of a ping within a JSON string; a text that is sent is complete.
  return { chunks: new ReplyChunks(written(), abandonment), ping: () => '', pingMs, signal }
}

async function streamed<Options>(
  pending: PendingReply<Options>,
  context: ReplyContext<Options>,
): Promise<GatewayResponse> {
  const { requestLog, signal } = pending
  const encoder = pending.protocol.createEncoder(context)
  let opening = withoutLineBreaks(encoder.start())
  /** Puts the stream's opening before the first text that is sent: events, an error or a ping. */
  const opened = (text: string): string => {
    const whole = opening + text
    if (opening !== '') requestLog.sent(opening)
    opening = ''
    return whole
  }
  const sending = (encoded: string): string => {
    const text = withoutLineBreaks(encoded)
    const whole = opened(text)
    requestLog.sent(text)
    return whole
  }
  // An upstream that fails at once gets its own status; one that is slow must not leave the client without a byte.
  await settledWithin(pending.reply, pending.startMs)
  // The request ends then, even if the client reads so slowly that the stream has stopped.
  signal.addEventListener('abort', () => requestLog.end(200, toAnycallError(signal.reason)), { once: true })
  const abandonment = new Abandonment(() => requestLog.abandon())
  return {
    status: 200,
    // A spread would give them a hidden class of their own as soon as another header is added.
    headers: Object.assign({}, pending.protocol.streamHeaders ?? sseHeaders, noticeHeader(pending.request.notices)),
    body: {
      chunks: new ReplyChunks(encode(pending, encoder, sending, abandonment), abandonment),
      ping: () => opened(encoder.ping()),
      pingMs,
      signal,
    },
  }
}

async function* encode<Options>(
  pending: PendingReply<Options>,
  encoder: StreamEncoder,
  sending: (text: string) => string,
  abandonment: Abandonment,
): AsyncGenerator<string, void, undefined> {
  const { requestLog } = pending
  let failure: AnycallError | undefined
  let reply: ServedReply | undefined
  try {
    // The reply has not begun: the client gets its first bytes now.
    if (!requestLog.hasBegun) yield sending('')
    reply = await pending.reply
    for await (const batch of reply.stream) {
      reply.saw?.(batch)
      const events = pending.pass(batch)
      if (events.length === 0) continue
      requestLog.saw(events)
      const encoded = encoder.encode(events)
      // Most are made at once: to wait for each would cost a turn of the event loop per piece.
      const text = sending(typeof encoded === 'string' ? encoded : await encoded)
      if (text !== '') yield text
    }
    reply.ended()
  } catch (error) {
    failure = requestLog.shown(toAnycallError(error))
    reply?.ended(failure)
    yield sending(encoder.fail(failure))
  } finally {
    requestLog.end(200, failure)
    abandonment.over()
  }
}

/** Waits until the promise is settled, or the time has passed; throws its error if it rejects meanwhile. */
async function settledWithin(promise: Promise<unknown>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  try {
    await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}

/** Lists the codes of all notices, for people who look why a reply is not as expected. */
function noticeHeader(notices: readonly Notice[]): Record<string, string> {
  const codes = [...new Set(notices.map(({ code }) => code))].slice(0, 20)
  return codes.length === 0 ? {} : { 'x-anycall-notices': codes.join(', ') }
}
