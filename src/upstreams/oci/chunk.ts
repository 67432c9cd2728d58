import { isJsonObject, type JsonObject, type Usage } from '../../conversation/index.ts'
import type { ObjectContent, WireFormat } from '../http/wire-format.ts'
import type { CallPiece } from '../upstream.ts'
import { addEnd, addText } from './ending.ts'
import { MessageReply } from './message.ts'

export interface OciFormatOptions {
  /** The name of a tool that the model calls by the name that it was sent under. */
  toolName(sent: string): string
}

/**
 * A reply of OCI Generative AI, streamed or whole. An event of a stream is one choice (GENERIC: `message`), a piece of
 * the message (COHEREV2: `message`) or of the text (COHERE: `text`), without the object around it in a whole reply
 * (`chatResponse`).
 */
export function ociFormat({ toolName }: OciFormatOptions): WireFormat {
  const cohere = new CohereReply(toolName)
  const message = new MessageReply(toolName)
  return {
    noun: 'a chat reply of OCI Generative AI',
    server: "OCI Generative AI's inference",
    framing: 'sse',
    isReply: (value) => isJsonObject(value.chatResponse) || typeof value.apiFormat === 'string',
    read: (value) => {
      const reply = isJsonObject(value.chatResponse) ? value.chatResponse : value
      return readReply(reply, message, cohere)
    },
  }
}

function readReply(reply: JsonObject, message: MessageReply, cohere: CohereReply): ObjectContent {
  const content: ObjectContent = { events: [] }
  if (isCohere(reply)) cohere.read(reply, content)
  else message.read(firstChoice(reply), content)
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

/** A reply in the COHERE format. The last event of a stream repeats all of the text, and all calls. */
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
      addText(events, 'text', fresh)
      this.#text += fresh
    }
    if (Array.isArray(toolCalls)) {
      const calls = toolCalls.filter(isJsonObject)
      for (const call of isLast ? calls.slice(this.#calls) : calls) events.push(this.#readCall(call))
    }
    if (isLast) addEnd(content, finishReason, errorMessage)
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
