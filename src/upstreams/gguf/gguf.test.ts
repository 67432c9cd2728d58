import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TinyModel, writeGguf } from '../../../test/gguf/write-gguf.ts'
import { eventually } from '../../../test/support/eventually.ts'
import {
  byteModel,
  type FakeEngine,
  type FakeEngineOptions,
  fakeEngine,
} from '../../../test/support/upstreams/gguf-engine.ts'
import { AnycallError } from '../../conversation/index.ts'
import type { GbnfGrammar } from '../../grammar/index.ts'
import type { Constraint, GenerationContext, PromptRequest, Upstream, UpstreamEvent } from '../upstream.ts'
import { createGgufUpstream, type GgufOptions } from './gguf.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'anycall-gguf-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function modelFile(name: string = 'tiny.gguf', model: TinyModel = {}): string {
  const file = join(folder, name)
  writeFileSync(file, writeGguf(model))
  return file
}

const context = (signal: AbortSignal = new AbortController().signal): GenerationContext => ({
  signal,
  requestId: 'r1',
  log: () => {},
})

function upstreamOf(
  options: FakeEngineOptions,
  more: Partial<GgufOptions> = {},
): { upstream: Upstream; engine: FakeEngine } {
  const engine = fakeEngine(options)
  const upstream = createGgufUpstream({ name: 'here', file: modelFile(), sequences: 1, engine, ...more })
  return { upstream, engine }
}

const ask = (more: Partial<PromptRequest> = {}): PromptRequest => ({
  type: 'prompt',
  model: 'tiny',
  prompt: '<s>Hi<|im_end|>',
  stops: [],
  preservedTokens: [],
  sampling: {},
  ...more,
})

async function reply(upstream: Upstream, request: PromptRequest = ask()): Promise<UpstreamEvent[][]> {
  const batches: UpstreamEvent[][] = []
  for await (const batch of await upstream.generate(request, context())) batches.push(batch)
  return batches
}

const textOf = (batches: readonly UpstreamEvent[][]) =>
  batches
    .flat()
    .map((event) => (event.type === 'text' ? event.text : ''))
    .join('')

async function errorOf(promise: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error = await promise.then(
    () => new Error('nothing was thrown'),
    (error: unknown) => error,
  )
  if (!(error instanceof AnycallError)) throw error
  return { code: error.code, message: error.message.replaceAll(folder, '') }
}

test('takes prompts, held to a grammar', () => {
  const { name, type, abilities } = upstreamOf({ replies: [''] }).upstream
  expect({ name, type, abilities }).toEqual({
    name: 'here',
    type: 'gguf',
    abilities: { requests: ['prompt'], constraint: 'gbnf' },
  })
})

describe('a reply', () => {
  test('is given out token by token, with markers as text, and ends where the turn does', async () => {
    const { upstream, engine } = upstreamOf({ replies: ['<tool_call>é</tool_call><|im_end|>lost'] })
    expect(await reply(upstream)).toEqual([
      [{ type: 'text', text: '<tool_call>' }],
      [{ type: 'text', text: 'é' }],
      [{ type: 'text', text: '</tool_call>' }],
      [
        { type: 'usage', usage: { inputTokens: 4, outputTokens: 5, cachedTokens: 0 } },
        { type: 'finish', reason: 'stop' },
      ],
    ])
    expect(engine.steps).toEqual(['0 write 4'])
  })

  const spelled = (marker: string) => [...new TextEncoder().encode(marker), ...byteModel.tokenize('</s>')]

  test.each<[string, Partial<PromptRequest>, string | number[], string, string, number]>([
    ['by the token limit', { maxTokens: 3 }, 'abcdef', 'abc', 'length', 3],
    ['by the token limit within a character', { maxTokens: 2 }, 'a😀', 'a\ufffd', 'length', 2],
    ['by the context', {}, 'x'.repeat(60), 'x'.repeat(46), 'length', 46],
    ['at a stop across tokens', { stops: ['<end>', 'zz'] }, 'Well<end> more', 'Well', 'stop', 9],
    ['with what could have become a stop', { stops: ['<end>'] }, 'Well<en<|im_end|>', 'Well<en', 'stop', 8],
    ['at a marker that is a stop', { stops: ['</tool_call>'] }, 'a</tool_call>b', 'a', 'stop', 2],
    [
      'not at a marker that is spelled out',
      { stops: ['</tool_call>'] },
      spelled('</tool_call>'),
      '</tool_call>',
      'stop',
      13,
    ],
  ])('ends %s', async (_, request, written, text, reason, outputTokens) => {
    const { upstream } = upstreamOf({ replies: [written], contextSize: 50 })
    const batches = await reply(upstream, ask(request))
    expect(textOf(batches)).toBe(text)
    expect(batches.flat()).toContainEqual({ type: 'finish', reason })
    expect(batches.flat()).toContainEqual({
      type: 'usage',
      usage: { inputTokens: 4, outputTokens, cachedTokens: 0 },
    })
  })

  test("samples as the client says, with llama.cpp's defaults for the rest", async () => {
    const { upstream, engine } = upstreamOf({ replies: ['a'] })
    await reply(upstream, ask({ sampling: { temperature: 0, topK: 5, seed: -1, frequencyPenalty: 0.5 } }))
    await reply(upstream)
    expect(engine.writes.map(({ sampling }) => sampling)).toEqual([
      { temperature: 0, topP: 0.95, topK: 5, minP: 0.05, seed: 4294967295, presencePenalty: 0, frequencyPenalty: 0.5 },
      {
        temperature: 0.8,
        topP: 0.95,
        topK: 40,
        minP: 0.05,
        seed: expect.any(Number),
        presencePenalty: 0,
        frequencyPenalty: 0,
      },
    ])
  })
})

