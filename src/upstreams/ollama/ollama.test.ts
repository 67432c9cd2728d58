import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import {
  type OllamaPlay,
  type OllamaServer,
  type OllamaServerOptions,
  startOllamaServer,
} from '../../../test/stand-ins/ollama-server.ts'
import { eventually } from '../../../test/support/eventually.ts'
import {
  generateAll,
  messagesRequest,
  testContext,
  toolsRequest,
} from '../../../test/support/upstreams/conversation.ts'
import type { Conversation, JsonObject } from '../../conversation/index.ts'
import { openLocalFile } from '../gguf/local-file.ts'
import { createNodeTransport } from '../transport/node-transport.ts'
import type { PromptRequest, Upstream, UpstreamEvent } from '../upstream.ts'
import { createOllamaUpstream, type OllamaOptions } from './ollama.ts'

const transport = createNodeTransport()
afterAll(() => transport.close())

let server: OllamaServer
afterEach(async () => {
  await server?.close()
  // A field that the real server passes over is one that does not work.
  expect(server?.ignored ?? []).toEqual([])
})

async function start(serverOptions: OllamaServerOptions = {}, options: Partial<OllamaOptions> = {}): Promise<Upstream> {
  server = await startOllamaServer(serverOptions)
  return createOllamaUpstream({ name: 'local', url: server.url, transport, ...options })
}

const plays =
  (...list: ReturnType<NonNullable<OllamaServerOptions['play']>>[]) =>
  (_: JsonObject, n: number) =>
    list[n] ?? { status: 500, error: 'unscripted' }
const promptRequest = (more: Partial<PromptRequest> = {}): PromptRequest => ({
  type: 'prompt',
  model: 'm',
  prompt: '<s>[INST]hi[/INST]',
  stops: [],
  preservedTokens: [],
  sampling: {},
  ...more,
})
const stop: UpstreamEvent = { type: 'finish', reason: 'stop' }
const withoutUsage = (events: UpstreamEvent[]): UpstreamEvent[] => events.filter(({ type }) => type !== 'usage')
const uncut = { truncate: false, shift: false }

