import { type FinishReason, isJsonObject, type JsonObject, type Usage } from '../conversation/index.ts'
import type { CallPiece, UpstreamEvent } from './upstream.ts'
import type { ObjectContent, WireFormat } from './wire-format.ts'

/**
 * A reply of OCI Generative AI, streamed or whole. An event of a stream is one choice (GENERIC: `message`) or a piece of
 * the reply (COHERE: `text`), without what a whole reply has around it (`chatResponse`).
 */
export function ociFormat({ takesCalls, toolName }: OciFormatOptions): WireFormat {
  const cohere = new CohereReply(toolName)
  const calls = new GenericCalls()
  return {
    noun: 'a chat reply of OCI Generative AI',
    server: "OCI Generative AI's inference",
    framing: 'sse',
    isReply: (value) => isJsonObject(value.chatResponse) || typeof value.apiFormat === 'string',
    read: (value) => {
      const reply = isJsonObject(value.chatResponse) ? value.chatResponse : value
      const content = readReply(reply, calls, cohere)
      if (takesCalls) return content
      const events = content.events.filter(({ type }) => type !== 'call')
      if (events.length === content.events.length) return content
      return { ...content, events, warning: 'upstream.calls-ignored' }
    },
  }
}

export interface OciFormatOptions {
  /** Without it, calls that the model made although it was sent no tools are left out, and the log says so. */
  takesCalls: boolean
  /** The name of a tool that the model calls by the name that it was sent under. */
  toolName(sent: string): string
}

function readReply(reply: JsonObject, calls: GenericCalls, cohere: CohereReply): ObjectContent {
  const content: ObjectContent = { events: [] }
  if (isCohere(reply)) cohere.read(reply, content)
  else readChoice(firstChoice(reply), calls, content)
  const usage = readUsage(reply.usage)
  if (usage) content.events.push({ type: 'usage', usage })
  // An error inside a stream has the form of any other of the service: `{"code", "message"}`.
  if (content.failed === undefined && typeof reply.code === 'string' && typeof reply.message === 'string') {
    content.failed = `${reply.code}: ${reply.message}`
  }
  return content
}

function isCohere({ apiFormat, text }: JsonObject): boolean {
  return apiFormat === 'COHERE' || (apiFormat === undefined && typeof text === 'string')
}

/** The one choice of an event, or the first of a whole reply. */
function firstChoice(reply: JsonObject): JsonObject {
  const first = Array.isArray(reply.choices) ? reply.choices.find(isJsonObject) : reply
  return isJsonObject(first) ? first : {}
}

type Ending = FinishReason | 'failed'

/** Finish reasons of the models behind the GENERIC format (Llama, Grok, Gemini, OpenAI's), in lower case. */
const genericReasons: Readonly<Record<string, Ending>> = {
  stop: 'stop',
  eos: 'stop',
  tool_calls: 'stop',
  length: 'length',
  max_tokens: 'length',
  content_filter: 'content-filter',
  safety: 'content-filter',
  error: 'failed',
}

const cohereReasons: Readonly<Record<string, Ending>> = {
  COMPLETE: 'stop',
  MAX_TOKENS: 'length',
  ERROR_TOXIC: 'content-filter',
  ERROR_LIMIT: 'failed',
  ERROR: 'failed',
  USER_CANCEL: 'failed',
}

function readChoice(choice: JsonObject, calls: GenericCalls, content: ObjectContent): void {
  const { events } = content
  const { message, finishReason } = choice
  if (isJsonObject(message)) {
    if (typeof message.reasoningContent === 'string' && message.reasoningContent !== '') {
      events.push({ type: 'reasoning', text: message.reasoningContent })
    }
    const parts = Array.isArray(message.content) ? message.content : []
    for (const part of parts) addText(events, isJsonObject(part) ? part.text : undefined)
    addText(events, message.refusal)
    if (Array.isArray(message.toolCalls)) events.push(...message.toolCalls.flatMap((call) => calls.read(call)))
  }
  if (typeof finishReason === 'string' && finishReason !== '') {
    end(content, genericReasons[finishReason.toLowerCase()] ?? 'stop', finishReason)
  }
}