describe('the prompt', () => {
  test.each([
    ['has its first token already', '<s>Hi', 3],
    ['lacks it', 'Hi', 3],
    ['is empty', '', 1],
  ])('%s', async (_, prompt, tokens) => {
    const { upstream } = upstreamOf({ replies: ['a'] })
    expect((await reply(upstream, ask({ prompt }))).flat()).toContainEqual({
      type: 'usage',
      usage: { inputTokens: tokens, outputTokens: 1, cachedTokens: 0 },
    })
    expect(await upstream.countTokens?.(prompt, 'tiny', context())).toBe(tokens)
  })

  test('is read in pieces, so that whoever leaves is let go; what the engine holds of it is not read again', async () => {
    const { upstream, engine } = upstreamOf({ replies: ['ok<|im_end|>'], batchSize: 10 })
    const prompt = `<s>${'a'.repeat(24)}`
    await reply(upstream, ask({ prompt }))
    const second = await reply(upstream, ask({ prompt: `${prompt}ok${'b'.repeat(11)}` }))
    expect(engine.steps).toEqual(['0 read 10', '0 read 10', '0 write 5', '0 read 10', '0 write 1'])
    expect(second.flat()).toContainEqual({
      type: 'usage',
      usage: { inputTokens: 38, outputTokens: 3, cachedTokens: 27 },
    })
  })

  test('is refused when it leaves no room, in the words that clients look for', async () => {
    const { upstream, engine } = upstreamOf({ replies: ['a'], contextSize: 4 })
    expect(await errorOf(upstream.generate(ask(), context()))).toEqual({
      code: 'context-length',
      message:
        'prompt is too long: 4 tokens > 4 maximum (upstream "here"). Raise its contextSize, where memory allows.',
    })
    expect(engine.steps).toEqual([])
  })

  test('goes to the conversation that it continues', async () => {
    const { upstream, engine } = upstreamOf({ replies: ['x<|im_end|>'] }, { sequences: 2 })
    for (const prompt of ['<s>first one', '<s>second', '<s>first onex, again', '<s>secondx, again']) {
      await reply(upstream, ask({ prompt }))
    }
    expect(engine.steps.map((step) => step.split(' ')[0])).toEqual(['0', '1', '0', '1'])
  })
})