describe('a request', () => {
  test('carries the whole conversation', async () => {
    await generateAll(await start(), toolsRequest())
    expect(server.generations()).toEqual([
      {
        model: 'm',
        stream: true,
        ...uncut,
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Compare these.', images: ['AAAA'] },
          { role: 'user', content: '<system-reminder>\nTwo agents are idle.\n</system-reminder>' },
          {
            role: 'assistant',
            content: 'I look.',
            thinking: 'Two lookups.',
            tool_calls: [
              {
                id: 'functions.get_weather:0',
                function: { index: 0, name: 'get_weather', arguments: { city: 'Paris', days: 2 } },
              },
              { id: 'functions.now:1', function: { index: 1, name: 'now', arguments: {} } },
            ],
          },
          { role: 'tool', tool_name: 'get_weather', tool_call_id: 'functions.get_weather:0', content: 'Sunny.' },
          { role: 'tool', tool_name: 'now', tool_call_id: 'functions.now:1', content: 'Error: no clock' },
          { role: 'user', content: 'Go on.', images: ['BBBB'] },
        ],
        tools: [
          {
            type: 'function',
            function: {
              name: 'get_weather',
              description: 'The weather.',
              parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
            },
          },
          { type: 'function', function: { name: 'now', parameters: { type: 'object', properties: {} } } },
        ],
      },
    ])
    expect(server.requests[0]).toMatchObject({ path: '/api/chat', headers: { 'x-request-id': 'req_1' } })
  })

  test('of messages of text, with limits and sampling as options', async () => {
    const messages = [
      { role: 'system' as const, parts: [{ type: 'text' as const, text: 'S' }] },
      { role: 'assistant' as const, parts: [{ type: 'text' as const, text: 'a' }], reasoning: 'hm' },
    ]
    const sampling = { temperature: 0, topP: 0.5, topK: 4, presencePenalty: 1, frequencyPenalty: 2, seed: 3 }
    await generateAll(await start({}, { contextLength: 8192 }), messagesRequest({ messages, sampling, maxTokens: 9 }))
    expect(server.generations()).toEqual([
      {
        model: 'm',
        stream: true,
        ...uncut,
        messages: [
          { role: 'system', content: 'S' },
          { role: 'assistant', content: 'a', thinking: 'hm' },
        ],
        options: {
          num_ctx: 8192,
          num_predict: 9,
          temperature: 0,
          top_p: 0.5,
          top_k: 4,
          presence_penalty: 1,
          frequency_penalty: 2,
          seed: 3,
        },
      },
    ])
  })

  test('of a whole prompt goes raw, and its text comes raw', async () => {
    const upstream = await start({ play: plays({ pieces: ['<think>', 'hm</think>', '<tool_call>'] }) })
    const events = await generateAll(upstream, promptRequest({ stops: ['</tool_call>'], maxTokens: 5 }))
    expect(withoutUsage(events)).toEqual([{ type: 'text', text: '<think>hm</think><tool_call>' }, stop])
    expect(server.generations()).toEqual([
      {
        model: 'm',
        prompt: '<s>[INST]hi[/INST]',
        raw: true,
        stream: true,
        ...uncut,
        think: false,
        options: { num_predict: 5, stop: ['</tool_call>'] },
      },
    ])
  })

  const tokens = ['<unk>', '<s>', '</s>']
  test.each<[string, JsonObject, string]>([
    ['says that it does', { 'tokenizer.ggml.add_bos_token': true, 'tokenizer.ggml.model': 'gpt2' }, '[INST]hi[/INST]'],
    [
      'says that it does not',
      { 'tokenizer.ggml.add_bos_token': false, 'tokenizer.ggml.model': 'llama' },
      '<s>[INST]hi[/INST]',
    ],
    ['is SentencePiece', { 'tokenizer.ggml.model': 'llama' }, '[INST]hi[/INST]'],
    ["is Llama 3's", { 'tokenizer.ggml.model': 'gpt2', 'tokenizer.ggml.pre': 'llama-bpe' }, '[INST]hi[/INST]'],
    ["is Qwen's", { 'tokenizer.ggml.model': 'gpt2', 'tokenizer.ggml.pre': 'qwen2' }, '<s>[INST]hi[/INST]'],
  ])('of a prompt has no mark of the beginning where the engine adds it: its tokenizer %s', async (_, info, prompt) => {
    const upstream = await start({ models: { m: { tokens, info: { 'tokenizer.ggml.bos_token_id': 1, ...info } } } })
    await generateAll(upstream, promptRequest())
    await generateAll(upstream, promptRequest({ prompt: '[INST]' }))
    expect(server.generations().map((body) => body.prompt)).toEqual([prompt, '[INST]'])
    expect(server.requests.filter(({ path }) => path === '/api/show').length).toBeLessThanOrEqual(2)
  })

  test.each<[string, Conversation['toolChoice'], unknown[], boolean]>([
    ['auto', { type: 'auto' }, ['get_weather', 'now'], false],
    ['none', { type: 'none' }, [], false],
    ['required', { type: 'required' }, ['get_weather', 'now'], true],
    ['named', { type: 'named', name: 'now' }, ['now'], true],
  ])('tool choice: %s', async (_, toolChoice, names, isNoted) => {
    const events = await generateAll(await start(), toolsRequest({ toolChoice }))
    const { tools } = server.generations()[0] ?? {}
    expect(Array.isArray(tools) ? tools.map((tool) => Object(tool).function.name) : []).toEqual(names)
    const codes = events.map((event) => (event.type === 'notice' ? event.notice.code : ''))
    expect(codes.includes('tool-choice-unsupported')).toBe(isNoted)
  })

  test('an image that only has an address is left out, and the model and the client are told', async () => {
    const parts = [
      { type: 'text' as const, text: 'What is this?' },
      { type: 'image' as const, url: 'https://a.example/b.png' },
    ]
    const events = await generateAll(await start(), messagesRequest({ messages: [{ role: 'user', parts }] }))
    expect(events[0]).toMatchObject({ type: 'notice', notice: { code: 'image-left-out' } })
    expect(server.generations()[0]?.messages).toEqual([
      { role: 'user', content: 'What is this?\n[Attached here: image. Its content is not available.]' },
    ])
  })

  test.each([
    ['', '/api/chat'],
    ['/', '/api/chat'],
    ['/v1', '/api/chat'],
    ['/v1/', '/api/chat'],
    ['/api', '/api/chat'],
    ['/api/chat', '/api/chat'],
    ['/v1/chat/completions', '/api/chat'],
  ])('to a url that ends in %j goes to %s', async (end, path) => {
    await start()
    await generateAll(createOllamaUpstream({ name: 'a', url: server.url + end, transport }), messagesRequest())
    expect(server.requests[0]?.path).toBe(path)
  })
})

