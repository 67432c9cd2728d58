import { type FinishReason, isJsonObject, type JsonObject, type Usage } from '../../conversation/index.ts'
import type { ObjectContent, WireFormat } from '../http/wire-format.ts'
import type { UpstreamEvent } from '../upstream.ts'
import { ChatCalls } from './calls.ts'
import { type ReasoningField, reasoningFields } from './parts.ts'

/** Called with the field in which the server sends reasoning, once per piece. */
type SawReasoning = (field: ReasoningField) => void

export interface ChatFormatOptions {
  sawReasoning?: SawReasoning
  /** Returns the client's name of a tool, if it was sent under another. */
  toolName?: (sent: string) => string
}

/** A chat completion, streamed or whole. Some servers make calls of a model's text although they were sent no tools. */
export function chatFormat({ sawReasoning, toolName }: ChatFormatOptions = {}): WireFormat {
  const calls = new ChatCalls()
  return {
    noun: 'a chat completion',
    server: 'an OpenAI-compatible server',
    framing: 'sse',
    textKey: 'content',
    isReply: (value) => Array.isArray(value.choices),
    read: (chunk) => {
      const content = readChunkOf(calls, chunk, sawReasoning)
      return toolName ? { ...content, events: content.events.map((event) => named(event, toolName)) } : content
    },
  }
}

function named(event: UpstreamEvent, toolName: (sent: string) => string): UpstreamEvent {
  return event.type === 'call' && event.name !== undefined ? { ...event, name: toolName(event.name) } : event
}

type Finish = Extract<UpstreamEvent, { type: 'finish' }>

/** Finish reasons of OpenAI, vLLM, SGLang, llama-server, Mistral, TGI and Gemini. */
export const finishReasons: Readonly<Record<string, FinishReason | 'failed'>> = {
  stop: 'stop',
  eos_token: 'stop',
  end_turn: 'stop',
  tool_calls: 'stop',
  function_call: 'stop',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  stop_sequence: 'stop-sequence',
  content_filter: 'content-filter',
  error: 'failed',
  abort: 'failed',
  function_call_filter: 'failed',
  malformed_function_call: 'failed',
}

/**
 * Maps a finish reason. Gemini appends the cause, `function_call_filter: MALFORMED_FUNCTION_CALL`, and sends no part of
 * the reply. Unknown reasons count as a normal end.
 */
function reasonOf(said: string): FinishReason | 'failed' {
  return finishReasons[said] ?? finishReasons[/^[a-z_]*/.exec(said.toLowerCase())?.[0] ?? ''] ?? 'stop'
}

/** Reads one chunk of a stream, or a whole reply: `delta` or `message` of its first choice, and its usage. */
export function readChunk(chunk: JsonObject): ObjectContent {
  return readChunkOf(new ChatCalls(), chunk)
}

/** The same for a chunk among others, of a reply with these calls so far. */
function readChunkOf(calls: ChatCalls, chunk: JsonObject, sawReasoning?: SawReasoning): ObjectContent {
  const content: ObjectContent = { events: [] }
  const choice = firstChoice(chunk.choices)
  if (choice) readChoice(choice, content, calls, sawReasoning)
  const usage = readUsage(chunk.usage)
  if (usage) content.events.push({ type: 'usage', usage })
  return content
}

/** The only choice: requests never ask for several. */
export function firstChoice(choices: unknown): JsonObject | undefined {
  if (!Array.isArray(choices)) return undefined
  for (const choice of choices) {
    if (isJsonObject(choice) && (choice.index ?? 0) === 0) return choice
  }
  return undefined
}

function readChoice(choice: JsonObject, content: ObjectContent, calls: ChatCalls, sawReasoning?: SawReasoning): void {
  const { events } = content
  const message = choice.delta ?? choice.message
  if (isJsonObject(message)) {
    // Servers that changed the name send both for a while, with the same text.
    const field = reasoningFields.find((name) => readText(message[name]) !== '')
    if (field !== undefined) {
      events.push({ type: 'reasoning', text: readText(message[field]) })
      sawReasoning?.(field)
    }
    readParts(message.content, events)
    const refusal = readText(message.refusal)
    if (refusal !== '') events.push({ type: 'text', text: refusal })
    if (Array.isArray(message.tool_calls)) {
      events.push(...message.tool_calls.flatMap((call, place) => calls.read(call, place)))
    }
    // OpenAI's form before tools.
    if (isJsonObject(message.function_call))
      events.push(...calls.read({ index: 0, function: message.function_call }, 0))
  }
  if (typeof choice.finish_reason !== 'string' || choice.finish_reason === '') return
  const reason = reasonOf(choice.finish_reason)
  if (reason === 'failed') content.failed = choice.finish_reason
  else events.push(readFinish(reason, choice, calls))
}

/**
 * Reads the end of a reply. vLLM puts the stop sequence, or the id of the token, that ended the text into
 * `stop_reason`; after a call that is the model's own end marker. Other servers repeat the finish reason there.
 */
function readFinish(reason: FinishReason, { finish_reason, stop_reason: said }: JsonObject, calls: ChatCalls): Finish {
  const isSequence =
    finish_reason === 'stop' && !calls.hasAny && typeof said === 'string' && finishReasons[said] === undefined
  return isSequence ? { type: 'finish', reason: 'stop-sequence', stopSequence: said } : { type: 'finish', reason }
}

/** Content is a string, or parts: Mistral's reasoning models send `text` and `thinking` parts. */
function readParts(content: unknown, events: UpstreamEvent[]): void {
  if (!Array.isArray(content)) {
    const text = readText(content)
    if (text !== '') events.push({ type: 'text', text })
    return
  }
  for (const part of content) {
    if (!isJsonObject(part)) continue
    if (part.type === 'thinking' && Array.isArray(part.thinking)) {
      const text = part.thinking.map((piece) => (isJsonObject(piece) ? readText(piece.text) : '')).join('')
      if (text !== '') events.push({ type: 'reasoning', text })
    } else {
      const text = readText(part.text)
      if (text !== '') events.push({ type: 'text', text })
    }
  }
}

function readText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Reads usage in OpenAI's names. Undefined if there is no usage. */
export function readUsage(value: unknown): Usage | undefined {
  if (!isJsonObject(value)) return undefined
  const usage: Usage = {}
  const set = (key: keyof Usage, tokens: unknown): void => {
    if (typeof tokens === 'number') usage[key] = tokens
  }
  set('inputTokens', value.prompt_tokens)
  set('outputTokens', value.completion_tokens)
  if (isJsonObject(value.prompt_tokens_details)) set('cachedTokens', value.prompt_tokens_details.cached_tokens)
  if (isJsonObject(value.completion_tokens_details)) {
    set('reasoningTokens', value.completion_tokens_details.reasoning_tokens)
  }
  return Object.keys(usage).length === 0 ? undefined : usage
}
