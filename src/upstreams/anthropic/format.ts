import { type FinishReason, isJsonObject, type JsonObject, type Usage } from '../../conversation/index.ts'
import type { ObjectContent, WireFormat } from '../http/wire-format.ts'
import type { CallPiece, UpstreamEvent } from '../upstream.ts'

const finishReasons: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  tool_use: 'stop',
  pause_turn: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  stop_sequence: 'stop-sequence',
  refusal: 'content-filter',
}

/** A message of the Messages API, streamed or whole. */
export function messageFormat(): WireFormat {
  const reader = new MessageReader()
  return {
    noun: 'a message of the Messages API',
    server: 'an Anthropic-compatible server',
    framing: 'sse',
    isReply: (value) => value.type === 'message' || Array.isArray(value.content),
    read: (value, event) => reader.read(value, event),
  }
}

/** A `tool_use` block that was begun. */
interface OpenCall {
  index: number
  /** The arguments in the event that starts the call: usually empty; complete from servers that do not stream them. */
  input: JsonObject
  /** A piece of its arguments came. */
  begun: boolean
}

class MessageReader {
  readonly #usage: Usage = {}
  #uncached: number | undefined
  /** By the index of the block. */
  readonly #calls = new Map<unknown, OpenCall>()
  #callCount = 0
  /** The last call, while nothing shows if it is complete. */
  #last: OpenCall | undefined

  read(value: JsonObject, event?: string): ObjectContent {
    switch (value.type ?? event) {
      case 'message':
        return { events: this.#readWhole(value), isLast: true }
      case 'message_start':
        if (isJsonObject(value.message)) this.#count(value.message.usage)
        return { events: [] }
      case 'content_block_start':
        return { events: this.#startBlock(value.index, value.content_block) }
      case 'content_block_delta':
        return { events: this.#readDelta(value.index, value.delta) }
      case 'message_delta':
        this.#count(value.usage)
        return { events: isJsonObject(value.delta) ? this.#readEnd(value.delta) : [] }
      case 'message_stop':
        return { events: this.#settle(), isLast: true }
      default:
        // `ping`, `content_block_stop`, and events of later versions.
        return { events: [] }
    }
  }

  #readWhole(message: JsonObject): UpstreamEvent[] {
    const blocks: unknown[] = Array.isArray(message.content) ? message.content : []
    const events = blocks.flatMap((block, index) => this.#startBlock(index, block))
    this.#count(message.usage)
    return [...events, ...this.#readEnd(message)]
  }

  #startBlock(index: unknown, block: unknown): UpstreamEvent[] {
    const events = this.#settle()
    if (!isJsonObject(block)) return events
    switch (block.type) {
      case 'text':
        events.push(...piece('text', block.text))
        break
      case 'thinking':
        events.push(...piece('reasoning', block.thinking))
        break
      case 'tool_use': {
        const call: OpenCall = {
          index: this.#callCount++,
          input: isJsonObject(block.input) ? block.input : {},
          begun: false,
        }
        this.#calls.set(index, call)
        this.#last = call
        const start: CallPiece = { type: 'call', index: call.index }
        if (typeof block.id === 'string' && block.id !== '') start.id = block.id
        if (typeof block.name === 'string') start.name = block.name
        events.push(start)
      }
    }
    return events
  }

  #readDelta(index: unknown, delta: unknown): UpstreamEvent[] {
    if (!isJsonObject(delta)) return []
    switch (delta.type) {
      case 'text_delta':
        return piece('text', delta.text)
      case 'thinking_delta':
        return piece('reasoning', delta.thinking)
      case 'input_json_delta': {
        const call = this.#calls.get(index)
        const json = delta.partial_json
        if (!call || typeof json !== 'string' || json === '') return []
        call.begun = true
        return [{ type: 'call', index: call.index, arguments: json }]
      }
      default:
        return []
    }
  }

  #readEnd({ stop_reason: why, stop_sequence: sequence }: JsonObject): UpstreamEvent[] {
    if (typeof why !== 'string') return []
    const reason = finishReasons[why] ?? 'stop'
    const events: UpstreamEvent[] = this.#settle(reason === 'length')
    const usage = this.#total()
    if (Object.keys(usage).length > 0) events.push({ type: 'usage', usage })
    const isNamed = reason === 'stop-sequence' && typeof sequence === 'string'
    events.push({ type: 'finish', reason, ...(isNamed && { stopSequence: sequence }) })
    return events
  }

  /**
   * Emits the arguments of the last call if no pieces of them came: those of its start, usually `{}`. Only a following
   * event proves that the call is complete, so a call that the token limit cut before its arguments stays open.
   */
  #settle(isCut = false): UpstreamEvent[] {
    const call = this.#last
    this.#last = undefined
    if (!call || call.begun || (isCut && Object.keys(call.input).length === 0)) return []
    return [{ type: 'call', index: call.index, arguments: JSON.stringify(call.input) }]
  }

  /**
   * Reads usage. Later counts replace earlier ones and are not added; a field may be missing or null if it did not
   * change.
   */
  #count(value: unknown): void {
    if (!isJsonObject(value)) return
    const { input_tokens: uncached, cache_creation_input_tokens: creation, cache_read_input_tokens: cached } = value
    if (typeof uncached === 'number') this.#uncached = uncached
    if (typeof creation === 'number') this.#usage.cacheWriteTokens = creation
    if (typeof cached === 'number') this.#usage.cachedTokens = cached
    if (typeof value.output_tokens === 'number') this.#usage.outputTokens = value.output_tokens
    const details = value.output_tokens_details
    if (isJsonObject(details) && typeof details.thinking_tokens === 'number') {
      this.#usage.reasoningTokens = details.thinking_tokens
    }
  }

  /** The API counts tokens read from its cache, or written to it, separately from the input tokens. */
  #total(): Usage {
    if (this.#uncached === undefined) return this.#usage
    const { cachedTokens = 0, cacheWriteTokens = 0 } = this.#usage
    return { ...this.#usage, inputTokens: this.#uncached + cacheWriteTokens + cachedTokens }
  }
}

function piece(type: 'text' | 'reasoning', text: unknown): UpstreamEvent[] {
  return typeof text === 'string' && text !== '' ? [{ type, text }] : []
}