describe('reasoning', () => {
  const models = {
    'gpt-oss': { capabilities: ['thinking'], thinksInLevels: true },
    qwen3: { capabilities: ['thinking'] },
    gemma: { capabilities: ['completion'] },
  }
  test.each<[string, { enabled: boolean; effort?: string } | undefined, unknown[]]>([
    ['gpt-oss', { enabled: true, effort: 'high' }, ['high', 'high']],
    ['gpt-oss', { enabled: true, effort: 'minimal' }, ['low', 'low']],
    ['gpt-oss', { enabled: true }, [true, true]],
    ['qwen3', { enabled: true, effort: 'high' }, ['high', true, true]],
    ['qwen3', { enabled: false }, [false, false]],
    ['qwen3', undefined, [undefined, undefined]],
    ['gemma', { enabled: true, effort: 'low' }, ['low', undefined, undefined]],
    ['gemma', { enabled: true }, [true, undefined, undefined]],
    ['gemma', { enabled: false }, [false, false]],
  ])('%s, asked for %j twice, is sent %j', async (model, reasoning, think) => {
    const upstream = await start({ models })
    for (const _ of [1, 2]) {
      const events = await generateAll(upstream, messagesRequest({ model, ...(reasoning && { reasoning }) }))
      expect(withoutUsage(events)).toEqual([{ type: 'text', text: 'Hello.' }, stop])
    }
    expect(server.generations().map((body) => body.think)).toEqual(think)
  })
})

describe('a reply', () => {
  test('reasoning, text, calls, usage', async () => {
    const weather = { name: 'get_weather', arguments: { city: 'Paris', days: 2 } }
    const play: OllamaPlay = {
      pieces: [
        { thinking: 'h' },
        { thinking: 'm' },
        'I ',
        'look.',
        { calls: [weather] },
        { calls: [weather, { name: 'now', arguments: {} }] },
      ],
    }
    const upstream = await start({ play: plays(play) })
    const events = await generateAll(upstream, toolsRequest())
    expect(events).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'I look.' },
      { type: 'call', index: 0, id: 'call_get_weather', name: 'get_weather', arguments: '{"city":"Paris","days":2}' },
      { type: 'call', index: 1, id: 'call_get_weather', name: 'get_weather', arguments: '{"city":"Paris","days":2}' },
      { type: 'call', index: 2, id: 'call_now', name: 'now', arguments: '{}' },
      { type: 'usage', usage: { inputTokens: expect.any(Number), outputTokens: 6 } },
      stop,
    ])
  })

  test('that is cut by the token limit says so', async () => {
    const upstream = await start({ play: plays({ pieces: ['a'], doneReason: 'length' }) })
    expect(withoutUsage(await generateAll(upstream, messagesRequest()))).toEqual([
      { type: 'text', text: 'a' },
      { type: 'finish', reason: 'length' },
    ])
  })

  test('with calls that were not asked for is read with them', async () => {
    const upstream = await start({ play: plays({ pieces: ['a', { calls: [{ name: 'now', arguments: {} }] }] }) })
    const events: UpstreamEvent[] = []
    for await (const batch of await upstream.generate(messagesRequest(), testContext())) events.push(...batch)
    expect(withoutUsage(events)).toMatchObject([{ type: 'text', text: 'a' }, { type: 'call', name: 'now' }, stop])
  })
})