describe('a grammar', () => {
  const constraint = (more: Partial<GbnfGrammar> = {}): Constraint => ({
    type: 'gbnf',
    grammar: {
      grammar: 'root ::= "<tool_call>" [a-z]\n',
      root: 'root',
      isLazy: false,
      triggers: [],
      preservedTokens: [],
      stops: [],
      widened: [],
      ...more,
    },
  })

  const lazy = { isLazy: true, triggers: [{ type: 'word' as const, value: '<tool_call>' }] }

  test('holds the reply', async () => {
    const { upstream, engine } = upstreamOf({ replies: ['a'] })
    await reply(upstream, ask({ constraint: constraint() }))
    expect(engine.writes[0]?.grammar).toBe('root ::= "<tool_call>" [a-z]\n')
  })

  test('that is lazy leaves text free until its trigger', async () => {
    const { upstream, engine } = upstreamOf({ replies: ['a'] })
    await reply(upstream, ask({ constraint: constraint(lazy) }))
    expect(engine.writes[0]?.grammar).toMatch(/^root ::= t-\S+ from-trigger\?\n/)
    expect(engine.writes[0]?.grammar).toContain('\nfrom-trigger ::= "<tool_call>" [a-z]\n')
  })

  test.each<[string, Partial<GbnfGrammar>, string, string]>([
    ['counts where nothing is a call', { isText: true }, 'a<stop>b', 'a'],
    ['counts before the call', lazy, 'a<stop>b', 'a'],
    ['is text in a call', lazy, '<tool_call><stop>b<stop', '<tool_call><stop>b<stop'],
    ['is text where all is a call', {}, 'a<stop>b</tool_call>c', 'a<stop>b</tool_call>c'],
    ['that had begun before the call is text', lazy, 'a<st<tool_call>op>', 'a<st<tool_call>op>'],
  ])('a stop %s', async (_, more, written, text) => {
    const { upstream } = upstreamOf({ replies: [`${written}<|im_end|>`] })
    const request = ask({ constraint: constraint(more), stops: ['<stop>', '</tool_call>'] })
    expect(textOf(await reply(upstream, request))).toBe(text)
  })

  test.each([
    ['that the engine refuses', constraint(), 'Failed to parse grammar'],
    [
      'whose trigger it does not know',
      constraint({ isLazy: true, triggers: [{ type: 'pattern', value: 'a+' }] }),
      'it cannot be written without triggers',
    ],
  ])('%s is left out, which a notice says before all else', async (_, given, why) => {
    const { upstream, engine } = upstreamOf({ replies: ['a'], refusalOf: () => 'Failed to parse grammar' })
    const [first] = await reply(upstream, ask({ constraint: given }))
    const message = `Upstream "here" takes no such grammar (${why}): the reply is not held to the tools' schemas.`
    expect(first).toEqual([
      { type: 'notice', notice: { code: 'constraint-refused', message } },
      { type: 'text', text: 'a' },
    ])
    expect(engine.writes[0]?.grammar).toBeUndefined()
  })
})

describe('whoever leaves', () => {
  test('is let go at once, and what is computed goes on to its next token only', async () => {
    let release = (): void => {}
    const { upstream, engine } = upstreamOf({
      replies: ['abc', 'second'],
      delay: () =>
        new Promise((resolve) => {
          release = resolve
        }),
    })
    const leaving = new AbortController()
    const generation = errorOf(upstream.generate(ask(), context(leaving.signal)))
    await eventually(() => expect(engine.steps).toHaveLength(1))
    leaving.abort()
    expect((await generation).code).toBe('cancelled')
    // The next one waits for the conversation, as the engine still computes in it.
    const next = upstream.generate(ask(), context())
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(engine.steps).toHaveLength(1)
    release()
    await eventually(() => expect(engine.steps).toHaveLength(2))
    release()
    expect(await (await next)[Symbol.asyncIterator]().next()).toEqual({
      done: false,
      value: [{ type: 'text', text: 's' }],
    })
  })

  test('by breaking off the stream gives the conversation back', async () => {
    const { upstream } = upstreamOf({ replies: ['abcdef'] })
    for (let count = 0; count < 3; count++) {
      for await (const batch of await upstream.generate(ask(), context())) {
        expect(batch).toEqual([{ type: 'text', text: 'a' }])
        break
      }
    }
    expect(textOf(await reply(upstream))).toBe('abcdef')
  })

  test('within a reply hears of it', async () => {
    const { upstream } = upstreamOf({ replies: ['abcdef'] })
    const leaving = new AbortController()
    const read = async () => {
      for await (const _ of await upstream.generate(ask(), context(leaving.signal))) leaving.abort()
    }
    expect((await errorOf(read())).code).toBe('cancelled')
    expect(textOf(await reply(upstream))).toBe('abcdef')
  })
})

