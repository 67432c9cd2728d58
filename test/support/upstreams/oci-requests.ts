import { ObjectSerializer } from 'oci-common'
import { models } from 'oci-generativeaiinference'
import { expect } from 'vitest'
import type { Conversation, JsonObject, Turn } from '../../../src/conversation/index.ts'
import type { GenerationRequest, ToolsRequest } from '../../../src/upstreams/upstream.ts'
import type { OciReply } from '../../stand-ins/oci-server.ts'
import { collect, contextOf, ociForTest } from './oci.ts'

export const weather: JsonObject = {
  type: 'object',
  properties: {
    city: { type: 'string', description: 'Which city' },
    days: { type: 'integer' },
    unit: { type: ['string', 'null'], enum: ['c', 'f'] },
    around: { type: 'array', items: { type: 'string' } },
    place: { type: 'object', properties: { x: { type: 'number' } } },
  },
  required: ['city'],
}

export function conversationOf(turns: Turn[], more: Partial<Conversation> = {}): Conversation {
  return {
    model: 'm',
    system: 'Be brief.',
    turns,
    tools: [
      { name: 'get-weather', description: 'The weather', schema: weather },
      { name: 'clock', description: '', schema: {} },
    ],
    toolChoice: { type: 'auto' },
    parallelCalls: true,
    stopSequences: [],
    sampling: {},
    ...more,
  }
}

export function toolsRequest(turns: Turn[], model: string, more: Partial<Conversation> = {}): ToolsRequest {
  return { type: 'tools', model, conversation: conversationOf(turns, more), sampling: {} }
}

export const asks: Turn = { role: 'user', parts: [{ type: 'text', text: 'weather?' }] }
export const calls: Turn = {
  role: 'assistant',
  parts: [
    { type: 'call', id: 'c1', name: 'get-weather', arguments: '{"city":"Paris"}' },
    { type: 'call', id: 'c2', name: 'clock', arguments: '{}' },
  ],
}
export const gets: Turn = {
  role: 'user',
  parts: [
    { type: 'result', callId: 'c1', name: 'get-weather', content: [{ type: 'text', text: '15°C' }], isError: false },
    { type: 'result', callId: 'c2', name: 'clock', content: [{ type: 'text', text: 'stopped' }], isError: true },
  ],
}

/** Says nothing of interest. */
export const reply: OciReply = { type: 'reply', pieces: ['a'] }

/** Returns the chat request that the service receives. Fails if Oracle's SDK would write another body. */
export async function chatRequestOf(request: GenerationRequest): Promise<unknown> {
  const { upstream, server } = await ociForTest([reply])
  await collect(upstream.generate(request, contextOf()))
  const body = server.requests[0]?.body
  const bySdk = ObjectSerializer.serialize(body, 'ChatDetails', models.ChatDetails.getJsonObj)
  expect(body).toEqual(JSON.parse(bySdk))
  return body?.chatRequest
}

/** The options that every request has. */
export const streamed: JsonObject = { isStream: true, streamOptions: { isIncludeUsage: true } }

export function text(text: string): JsonObject {
  return { type: 'TEXT', text }
}