describe('a prompt that is longer than the context', () => {
  const long = messagesRequest({ messages: [{ role: 'user', parts: [{ type: 'text', text: 'x'.repeat(20_000) }] }] })

  test.each<[string, number | undefined, RegExp]>([
    ['its default', undefined, /> 4096 maximum .*contextLength of upstream "local" \(it is not set/],
    ['what is configured', 2048, /> 2048 maximum .*contextLength of upstream "local" \(it is 2048\)/],
  ])('is an error: the context is %s', async (_, contextLength, said) => {
    const upstream = await start({}, contextLength === undefined ? {} : { contextLength })
    await expect(generateAll(upstream, long)).rejects.toMatchObject({
      code: 'context-length',
      message: expect.stringMatching(new RegExp(`^prompt is too long: 50\\d\\d tokens ${said.source}`)),
    })
    expect(server.requests).toHaveLength(1)
  })

  test.each<['to-context' | 'to-half', number]>([
    ['to-context', 4096],
    ['to-half', 2050],
  ])('has a notice where an older version cuts it %s', async (cuts, tokens) => {
    const upstream = await start({ cuts }, { contextLength: 4096 })
    const events = await generateAll(upstream, long)
    expect(events).toContainEqual({
      type: 'notice',
      notice: { code: 'prompt-cut', message: expect.stringMatching(`read ${tokens} tokens .* context of 4096 tokens`) },
    })
    expect(events.at(-1)).toEqual(stop)
    expect(await generateAll(upstream, messagesRequest())).not.toContainEqual(
      expect.objectContaining({ type: 'notice' }),
    )
  })
})

describe('faults', () => {
  test.each<[string, OllamaPlay | { status: number; error: string }]>([
    ['500', { status: 500, error: 'llama runner process has terminated' }],
    ['503', { status: 503, error: 'server busy, please try again. maximum pending requests exceeded' }],
    ['an error as the first line', { pieces: ['a'], error: { at: 0, message: 'an error was encountered' } }],
    ['a cut before the first line', { pieces: ['a'], fault: { at: 0, end: 'cut' } }],
    ['no line at all', { pieces: ['a'], fault: { at: 0, end: 'end' } }],
  ])('before the first event: %s is tried again', async (_, first) => {
    const upstream = await start({ play: plays(first, { pieces: ['a', 'b'] }) })
    expect(withoutUsage(await generateAll(upstream, messagesRequest()))).toEqual([{ type: 'text', text: 'ab' }, stop])
    expect(server.generations()).toHaveLength(2)
  })

  test.each<[string, OllamaPlay, RegExp]>([
    [
      'an error',
      { pieces: ['a', 'b'], error: { at: 1, message: 'error parsing tool call: raw' } },
      /"local".*error parsing tool call/,
    ],
    ['a cut', { pieces: ['a', 'b'], fault: { at: 1, end: 'cut' } }, /"local".*cut/],
    ['an end without `done`', { pieces: ['a', 'b'], fault: { at: 1, end: 'end' } }, /"local".*cut/],
  ])('after the first event: %s is thrown', async (_, play, said) => {
    const upstream = await start({ play: plays(play) })
    const stream = await upstream.generate(messagesRequest(), testContext())
    const read = async (): Promise<void> => {
      for await (const batch of stream) expect(batch).toEqual([{ type: 'text', text: 'a' }])
    }
    await expect(read()).rejects.toMatchObject({ code: 'upstream', message: expect.stringMatching(said) })
    expect(server.generations()).toHaveLength(1)
  })

  test('a model that is not there, for messages and for prompts', async () => {
    const upstream = await start()
    const missing = { code: 'not-found', message: expect.stringMatching(/"local".*model 'x' not found.*pull/) }
    await expect(generateAll(upstream, messagesRequest({ model: 'x' }))).rejects.toMatchObject(missing)
    await expect(generateAll(upstream, promptRequest({ model: 'x' }))).rejects.toMatchObject(missing)
  })

  test('a model without tools says so, for the gateway to choose another plan', async () => {
    const upstream = await start({ models: { m: { capabilities: ['completion'] } } })
    await expect(generateAll(upstream, toolsRequest())).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining('does not support tools'),
    })
    expect(server.requests).toHaveLength(1)
  })

  test('what is no reply is named as such', async () => {
    const upstream = createOllamaUpstream({
      name: 'local',
      url: 'http://a.example',
      transport: async () => ({
        status: 200,
        headers: {},
        body: (async function* () {
          yield new TextEncoder().encode('<html>\nWelcome</html>')
        })(),
      }),
    })
    await expect(generateAll(upstream, messagesRequest())).rejects.toThrow(
      /Upstream "local" sent what is not a reply of Ollama's API: "<html>/,
    )
  })

  test('a server that is down, and one that is silent', async () => {
    const play = plays({ pieces: ['a'], fault: { at: 0, end: 'silence' } })
    const upstream = await start({ play }, { retries: 0, timeouts: { firstByteMs: 50 } })
    await expect(generateAll(upstream, messagesRequest())).rejects.toMatchObject({ code: 'timeout' })
    await server.close()
    await expect(generateAll(upstream, messagesRequest())).rejects.toThrow(/^Upstream "local": nothing listens/)
    server = await startOllamaServer()
  })

  test('a client that leaves stops the generation', async () => {
    const upstream = await start({ play: plays({ pieces: ['a', 'b'], fault: { at: 1, end: 'silence' } }) })
    for await (const _ of await upstream.generate(messagesRequest(), testContext())) break
    await eventually(() => expect(server.requests[0]?.closedEarly).toBe(true))
  })
})