describe('the file', () => {
  test('is loaded once, when it is first needed, with its settings', async () => {
    const { upstream, engine } = upstreamOf({ replies: ['a'] }, { contextSize: 512, threads: 1, gpuLayers: 0 })
    await upstream.models()
    await upstream.template?.('tiny', context())
    expect(engine.loads).toEqual([])
    await Promise.all([reply(upstream), reply(upstream), upstream.countTokens?.('a', 'tiny', context())])
    const file = join(folder, 'tiny.gguf')
    expect(engine.loads).toEqual([{ file, sequences: 1, contextSize: 512, threads: 1, gpuLayers: 0 }])
    await upstream.close?.()
    expect(engine.isClosed).toBe(true)
  })

  test.each([
    ['Qwen3-0.6B-Q8_0.gguf', 'Qwen3-0.6B-Q8_0'],
    ['big-00001-of-00003.gguf', 'big'],
    ['UPPER.GGUF', 'UPPER'],
  ])('%s is the model %s', async (name, id) => {
    const { upstream } = upstreamOf({ replies: ['a'] }, { file: modelFile(name) })
    expect(await upstream.models()).toEqual([{ id }])
    await reply(upstream)
    expect(await upstream.models()).toEqual([{ id, contextLength: 1000 }])
  })

  test('shows its chat template, with the tokens that it is written with', async () => {
    const chatTemplate = '{{ bos_token }}{% for message in messages %}{{ message.content }}{% endfor %}'
    const file = modelFile('template.gguf', { chatTemplate, tokens: [{ text: '<|end|>', type: 'control' }] })
    const { upstream } = upstreamOf({ replies: ['a'] }, { file })
    const template = await upstream.template?.('template', context())
    expect(template?.source).toBe(chatTemplate)
    expect(template?.specialTokens).toMatchObject({ bos_token: '<s>', eos_token: '</s>' })
    expect(template?.addedTokens).toContain('<|end|>')
  })

  test('may have no template', async () => {
    const { upstream } = upstreamOf({ replies: ['a'] })
    expect(await upstream.template?.('tiny', context())).toBeUndefined()
  })
})

describe('what goes wrong', () => {
  const fault = new Error('unknown model architecture: "x"')

  test.each<[string, Partial<GgufOptions>, FakeEngineOptions, (upstream: Upstream) => Promise<unknown>, string]>([
    [
      'no file',
      { file: 'no.gguf' },
      { replies: [''] },
      (upstream) => upstream.models(),
      'no.gguf cannot be read: there is no such file',
    ],
    [
      'a folder',
      { file: tmpdir() },
      { replies: [''] },
      reply,
      `${tmpdir()} cannot be read: it is a folder; name a .gguf file in it`,
    ],
    [
      'a model that the engine does not know',
      {},
      { replies: [''], loadFault: fault },
      reply,
      '/tiny.gguf cannot be loaded: unknown model architecture: "x"',
    ],
    [
      'an engine that fails',
      {},
      { replies: [new Error('Failed to decode')] },
      reply,
      'the engine failed: Failed to decode',
    ],
  ])('%s is said in the name of the upstream', async (_, more, options, act, said) => {
    const { upstream } = upstreamOf(options, more)
    expect(await errorOf(act(upstream))).toEqual({ code: 'upstream', message: `Upstream "here": ${said}` })
  })

  test('an engine that is not there is named with what to install', async () => {
    const findFault = new AnycallError('internal', 'Run: npm install node-llama-cpp')
    const { upstream } = upstreamOf({ replies: [''], findFault })
    expect(await errorOf(upstream.models())).toEqual({
      code: 'internal',
      message: 'Upstream "here": Run: npm install node-llama-cpp',
    })
  })

  test('a template that is none', async () => {
    const file = modelFile('broken.gguf', { chatTemplate: '{% if %}' })
    const { upstream } = upstreamOf({ replies: [''] }, { file })
    const { code, message } = await errorOf(Promise.resolve(upstream.template?.('broken', context())))
    expect(code).toBe('upstream')
    expect(message).toMatch(/^Upstream "here": \/broken\.gguf: line 1 of its template: the template cannot be read: /)
  })

  test('a file that could not be loaded is tried again', async () => {
    const options: FakeEngineOptions = { replies: ['a'], loadFault: fault }
    const engine = fakeEngine(options)
    const upstream = createGgufUpstream({ name: 'here', file: modelFile(), sequences: 1, engine })
    await errorOf(reply(upstream))
    await errorOf(reply(upstream))
    expect(engine.loads).toHaveLength(2)
  })

  test('a request that is no prompt is not taken', async () => {
    const { upstream } = upstreamOf({ replies: [''] })
    const request = { type: 'messages' as const, model: 'm', messages: [], sampling: {} }
    expect((await errorOf(upstream.generate(request, context()))).code).toBe('internal')
  })
})
