import type { Conversation } from '../../../src/conversation/index.ts'
import type {
  GenerationContext,
  GenerationRequest,
  MessagesRequest,
  ToolsRequest,
  Upstream,
  UpstreamEvent,
} from '../../../src/upstreams/upstream.ts'

/** A conversation that has everything that a request can carry to an upstream that calls tools itself. */
export const fullConversation: Conversation = {
  model: 'client-model',
  system: 'Be brief.',
  turns: [
    {
      role: 'user',
      parts: [
        { type: 'text', text: 'Compare these.' },
        { type: 'image', url: 'data:image/png;base64,AAAA' },
      ],
    },
    { role: 'system', text: 'Two agents are idle.' },
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'Two lookups.' },
        { type: 'text', text: 'I look.' },
        { type: 'call', id: 'functions.get_weather:0', name: 'get_weather', arguments: '{"city":"Paris","days":2}' },
        { type: 'call', id: 'functions.now:1', name: 'now', arguments: '' },
      ],
    },
    {
      role: 'user',
      parts: [
        { type: 'text', text: 'Go on.' },
        {
          type: 'result',
          callId: 'functions.get_weather:0',
          name: 'get_weather',
          content: [
            { type: 'text', text: 'Sunny.' },
            { type: 'image', url: 'data:image/jpeg;base64,BBBB' },
          ],
          isError: false,
        },
        {
          type: 'result',
          callId: 'functions.now:1',
          name: 'now',
          content: [{ type: 'text', text: 'no clock' }],
          isError: true,
        },
      ],
    },
  ],
  tools: [
    {
      name: 'get_weather',
      description: 'The weather.',
      schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
    { name: 'now', description: '', schema: {} },
  ],
  toolChoice: { type: 'auto' },
  parallelCalls: true,
  stopSequences: [],
  sampling: {},
}

export function toolsRequest(
  conversation: Partial<Conversation> = {},
  more: Partial<Omit<ToolsRequest, 'type' | 'conversation'>> = {},
): ToolsRequest {
  return { type: 'tools', model: 'm', conversation: { ...fullConversation, ...conversation }, sampling: {}, ...more }
}

export function messagesRequest(more: Partial<MessagesRequest> = {}): MessagesRequest {
  return {
    type: 'messages',
    model: 'm',
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
    sampling: {},
    ...more,
  }
}

export function testContext(more: Partial<GenerationContext> = {}): GenerationContext {
  return { signal: new AbortController().signal, requestId: 'req_1', log: () => {}, ...more }
}

/** All events of a reply, with the texts of one kind that follow each other as one. */
export async function generateAll(upstream: Upstream, request: GenerationRequest): Promise<UpstreamEvent[]> {
  const events: UpstreamEvent[] = []
  for await (const batch of await upstream.generate(request, testContext())) {
    for (const event of batch) {
      const last = events.at(-1)
      if (event.type === 'text' && last?.type === 'text') last.text += event.text
      else if (event.type === 'reasoning' && last?.type === 'reasoning') last.text += event.text
      else events.push({ ...event })
    }
  }
  return events
}
