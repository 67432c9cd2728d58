import type { JsonObject } from '../../src/conversation/index.ts'
import { type AnthropicQuirks, complaint } from './anthropic-checks.ts'
import { thinkingSignature } from './anthropic-message-checks.ts'
import {
  json,
  type StandInAnswer,
  type StandInRequest,
  type StandInServer,
  type StreamFault,
  sse,
  startStandIn,
} from './http-stand-in.ts'

// Anthropic's Messages API, after https://docs.anthropic.com/en/api/messages and its pages on streaming and errors.

/** The server's answer to a request that it accepts. */
export type AnthropicPlay =
  | {
      type: 'message'
      blocks: AnthropicBlock[]
      /** Default `end_turn`, or `tool_use` if there are calls. */
      stopReason?: string
      stopSequence?: string
      /** One JSON body in place of a stream. */
      whole?: boolean
      /** An error in the stream, in place of the event with this number (`message_start` is 0). */
      error?: { at: number; type: string; message: string }
      /** The stream breaks off, or falls silent, before the event with this number. */
      fault?: { at: number; end: StreamFault['fault'] }
      /** Default 7. */
      outputTokens?: number
    }
  | { type: 'error'; status: number; error: string; message: string; headers?: Record<string, string> }

export type AnthropicBlock =
  | { type: 'text'; pieces: string[] }
  | { type: 'thinking'; pieces: string[] }
  /** `pieces` of the input's JSON text; no pieces: it is empty. */
  | { type: 'tool_use'; id: string; name: string; pieces: string[] }

export interface AnthropicServerOptions {
  key?: string
  quirks?: AnthropicQuirks
  /** Those it has; default: many, and it answers for any. */
  models?: readonly string[]
  /** Default: writes "Hello.". */
  play?: (body: JsonObject, n: number) => AnthropicPlay
  /** The time between the events of a stream. */
  pieceDelayMs?: number
}

/** A stand-in for Anthropic's API: it refuses the same requests as the real one, with the same messages. */
export function startAnthropicServer(options: AnthropicServerOptions = {}): Promise<StandInServer> {
  const { key, quirks = {}, models, play = hello, pieceDelayMs } = options
  let played = 0
  return startStandIn((request) => {
    const { method, path, headers, body } = request
    if (headers['anthropic-version'] === undefined) {
      return refuse(400, 'invalid_request_error', 'anthropic-version: header is required')
    }
    if (key !== undefined && headers['x-api-key'] !== key)
      return refuse(401, 'authentication_error', 'invalid x-api-key')
    if (method === 'GET' && path === '/v1/models') return listModels(request, models ?? manyModels)
    if (method !== 'POST' || path !== '/v1/messages') return refuse(404, 'not_found_error', 'Not Found')
    const wrong = complaint(body, quirks)
    if (wrong !== undefined) return refuse(400, 'invalid_request_error', wrong)
    if (models && !models.includes(String(body.model))) return refuse(404, 'not_found_error', `model: ${body.model}`)
    return perform(play(body, played++), body)
  }, pieceDelayMs)
}

const hello = (): AnthropicPlay => ({ type: 'message', blocks: [{ type: 'text', pieces: ['Hel', 'lo.'] }] })

function refuse(status: number, type: string, message: string, headers?: Record<string, string>): StandInAnswer {
  return json({ type: 'error', error: { type, message }, request_id: 'req_1' }, status, headers)
}

const manyModels = Array.from({ length: 25 }, (_, index) => `claude-${index}`)

function listModels({ query }: StandInRequest, ids: readonly string[]): StandInAnswer {
  const limit = Number(query.get('limit') ?? 20)
  const data = ids.slice(0, limit).map((id) => ({ type: 'model', id, display_name: id, max_input_tokens: 200_000 }))
  return json({ data, has_more: limit < ids.length, first_id: ids[0] ?? null, last_id: null })
}

function perform(play: AnthropicPlay, body: JsonObject): StandInAnswer {
  if (play.type === 'error') return refuse(play.status, play.error, play.message, play.headers)
  if (play.whole || body.stream !== true) return json(wholeMessage(play, body))
  const pieces: (string | StreamFault)[] = eventsOf(play, body)
  const { error, fault } = play
  if (error)
    pieces.splice(error.at, pieces.length, event('error', { error: { type: error.type, message: error.message } }))
  if (fault) pieces.splice(fault.at, pieces.length, { fault: fault.end })
  return { type: 'stream', headers: { 'content-type': 'text/event-stream; charset=utf-8' }, pieces }
}

type MessagePlay = Extract<AnthropicPlay, { type: 'message' }>

const counted = { input_tokens: 10, cache_creation_input_tokens: 4, cache_read_input_tokens: 30 }

function ending({ blocks, stopReason, stopSequence }: MessagePlay): JsonObject {
  const called = blocks.some(({ type }) => type === 'tool_use')
  return { stop_reason: stopReason ?? (called ? 'tool_use' : 'end_turn'), stop_sequence: stopSequence ?? null }
}

function wholeMessage(play: MessagePlay, { model }: JsonObject): JsonObject {
  const content = play.blocks.map((block): JsonObject => {
    const text = block.pieces.join('')
    if (block.type === 'text') return { type: 'text', text }
    if (block.type === 'thinking') return { type: 'thinking', thinking: text, signature: thinkingSignature }
    return { type: 'tool_use', id: block.id, name: block.name, input: text === '' ? {} : JSON.parse(text) }
  })
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content,
    ...ending(play),
    usage: { ...counted, output_tokens: play.outputTokens ?? 7 },
  }
}

function eventsOf(play: MessagePlay, { model }: JsonObject): string[] {
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  }
  return [
    event('message_start', { message: { ...message, usage: { ...counted, output_tokens: 1 } } }),
    event('ping', {}),
    ...play.blocks.flatMap(blockEvents),
    event('message_delta', { delta: ending(play), usage: { output_tokens: play.outputTokens ?? 7 } }),
    event('message_stop', {}),
  ]
}

function blockEvents(block: AnthropicBlock, index: number): string[] {
  const delta = (delta: JsonObject): string => event('content_block_delta', { index, delta })
  const starts: Readonly<Record<AnthropicBlock['type'], JsonObject>> = {
    text: { type: 'text', text: '' },
    thinking: { type: 'thinking', thinking: '', signature: '' },
    tool_use: block.type === 'tool_use' ? { type: 'tool_use', id: block.id, name: block.name, input: {} } : {},
  }
  const deltas = {
    text: (text: string): JsonObject => ({ type: 'text_delta', text }),
    thinking: (thinking: string): JsonObject => ({ type: 'thinking_delta', thinking }),
    tool_use: (json: string): JsonObject => ({ type: 'input_json_delta', partial_json: json }),
  }[block.type]
  return [
    event('content_block_start', { index, content_block: starts[block.type] }),
    // The real API begins every input with an empty piece.
    ...(block.type === 'tool_use' ? [delta(deltas(''))] : []),
    ...block.pieces.map((piece) => delta(deltas(piece))),
    ...(block.type === 'thinking' ? [delta({ type: 'signature_delta', signature: thinkingSignature })] : []),
    event('content_block_stop', { index }),
  ]
}

function event(type: string, data: JsonObject): string {
  return sse({ type, ...data }, type)
}
