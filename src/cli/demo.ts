import type { JsonObject } from '../conversation/index.ts'
import { parseConfig } from '../gateway/index.ts'
import type { ScriptedReply, Upstream, UpstreamEvent } from '../upstreams/index.ts'
import { messagesOf } from '../upstreams/index.ts'
import type { Io, Services } from './io/io.ts'

const weather = {
  name: 'get_weather',
  description: 'Get the current weather of a city.',
  input_schema: {
    type: 'object',
    properties: {
      city: { type: 'string', description: 'The name of the city' },
      unit: { type: 'string', enum: ['c', 'f'] },
    },
    required: ['city'],
  },
}

/** The results of the demo's tool, by city. */
const reports: Readonly<Record<string, string>> = { Paris: '18 °C, light rain', Tokyo: '24 °C, clear sky' }

export interface DemoFlags {
  dialect?: string
}

/** The model's first reply; for the second, the scripted model repeats the results. */
const firstReply: ScriptedReply = {
  text: 'I will look up both.',
  calls: [
    { name: 'get_weather', arguments: { city: 'Paris' } },
    { name: 'get_weather', arguments: { city: 'Tokyo' } },
  ],
}

/**
 * Prints one whole round trip through the gateway with the scripted model: the client's request, the model's prompt, its text, and
 * the client's reply; then the same with the results of the tools.
 */
export async function demo(flags: DemoFlags, io: Io, services: Services): Promise<number> {
  const config = parseConfig(
    {
      upstreams: { scripted: { type: 'scripted', replies: [firstReply] } },
      models: [{ match: '*', upstream: 'scripted', ...(flags.dialect !== undefined && { dialect: flags.dialect }) }],
    },
    { file: 'demo', env: {}, dialects: services.dialects },
  )
  const upstreams = services.createUpstreams(config)
  const recording: Recording = { prompt: '', text: '' }
  for (const [name, upstream] of upstreams) upstreams.set(name, recordUpstream(upstream, recording))
  const gateway = services.createGateway({ config, upstreams, log: () => {} })
  const say = (title: string, text: string): void => io.stdout(`\n=== ${title}\n\n${text.trim()}\n`)
  const ask = async (messages: JsonObject[]): Promise<string> => {
    const body: JsonObject = { model: 'claude-demo', max_tokens: 1024, stream: true, tools: [weather], messages }
    say('The client sends, POST /v1/messages', JSON.stringify(body, null, 2))
    const response = await gateway.fetch(
      new Request('http://127.0.0.1/v1/messages', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
        body: JSON.stringify(body),
      }),
    )
    const events = await response.text()
    say('The model, which accepts only prompts, receives', recording.prompt)
    say('The model writes', recording.text)
    say('The client receives, while the model writes', events)
    return events
  }
  try {
    const question = { role: 'user', content: 'What is the weather in Paris and in Tokyo?' }
    const reply = readBlocks(await ask([question]))
    const calls = reply.filter((block) => block.type === 'tool_use')
    io.stdout('\nThe client runs the tools and sends their results.\n')
    await ask([
      question,
      { role: 'assistant', content: reply },
      {
        role: 'user',
        content: calls.map(({ id, input }) => ({
          type: 'tool_result',
          tool_use_id: id,
          content: reports[String(input.city)] ?? 'no report',
        })),
      },
    ])
    return 0
  } finally {
    await gateway.close()
  }
}

/** The last prompt and text of an upstream. */
interface Recording {
  prompt: string
  text: string
}

/** Wraps an upstream so that its prompts and texts are recorded. */
function recordUpstream(upstream: Upstream, recording: Recording): Upstream {
  return {
    ...upstream,
    generate: async (request, context) => {
      recording.prompt = messagesOf(request)
        .map(
          ({ role, parts }) =>
            `[${role}]\n${parts.map((part) => (part.type === 'text' ? part.text : part.url)).join('')}`,
        )
        .join('\n\n')
      recording.text = ''
      return recordText(await upstream.generate(request, context), recording)
    },
  }
}

async function* recordText(
  events: AsyncIterable<UpstreamEvent[]>,
  recording: Recording,
): AsyncGenerator<UpstreamEvent[]> {
  for await (const batch of events) {
    for (const event of batch) if (event.type === 'text') recording.text += event.text
    yield batch
  }
}

type Block = { type: 'text'; text: string } | { type: 'tool_use'; id: string; name: string; input: JsonObject }

/** The fields of Anthropic's events that the demo reads. */
interface StreamEvent {
  type: string
  content_block?: { type: 'text' } | { type: 'tool_use'; id: string; name: string }
  delta?: { text?: string; partial_json?: string }
}

/** Assembles the content of a streamed message, as a client does. */
function readBlocks(events: string): Block[] {
  const blocks: Block[] = []
  let json = ''
  for (const line of events.split('\n')) {
    if (!line.startsWith('data: ')) continue
    const { type, content_block: block, delta }: StreamEvent = JSON.parse(line.slice(6))
    if (block) {
      blocks.push(block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} })
      json = ''
    }
    const last = blocks.at(-1)
    if (last?.type === 'text') last.text += delta?.text ?? ''
    if (last?.type === 'tool_use') {
      json += delta?.partial_json ?? ''
      if (type === 'content_block_stop') last.input = JSON.parse(json)
    }
  }
  return blocks
}