describe('what it says of its models', () => {
  test('models, with the context that they are loaded with', async () => {
    const models = { a: {}, 'b:7b': {} }
    expect(await (await start({ models })).models()).toEqual([{ id: 'a' }, { id: 'b:7b' }])
    await server.close()
    expect(await (await start({ models: { a: {} } }, { contextLength: 8192 })).models()).toEqual([
      { id: 'a', contextLength: 8192 },
    ])
  })

  test.each<[string[] | undefined, boolean | undefined]>([
    [['completion', 'tools'], true],
    [['completion'], false],
    [undefined, undefined],
  ])('capabilities %j: calls tools: %j', async (capabilities, expected) => {
    const upstream = await start({ models: { m: capabilities === undefined ? {} : { capabilities } } })
    expect(await upstream.callsTools?.('m', testContext())).toBe(expected)
    await expect(upstream.callsTools?.('x', testContext())).rejects.toMatchObject({ code: 'not-found' })
  })
})

describe('the chat template', () => {
  const digest = 'a'.repeat(64)

  /** A GGUF header with these texts. */
  function gguf(entries: Record<string, string>): Uint8Array {
    const u64 = (value: number): number[] => [...new Uint8Array(new BigUint64Array([BigInt(value)]).buffer)]
    const text = (value: string): number[] => [...u64(value.length), ...new TextEncoder().encode(value)]
    const body = Object.entries(entries).flatMap(([key, value]) => [...text(key), 8, 0, 0, 0, ...text(value)])
    const head = [...new TextEncoder().encode('GGUF'), 3, 0, 0, 0, ...u64(0), ...u64(Object.keys(entries).length)]
    return new Uint8Array([...head, ...body])
  }

  async function withBlob(content: Uint8Array, name: string, use: (path: string) => Promise<void>): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'anycall-blobs-'))
    try {
      const path = join(folder, name)
      await writeFile(path, content)
      await use(path)
    } finally {
      await rm(folder, { recursive: true })
    }
  }

  async function templateOf(from: string, log = vi.fn()): Promise<unknown> {
    const modelfile = `# Modelfile generated by "ollama show"\n# FROM m:latest\n\nFROM ${from}\nTEMPLATE """{{ .Prompt }}"""\n`
    const opened: string[] = []
    const upstream = await start(
      { models: { m: { modelfile } } },
      {
        openFile: (path) => {
          opened.push(path)
          // The folder of the test replaces Ollama's own.
          return openLocalFile(path.replace('/blobs/', '-'))
        },
      },
    )
    const template = await upstream.template?.('m', testContext({ log }))
    const again = await upstream.template?.('m', testContext({ log }))
    expect(again).toBe(template)
    expect(server.requests).toHaveLength(1)
    expect(opened).toEqual(/blobs/.test(from) ? [from.replaceAll('"', '')] : [])
    return template?.source
  }

  test('is read from the model file where that is on this machine', async () => {
    await withBlob(gguf({ 'tokenizer.chat_template': '{{ messages }}' }), `m-sha256-${digest}`, async (path) => {
      const from = path.replace('-sha256', '/blobs/sha256')
      expect(await templateOf(from)).toBe('{{ messages }}')
      await server.close()
      expect(await templateOf(`"${from}"`)).toBe('{{ messages }}')
    })
  })

  test('is none where the file is elsewhere, or no blob', async () => {
    expect(await templateOf(`/nowhere/blobs/sha256-${digest}`)).toBeUndefined()
    await server.close()
    expect(await templateOf('/etc/passwd')).toBeUndefined()
    await server.close()
    expect(await templateOf('qwen3')).toBeUndefined()
  })

  test('is none where the file has none, which the log says', async () => {
    await withBlob(gguf({ 'general.architecture': 'llama' }), `m-sha256-${digest}`, async (path) => {
      const log = vi.fn()
      expect(await templateOf(path.replace('-sha256', '/blobs/sha256'), log)).toBeUndefined()
      const why = expect.stringContaining('tokenizer.chat_template')
      expect(log).toHaveBeenCalledWith('info', 'upstream.no-template', { upstream: 'local', model: 'm', why })
    })
  })
})
