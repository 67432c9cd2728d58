import type { ServerResponse } from 'node:http'
import type { JsonObject } from '../../src/conversation/index.ts'
import { type AnthropicQuirks, complaint } from './anthropic-checks.ts'
import {
  type StandIn,
  type StandInRequest,
  type StreamEnd,
  sendJson,
  sendPieces,
  startStandIn,
} from './http-stand-in.ts'

// Anthropic's Messages API, after https://docs.anthropic.com/en/api/messages and its pages on streaming and errors.

/** What the server answers to a request that it takes. */
export type AnthropicPlay =
  | {
      type: 'message'
      blocks: AnthropicBlock[]
      /** Default `end_turn`, or `tool_use` where there are calls. */
      stopReason?: string
      stopSequence?: string
      /** One JSON body in place of a stream. */
      whole?: boolean
      /** An error in the stream, in place of the event with this number (`message_start` is 0). */
      error?: { at: number; type: string; message: string }
      /** The stream breaks off, or falls silent, before the event with this number. */
      fault?: { at: number; end: StreamEnd }
    }
  | { type: 'error'; status: number; error: string; message: string; headers?: Record<string, string> }

export type AnthropicBlock =
  | { type: 'text'; pieces: string[] }
  | { type: 'thinking'; pieces: string[] }
  /** `pieces` of the input's JSON text; none: it is empty. */
  | { type: 'tool_use'; id: string; name: string; pieces: string[] }

export interface AnthropicServerOptions {
  key?: string
  quirks?: AnthropicQuirks
  /** Default: says "Hello.". */
  play?: (body: JsonObject, n: number) => AnthropicPlay
}

/** A stand-in for Anthropic's API: it refuses what the real one refuses, in its words. */
export function startAnthropicServer(options: AnthropicServerOptions = {}): Promise<StandIn> {
  const { key, quirks = {}, play = hello } = options
  let played = 0
  return startStandIn(async (request, response) => {
    if (request.headers['anthropic-version'] === undefined) {
      refuse(response, 400, 'invalid_request_error', 'anthropic-version: header is required')
    } else if (key !== undefined && request.headers['x-api-key'] !== key) {
      refuse(response, 401, 'authentication_error', 'invalid x-api-key')
    } else if (request.method === 'GET' && request.path.startsWith('/v1/models')) {
      sendModels(request, response)
    } else if (request.method !== 'POST' || request.path !== '/v1/messages') {
      refuse(response, 404, 'not_found_error', 'Not Found')
    } else {
      const wrong = complaint(request.body, quirks)
      if (wrong === undefined) await perform(play(request.body, played++), request.body, response)
      else refuse(response, 400, 'invalid_request_error', wrong)
    }
  })
}

const hello = (): AnthropicPlay => ({ type: 'message', blocks: [{ type: 'text', pieces: ['Hel', 'lo.'] }] })

function refuse(
  response: ServerResponse,
  status: number,
  type: string,
  message: string,
  headers?: Record<string, string>,
): void {
  sendJson(response, status, { type: 'error', error: { type, message }, request_id: 'req_1' }, headers)
}

function sendModels({ path }: StandInRequest, response: ServerResponse): void {
  const limit = Number(new URL(path, 'http://a').searchParams.get('limit') ?? 20)
  const ids = Array.from({ length: 25 }, (_, index) => `claude-${index}`)
  const data = ids.slice(0, limit).map((id) => ({ type: 'model', id, display_name: id, max_input_tokens: 200_000 }))
  sendJson(response, 200, { data, has_more: limit < ids.length, first_id: ids[0] ?? null, last_id: null })
}

async function perform(play: AnthropicPlay, body: JsonObject, response: ServerResponse): Promise<void> {
  if (play.type === 'error') {
    refuse(response, play.status, play.error, play.message, play.headers)
    return
  }
  if (play.whole || body.stream !== true) {
    sendJson(response, 200, wholeMessage(play, body))
    return
  }
  const events = eventsOf(play, body)
  const { error, fault } = play
  if (error)
    events.splice(error.at, events.length, event('error', { error: { type: error.type, message: error.message } }))
  if (fault) events.splice(fault.at)
  await sendPieces(response, 'text/event-stream; charset=utf-8', events, fault?.end)
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
    if (block.type === 'thinking') return { type: 'thinking', thinking: text, signature: 'c2ln' }
    return { type: 'tool_use', id: block.id, name: block.name, input: text === '' ? {} : JSON.parse(text) }
  })
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content,
    ...ending(play),
    usage: { ...counted, output_tokens: 7 },
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
    event('message_delta', { delta: ending(play), usage: { output_tokens: 7 } }),
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
    ...(block.type === 'thinking' ? [delta({ type: 'signature_delta', signature: 'c2ln' })] : []),
    event('content_block_stop', { index }),
  ]
}

function event(type: string, data: JsonObject): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
}
