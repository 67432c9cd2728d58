import { type FinishReason, isJsonObject, type JsonObject, type Usage } from '../../conversation/index.ts'
import type { ObjectContent, WireFormat } from '../http/wire-format.ts'
import type { CallPiece, UpstreamEvent } from '../upstream.ts'

const finishReasons: Readonly<Record<string, FinishReason>> = { stop: 'stop', length: 'length' }

export interface OllamaFormatOptions {
  /** The context that the model was asked to be loaded with, in tokens. */
  contextLength?: number
}

/** A reply of `/api/chat` or `/api/generate`: a JSON object a line, the last with `done`. */
export function ollamaFormat(options: OllamaFormatOptions = {}): WireFormat {
  let calls = 0
  return {
    noun: "a reply of Ollama's API",
    server: 'an Ollama server',
    framing: 'lines',
    isReply: (value) => isJsonObject(value.message) || typeof value.response === 'string',
    read: (value) => {
      const content = readObject(value, options, calls)
      calls += content.events.filter(({ type }) => type === 'call').length
      return content
    },
  }
}

function readObject(value: JsonObject, { contextLength }: OllamaFormatOptions, firstCall: number): ObjectContent {
  const events: UpstreamEvent[] = []
  const message: JsonObject = isJsonObject(value.message) ? value.message : {}
  const thinking = message.thinking ?? value.thinking
  if (typeof thinking === 'string' && thinking !== '') events.push({ type: 'reasoning', text: thinking })
  const text = message.content ?? value.response
  if (typeof text === 'string' && text !== '') events.push({ type: 'text', text })
  const calls: unknown[] = Array.isArray(message.tool_calls) ? message.tool_calls : []
  // Calls come whole. Their own index is not to be relied on: with some models it is 0 for each.
  for (const [place, call] of calls.entries()) events.push(readCall(call, firstCall + place))
  if (value.done !== true) return { events }

  const usage = readUsage(value)
  if (contextLength !== undefined && isCut(usage.inputTokens, contextLength)) {
    events.push({
      type: 'notice',
      notice: { code: 'prompt-cut', message: cutMessage(usage.inputTokens, contextLength) },
    })
  }
  if (Object.keys(usage).length > 0) events.push({ type: 'usage', usage })
  const why = typeof value.done_reason === 'string' ? value.done_reason : 'stop'
  events.push({ type: 'finish', reason: finishReasons[why] ?? 'stop' })
  return { events, isLast: true }
}

function readCall(call: unknown, index: number): CallPiece {
  const piece: CallPiece = { type: 'call', index }
  if (!isJsonObject(call)) return piece
  if (typeof call.id === 'string' && call.id !== '') piece.id = call.id
  const { name, arguments: json }: JsonObject = isJsonObject(call.function) ? call.function : {}
  if (typeof name === 'string') piece.name = name
  piece.arguments = typeof json === 'string' ? json : JSON.stringify(json ?? {})
  return piece
}

/** Versions that take a prompt from their cache do not count it, and leave the field out. */
function readUsage(value: JsonObject): Usage {
  const usage: Usage = {}
  if (typeof value.prompt_eval_count === 'number') usage.inputTokens = value.prompt_eval_count
  if (typeof value.eval_count === 'number') usage.outputTokens = value.eval_count
  return usage
}

/** Tokens at the beginning that are kept when a prompt is cut: four, and the beginning token if there is one. */
const keptTokens = [4, 5]

/**
 * Returns true if the number of tokens shows that the prompt was cut, by a version that ignores the fields against it. Older versions
 * cut to the whole context; newer ones to half of it, to leave room for the reply: 2050 of 4096.
 */
function isCut(tokens: number | undefined, contextLength: number): boolean {
  if (tokens === undefined) return false
  return tokens >= contextLength || keptTokens.some((kept) => tokens === kept + Math.floor((contextLength - kept) / 2))
}

function cutMessage(tokens: number | undefined, contextLength: number): string {
  return `The model read ${tokens} tokens of the prompt, to which Ollama cuts one that is longer than its context of ${contextLength} tokens: the beginning of the conversation is missing. Raise contextLength of this upstream.`
}
