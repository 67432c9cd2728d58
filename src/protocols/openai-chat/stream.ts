import {
  type AnycallError,
  type FinishEvent,
  isRefusal,
  type ReplyEvent,
  type SaidReasoning,
} from '../../conversation/index.ts'
import { BegunCalls } from '../begun-calls.ts'
import { CustomInput } from '../openai/custom-input.ts'
import { encodeErrorBody } from '../openai/error.ts'
import type { ReplyContext, SynchronousEncoder } from '../protocol.ts'
import { sseEvent } from '../sse.ts'
import type { OpenAIChatOptions } from './decode.ts'
import { finishReasonOf, reasoningDetail } from './encode.ts'
import { encodeUsage } from './usage.ts'

type CallStart = Extract<ReplyEvent, { type: 'call-start' }>

const done = sseEvent('[DONE]')

/** Returns an encoder of one reply as `chat.completion.chunk` events. */
export function createEncoder(context: ReplyContext<OpenAIChatOptions>): SynchronousEncoder {
  return new ChunkEncoder(context)
}

/**
 * Writes one reply as chunks. A chunk is built from JSON text: everything except its delta is the same throughout a stream,
 * and a reply has thousands of chunks.
 */
class ChunkEncoder implements SynchronousEncoder {
  readonly #context: ReplyContext<OpenAIChatOptions>
  readonly #begun = new BegunCalls()
  /** The text of a chunk up to its choices. */
  readonly #head: string
  /** The text before and after the delta of a chunk that does not finish. */
  readonly #before: string
  readonly #after: string
  /** If usage is requested, each chunk has `usage: null`, except the last, which has the usage. */
  readonly #noUsage: string
  /** For each call, by the index in its events: its place among the calls and, for a custom tool, the decoder of its input. */
  readonly #calls = new Map<number, { place: number; input?: CustomInput }>()
  #characters = 0
  #ended = false
  #detailCount = 0

  constructor(context: ReplyContext<OpenAIChatOptions>) {
    this.#context = context
    const id = JSON.stringify(context.id)
    const model = JSON.stringify(context.model)
    this.#head = `data: {"id":${id},"object":"chat.completion.chunk","created":${context.created},"model":${model},"choices":`
    this.#noUsage = context.options.includeUsage ? ',"usage":null' : ''
    this.#before = `${this.#head}[{"index":0,"delta":`
    this.#after = `,"finish_reason":null}]${this.#noUsage}}\n\n`
  }

  /** The role is sent at once and alone: clients take it from the first delta, and proxies flush on first bytes. */
  start(): string {
    return this.#delta('{"role":"assistant","content":""}')
  }

  encode(events: readonly ReplyEvent[]): string {
    let out = ''
    for (const event of this.#begun.pass(events)) out += this.#encode(event)
    return out
  }

  /** A comment, which every reader of server-sent events skips; the API has no ping. */
  ping(): string {
    return ': ping\n\n'
  }

  fail(error: AnycallError): string {
    if (this.#ended) return ''
    this.#ended = true
    return sseEvent(JSON.stringify(encodeErrorBody(error))) + done
  }

  #encode(event: ReplyEvent): string {
    switch (event.type) {
      case 'text':
        this.#characters += event.text.length
        return this.#delta(`{"${isRefusal(event) ? 'refusal' : 'content'}":${JSON.stringify(event.text)}}`)
      case 'reasoning':
        this.#characters += event.text.length
        return this.#reasoning(event)
      case 'call-start':
        this.#characters += event.name.length
        return this.#begin(event)
      case 'call-arguments': {
        const call = this.#calls.get(event.index)
        if (call === undefined || event.json === '') return ''
        this.#characters += event.json.length
        if (!call.input) return this.#function(call.place, `{"arguments":${JSON.stringify(event.json)}}`)
        const text = call.input.push(event.json)
        return text === '' ? '' : this.#call(call.place, `"custom":{"input":${JSON.stringify(text)}}`)
      }
      case 'finish':
        return this.#finish(event)
      case 'call-end':
      case 'notice':
        return ''
    }
  }

  #reasoning({ text, sealed }: SaidReasoning): string {
    const words = text === '' ? '' : this.#delta(`{"reasoning_content":${JSON.stringify(text)}}`)
    if (sealed === undefined) return words
    const detail = JSON.stringify(reasoningDetail(sealed, this.#detailCount++))
    return `${words}${this.#delta(`{"reasoning_details":[${detail}]}`)}`
  }

  #finish(event: FinishEvent): string {
    if (this.#ended) return ''
    this.#ended = true
    const reason = JSON.stringify(finishReasonOf(event.reason, this.#context.options))
    const last = `${this.#before}{},"finish_reason":${reason}}]${this.#noUsage}}\n\n`
    if (!this.#context.options.includeUsage) return last + done
    const usage = encodeUsage(event.usage, this.#context, this.#characters)
    return `${last}${this.#head}[],"usage":${JSON.stringify(usage)}}\n\n${done}`
  }

  /** The name is in the first delta only: older clients join the names of all deltas. */
  #begin({ index, id, name }: CallStart): string {
    const place = this.#calls.size
    const head = `"id":${JSON.stringify(id)},"type":`
    if (this.#context.options.customTools.has(name)) {
      this.#calls.set(index, { place, input: new CustomInput() })
      return this.#call(place, `${head}"custom","custom":{"name":${JSON.stringify(name)},"input":""}`)
    }
    this.#calls.set(index, { place })
    return this.#function(place, `{"name":${JSON.stringify(name)},"arguments":""}`, `${head}"function",`)
  }

  /** Encodes a piece of a function call, after the head of the call. */
  #function(place: number, piece: string, head = ''): string {
    if (!this.#context.options.functionCall) return this.#call(place, `${head}"function":${piece}`)
    // `function_call` holds only the first call, and has no head.
    return place === 0 ? this.#delta(`{"function_call":${piece}}`) : ''
  }

  #call(place: number, members: string): string {
    return this.#delta(`{"tool_calls":[{"index":${place},${members}}]}`)
  }

  #delta(json: string): string {
    return this.#before + json + this.#after
  }
}
