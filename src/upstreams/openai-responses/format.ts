import { type FinishReason, isJsonObject, type JsonObject, type Usage } from '../../conversation/index.ts'
import type { ObjectContent, WireFormat } from '../http/wire-format.ts'
import type { CallPiece, UpstreamEvent } from '../upstream.ts'
import { opaqueReasoning } from './opaque-reasoning.ts'

/** A response, streamed or whole, of an upstream. `toolName` returns the client's name of a tool that was sent under another. */
export function responseFormat(upstream: string, toolName: (sent: string) => string): WireFormat {
  const reader = new ResponseReader(upstream, toolName)
  return {
    noun: 'a response of the Responses API',
    server: 'a server with the Responses API',
    framing: 'sse',
    hasLastObject: true,
    isReply: (value) => Array.isArray(value.output),
    read: (value, event) => reader.read(value, event),
  }
}

/** The pieces of an item that came so far. */
interface OpenItem {
  /** The number of its call; undefined for another item. */
  call?: number
  /** A piece of its text or arguments came. */
  begun: boolean
}

/** The reasons for which a response is incomplete. */
const incompleteReasons: Readonly<Record<string, FinishReason>> = {
  max_output_tokens: 'length',
  content_filter: 'content-filter',
}

class ResponseReader {
  readonly #upstream: string
  readonly #toolName: (sent: string) => string
  /** By the index in the output. */
  readonly #items = new Map<unknown, OpenItem>()
  #callCount = 0

  constructor(upstream: string, toolName: (sent: string) => string) {
    this.#upstream = upstream
    this.#toolName = toolName
  }

  read(value: JsonObject, event?: string): ObjectContent {
    switch (value.type ?? event) {
      case 'response.output_item.added':
        return { events: this.#begin(value.output_index, value.item) }
      case 'response.output_item.done':
        return { events: this.#end(value.output_index, value.item) }
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        return { events: this.#piece(value.output_index, 'text', value.delta) }
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return { events: this.#piece(value.output_index, 'reasoning', value.delta) }
      case 'response.reasoning_summary_part.added':
        return { events: this.#nextPart(value) }
      case 'response.function_call_arguments.delta':
        return { events: this.#arguments(value.output_index, value.delta) }
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        return isJsonObject(value.response) ? { ...this.#over(value.response), isLast: true } : { events: [] }
      default:
        // A whole response, which has no type, or an event that says nothing of the reply.
        return Array.isArray(value.output) ? { ...this.#over(value), isLast: true } : { events: [] }
    }
  }

  #begin(index: unknown, item: unknown): UpstreamEvent[] {
    if (!isJsonObject(item) || item.type !== 'function_call') {
      this.#items.set(index, { begun: false })
      return []
    }
    const call = this.#callCount++
    this.#items.set(index, { call, begun: false })
    const start: CallPiece = { type: 'call', index: call }
    const id = item.call_id ?? item.id
    if (typeof id === 'string' && id !== '') start.id = id
    if (typeof item.name === 'string') start.name = this.#toolName(item.name)
    return [start]
  }

  /** The end of an item has all of it, for servers that send no pieces, or no beginning. */
  #end(index: unknown, item: unknown): UpstreamEvent[] {
    if (!isJsonObject(item)) return []
    const events = this.#items.has(index) ? [] : this.#begin(index, item)
    const open = this.#items.get(index)
    if (item.type === 'reasoning') {
      const text = open?.begun ? '' : textsOf(item.content) || textsOf(item.summary)
      return [...events, ...this.#piece(index, 'reasoning', text), ...this.#opaque(item)]
    }
    if (open?.begun) return events
    if (item.type === 'function_call') return [...events, ...this.#arguments(index, item.arguments)]
    return [...events, ...this.#piece(index, 'text', textsOf(item.content))]
  }

  /** Reasoning that its server encrypted comes back to it in the next turn. */
  #opaque(item: JsonObject): UpstreamEvent[] {
    const opaque = opaqueReasoning(this.#upstream, item)
    return opaque === undefined ? [] : [{ type: 'reasoning', text: '', opaque }]
  }

  #piece(index: unknown, type: 'text' | 'reasoning', text: unknown): UpstreamEvent[] {
    if (typeof text !== 'string' || text === '') return []
    const open = this.#items.get(index)
    if (open) open.begun = true
    return [{ type, text }]
  }

  /** A summary has parts, each a paragraph. */
  #nextPart({ output_index: index, summary_index: part }: JsonObject): UpstreamEvent[] {
    return typeof part === 'number' && part > 0 ? this.#piece(index, 'reasoning', '\n\n') : []
  }

  #arguments(index: unknown, json: unknown): UpstreamEvent[] {
    const open = this.#items.get(index)
    if (open?.call === undefined || typeof json !== 'string' || json === '') return []
    open.begun = true
    return [{ type: 'call', index: open.call, arguments: json }]
  }

  #over(response: JsonObject): ObjectContent {
    const { output, status, error, incomplete_details: details } = response
    const events: UpstreamEvent[] = []
    // In a stream, most items came as events; only the others are added here.
    for (const [index, item] of (Array.isArray(output) ? output : []).entries()) {
      if (!this.#items.has(index)) events.push(...this.#end(index, item))
    }
    const usage = readUsage(response.usage)
    if (usage) events.push({ type: 'usage', usage })
    if (isJsonObject(error)) return { events, error }
    if (status === 'failed' || status === 'cancelled') return { events, failed: status }
    const why = isJsonObject(details) && typeof details.reason === 'string' ? details.reason : ''
    const reason = status === 'incomplete' ? (incompleteReasons[why] ?? 'length') : 'stop'
    events.push({ type: 'finish', reason })
    return { events }
  }
}

function textsOf(parts: unknown): string {
  const texts = (Array.isArray(parts) ? parts : []).map((part) =>
    isJsonObject(part) ? (part.text ?? part.refusal) : '',
  )
  return texts.filter((text) => typeof text === 'string').join('')
}

/** Reads usage in the API's names. Undefined if there is none. */
function readUsage(value: unknown): Usage | undefined {
  if (!isJsonObject(value)) return undefined
  const usage: Usage = {}
  const set = (key: keyof Usage, tokens: unknown): void => {
    if (typeof tokens === 'number') usage[key] = tokens
  }
  set('inputTokens', value.input_tokens)
  set('outputTokens', value.output_tokens)
  if (isJsonObject(value.input_tokens_details)) {
    set('cachedTokens', value.input_tokens_details.cached_tokens)
    set('cacheWriteTokens', value.input_tokens_details.cache_write_tokens)
  }
  if (isJsonObject(value.output_tokens_details)) set('reasoningTokens', value.output_tokens_details.reasoning_tokens)
  return Object.keys(usage).length === 0 ? undefined : usage
}