/** The calls of a reply in the GENERIC format. Some models' pieces carry an index, some the call's id, some only say on. */
class GenericCalls {
  readonly #byId = new Map<string, number>()
  readonly #named = new Set<number>()
  #last = -1

  read(call: unknown): CallPiece[] {
    if (!isJsonObject(call)) return []
    const id = typeof call.id === 'string' && call.id !== '' ? call.id : undefined
    const name = typeof call.name === 'string' && call.name !== '' ? call.name : undefined
    const index = this.#indexOf(call.index, id, name)
    this.#last = Math.max(this.#last, index)
    const piece: CallPiece = { type: 'call', index }
    if (id !== undefined && !this.#byId.has(id)) {
      this.#byId.set(id, index)
      piece.id = id
    }
    if (name !== undefined && !this.#named.has(index)) {
      this.#named.add(index)
      piece.name = name
    }
    if (typeof call.arguments === 'string') piece.arguments = call.arguments
    return [piece]
  }

  #indexOf(index: unknown, id: string | undefined, name: string | undefined): number {
    if (typeof index === 'number') return index
    if (id !== undefined) return this.#byId.get(id) ?? this.#last + 1
    return name !== undefined || this.#last < 0 ? this.#last + 1 : this.#last
  }
}

/** A reply in the COHERE format. The last event of a stream says all of the text once more, and all calls. */
class CohereReply {
  readonly #toolName: (sent: string) => string
  #text = ''
  #calls = 0

  constructor(toolName: (sent: string) => string) {
    this.#toolName = toolName
  }

  read({ text, toolCalls, finishReason, errorMessage }: JsonObject, content: ObjectContent): void {
    const { events } = content
    const isLast = typeof finishReason === 'string'
    if (typeof text === 'string') {
      const isRepeated = isLast && text.startsWith(this.#text)
      const fresh = isRepeated ? text.slice(this.#text.length) : isLast && this.#text !== '' ? '' : text
      addText(events, fresh)
      this.#text += fresh
    }
    if (Array.isArray(toolCalls)) {
      const calls = toolCalls.filter(isJsonObject)
      for (const call of isLast ? calls.slice(this.#calls) : calls) events.push(this.#readCall(call))
    }
    if (!isLast) return
    const why =
      typeof errorMessage === 'string' && errorMessage !== '' ? `${finishReason}: ${errorMessage}` : finishReason
    end(content, cohereReasons[finishReason] ?? 'stop', why)
  }

  #readCall({ name, parameters }: JsonObject): CallPiece {
    return {
      type: 'call',
      index: this.#calls++,
      ...(typeof name === 'string' && { name: this.#toolName(name) }),
      arguments: JSON.stringify(parameters ?? {}),
    }
  }
}

function addText(events: UpstreamEvent[], text: unknown): void {
  if (typeof text === 'string' && text !== '') events.push({ type: 'text', text })
}

function end(content: ObjectContent, ending: Ending, said: string): void {
  if (ending === 'failed') content.failed = said
  else content.events.push({ type: 'finish', reason: ending })
}

function readUsage(value: unknown): Usage | undefined {
  if (!isJsonObject(value)) return undefined
  const usage: Usage = {}
  const set = (key: keyof Usage, tokens: unknown): void => {
    if (typeof tokens === 'number') usage[key] = tokens
  }
  set('inputTokens', value.promptTokens)
  set('outputTokens', value.completionTokens)
  if (isJsonObject(value.promptTokensDetails)) set('cachedTokens', value.promptTokensDetails.cachedTokens)
  if (isJsonObject(value.completionTokensDetails)) set('reasoningTokens', value.completionTokensDetails.reasoningTokens)
  return Object.keys(usage).length === 0 ? undefined : usage
}
