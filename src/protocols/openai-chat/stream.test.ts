import fc from 'fast-check'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import {
  AnycallError,
  type FinishReason,
  isJsonObject,
  ReplyCollector,
  type ReplyEvent,
  type Usage,
} from '../../conversation/index.ts'
import type { ReplyContext } from '../protocol.ts'
import type { OpenAIChatOptions } from './decode.ts'
import { encodeReply } from './encode.ts'
import { createEncoder } from './stream.ts'

const context = (includeUsage: boolean, functionCall = false): ReplyContext<OpenAIChatOptions> => ({
  id: 'chatcmpl-1',
  model: 'a "quoted" model',
  requestId: 'req_1',
  created: 1_700_000_000,
  estimateInputTokens: () => 12,
  options: { includeUsage, functionCall, customTools: new Set(functionCall ? [] : ['patch']) },
})

interface Delta {
  role?: string
  content?: string
  reasoning_content?: string
  function_call?: { name?: string; arguments: string }
  tool_calls?: {
    index: number
    id?: string
    type?: string
    function?: { name?: string; arguments: string }
    custom?: { name?: string; input: string }
  }[]
}
interface Chunk {
  id: string
  object: string
  created: number
  model: string
  choices: { index: number; delta: Delta; finish_reason: string | null }[]
  usage?: unknown
}

/** The data of each event; the text must be nothing but whole `data` events. */
function dataOf(text: string): string[] {
  expect(text.endsWith('\n\n')).toBe(true)
  return text
    .slice(0, -2)
    .split('\n\n')
    .map((event) => {
      expect(event).toMatch(/^data: [^\n]*$/)
      return event.slice('data: '.length)
    })
}

function chunksOf(text: string): Chunk[] {
  const data = dataOf(text)
  expect(data.pop()).toBe('[DONE]')
  return data.map((json) => JSON.parse(json) as Chunk)
}

/** A `chat.completion` put together from chunks in the way of the API's clients. */
function collect(chunks: Chunk[]): unknown {
  let content = ''
  let reasoning = ''
  let finishReason: string | null = null
  let usage: unknown
  let called: { name: string; arguments: string } | undefined
  const calls: {
    id: string
    type: string
    function?: { name: string; arguments: string }
    custom?: { name: string; input: string }
  }[] = []
  for (const chunk of chunks) {
    if (chunk.usage) usage = chunk.usage
    for (const { delta, finish_reason } of chunk.choices) {
      content += delta.content ?? ''
      reasoning += delta.reasoning_content ?? ''
      finishReason ??= finish_reason
      const piece = delta.function_call
      if (piece) {
        called ??= { name: '', arguments: '' }
        called.name += piece.name ?? ''
        called.arguments += piece.arguments
      }
      for (const piece of delta.tool_calls ?? []) {
        const call = calls[piece.index] ?? { id: '', type: '' }
        calls[piece.index] = call
        call.id += piece.id ?? ''
        call.type += piece.type ?? ''
        if (piece.function) {
          call.function ??= { name: '', arguments: '' }
          call.function.name += piece.function.name ?? ''
          call.function.arguments += piece.function.arguments
        }
        if (piece.custom) {
          call.custom ??= { name: '', input: '' }
          call.custom.name += piece.custom.name ?? ''
          call.custom.input += piece.custom.input
        }
      }
    }
  }
  const [first] = chunks
  return {
    id: first?.id,
    object: 'chat.completion',
    created: first?.created,
    model: first?.model,
    choices: [
      {
        index: 0,
        message: {
          role: first?.choices[0]?.delta.role,
          content: content === '' && (calls.length > 0 || called) ? null : content,
          refusal: null,
          ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
          ...(calls.length === 0 ? {} : { tool_calls: calls }),
          ...(called && { function_call: called }),
        },
        logprobs: null,
        finish_reason: finishReason,
      },
    ],
    usage,
  }
}

const text = fc.string({ unit: 'binary', maxLength: 12 })
const usage: fc.Arbitrary<Usage> = fc.record(
  { inputTokens: fc.nat(), outputTokens: fc.nat(), cachedTokens: fc.nat(), reasoningTokens: fc.nat() },
  { requiredKeys: [] },
)
const reasons: FinishReason[] = ['stop', 'calls', 'length', 'stop-sequence', 'content-filter']

interface PlannedCall {
  id: string
  name: string
  pieces: string[]
  complete: boolean
}
const plannedCall: fc.Arbitrary<PlannedCall> = fc.oneof(
  fc.record({ id: text, name: text, pieces: fc.array(text, { maxLength: 4 }), complete: fc.boolean() }),
  // A custom tool's text is read out of its arguments, so these are JSON.
  fc.record({
    id: text,
    name: fc.constant('patch'),
    pieces: fc
      .tuple(fc.constantFrom('input', 'other'), text)
      .map(([key, value]) => JSON.stringify({ [key]: value }))
      .map((json) => [json.slice(0, 7), json.slice(7, 12), json.slice(12)]),
    complete: fc.boolean(),
  }),
)

/** Valid sequences: texts and calls in any order, two neighbouring calls interleaved at times, one finish at the end. */
const replyEvents: fc.Arbitrary<ReplyEvent[]> = fc
  .tuple(
    fc.array(
      fc.oneof(
        fc.record({ type: fc.constantFrom('text' as const, 'reasoning' as const), text }),
        fc.record({
          type: fc.constant('calls' as const),
          calls: fc.array(plannedCall, { minLength: 1, maxLength: 2 }),
        }),
        fc.constant({ type: 'notice' as const, notice: { code: 'x', message: 'y' } }),
      ),
      { maxLength: 8 },
    ),
    fc.constantFrom(...reasons),
    fc.option(usage, { nil: undefined }),
    // Indices of events need not begin at 0 or be consecutive.
    fc.integer({ min: 1, max: 3 }),
  )
  .map(([items, reason, counted, step]) => {
    const events: ReplyEvent[] = []
    let index = step - 1
    for (const item of items) {
      if (item.type !== 'calls') {
        events.push(item)
        continue
      }
      const open = item.calls.map((call) => {
        const own = index
        index += step
        return { call, index: own }
      })
      for (const { call, index } of open) events.push({ type: 'call-start', index, id: call.id, name: call.name })
      const most = Math.max(...open.map(({ call }) => call.pieces.length))
      for (let i = 0; i < most; i++) {
        for (const { call, index } of open) {
          const json = call.pieces[i]
          if (json !== undefined) events.push({ type: 'call-arguments', index, json })
        }
      }
      for (const { call, index } of open) events.push({ type: 'call-end', index, complete: call.complete })
    }
    events.push({ type: 'finish', reason, ...(counted === undefined ? {} : { usage: counted }) })
    return events
  })

describe('createEncoder', () => {
  it('streams what the whole reply holds', () => {
    fc.assert(
      fc.property(replyEvents, fc.array(fc.nat({ max: 5 })), fc.boolean(), (events, sizes, functionCall) => {
        const encoder = createEncoder(context(true, functionCall))
        const collector = new ReplyCollector()
        let out = encoder.start()
        const rest = [...events]
        for (const size of [...sizes, rest.length]) {
          const batch = rest.splice(0, size)
          collector.push(batch)
          out += encoder.encode(batch)
        }
        expect(collect(chunksOf(out))).toEqual(encodeReply(collector.reply, context(true, functionCall)))
      }),
    )
  })

  const events: ReplyEvent[] = [
    { type: 'reasoning', text: 'hm' },
    { type: 'text', text: 'A\n"b"' },
    { type: 'call-start', index: 4, id: 'call_a', name: 'f' },
    { type: 'call-arguments', index: 4, json: '{"x":' },
    { type: 'call-arguments', index: 4, json: '1}' },
    { type: 'call-end', index: 4, complete: true },
    { type: 'notice', notice: { code: 'repaired', message: 'm' } },
    { type: 'call-start', index: 5, id: 'call_b', name: 'g' },
    { type: 'call-arguments', index: 5, json: '{}' },
    { type: 'call-end', index: 5, complete: true },
    { type: 'finish', reason: 'calls', usage: { inputTokens: 3, outputTokens: 4 } },
  ]

  it('sends each event as one chunk, the name and id of a call once', () => {
    const encoder = createEncoder(context(false))
    const chunks = chunksOf(encoder.start() + encoder.encode(events))
    expect(chunks.map((chunk) => chunk.choices[0]?.delta)).toEqual([
      { role: 'assistant', content: '' },
      { reasoning_content: 'hm' },
      { content: 'A\n"b"' },
      { tool_calls: [{ index: 0, id: 'call_a', type: 'function', function: { name: 'f', arguments: '' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"x":' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '1}' } }] },
      { tool_calls: [{ index: 1, id: 'call_b', type: 'function', function: { name: 'g', arguments: '' } }] },
      { tool_calls: [{ index: 1, function: { arguments: '{}' } }] },
      {},
    ])
    expect(chunks.map((chunk) => chunk.choices[0]?.finish_reason)).toEqual([...Array(8).fill(null), 'tool_calls'])
    for (const chunk of chunks) {
      expect(chunk).toMatchObject({
        id: 'chatcmpl-1',
        object: 'chat.completion.chunk',
        created: 1_700_000_000,
        model: 'a "quoted" model',
      })
      expect(Object.hasOwn(chunk, 'usage')).toBe(false)
    }
  })

  it('sends the call as function_call to a client that sent functions', () => {
    const encoder = createEncoder(context(false, true))
    const chunks = chunksOf(
      encoder.start() + encoder.encode(events.filter((event) => !('index' in event && event.index === 5))),
    )
    expect(chunks.map((chunk) => chunk.choices[0]?.delta)).toEqual([
      { role: 'assistant', content: '' },
      { reasoning_content: 'hm' },
      { content: 'A\n"b"' },
      { function_call: { name: 'f', arguments: '' } },
      { function_call: { arguments: '{"x":' } },
      { function_call: { arguments: '1}' } },
      {},
    ])
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('function_call')
  })

  it('sends the input of a custom tool as text, as it comes', () => {
    const encoder = createEncoder(context(false))
    const chunks = chunksOf(
      encoder.start() +
        encoder.encode([
          { type: 'call-start', index: 0, id: 'call_a', name: 'patch' },
          { type: 'call-arguments', index: 0, json: '{"input":' },
          { type: 'call-arguments', index: 0, json: '"a\\nb' },
          { type: 'call-arguments', index: 0, json: 'c"}' },
          { type: 'call-end', index: 0, complete: true },
          { type: 'finish', reason: 'calls' },
        ]),
    )
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.tool_calls?.[0])).toEqual([
      undefined,
      { index: 0, id: 'call_a', type: 'custom', custom: { name: 'patch', input: '' } },
      { index: 0, custom: { input: 'a\nb' } },
      { index: 0, custom: { input: 'c' } },
      undefined,
    ])
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('tool_calls')
  })

  it('with usage asked for, says null in each chunk and the usage in one of its own', () => {
    const encoder = createEncoder(context(true))
    const chunks = chunksOf(encoder.start() + encoder.encode(events))
    const last = chunks.pop()
    expect(last?.choices).toEqual([])
    expect(last?.usage).toMatchObject({ prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 })
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('tool_calls')
    for (const chunk of chunks) expect(chunk.usage).toBeNull()
  })

  it('ends a failed stream with the error and [DONE], and says nothing more of an ended one', () => {
    const failure = new AnycallError('rate-limit', 'Too many requests; wait 3 seconds.')
    const encoder = createEncoder(context(false))
    const [, error, end, ...rest] = dataOf(encoder.start() + encoder.fail(failure) + encoder.fail(failure))
    expect(JSON.parse(error ?? '')).toEqual({
      error: {
        message: 'Too many requests; wait 3 seconds.',
        type: 'rate_limit_error',
        param: null,
        code: 'rate_limit_exceeded',
      },
    })
    expect([end, ...rest]).toEqual(['[DONE]'])
    const finished = createEncoder(context(false))
    finished.encode(events)
    expect(finished.fail(failure)).toBe('')
  })

  it('pings with a comment', () => {
    expect(createEncoder(context(false)).ping()).toMatch(/^:[^\n]*\n\n$/)
  })
})

describe('the stream as the openai package reads it', () => {
  const clientOf = (sse: string): OpenAI =>
    new OpenAI({
      apiKey: 'k',
      maxRetries: 0,
      fetch: async () => new Response(sse, { headers: { 'content-type': 'text/event-stream' } }),
    })
  const request = { model: 'm', messages: [{ role: 'user' as const, content: 'hi' }] }

  it('has the text, the calls and the usage', async () => {
    const encoder = createEncoder(context(true))
    const sse =
      encoder.start() +
      encoder.ping() +
      encoder.encode([
        { type: 'text', text: 'Look' },
        { type: 'call-start', index: 0, id: 'call_a', name: 'f' },
        { type: 'call-arguments', index: 0, json: '{"x":' },
        { type: 'call-arguments', index: 0, json: '1}' },
        { type: 'call-end', index: 0, complete: true },
        { type: 'finish', reason: 'calls', usage: { inputTokens: 3, outputTokens: 4 } },
      ])
    const completion = await clientOf(sse).chat.completions.stream(request).finalChatCompletion()
    expect(completion.usage?.total_tokens).toBe(7)
    expect(completion.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        role: 'assistant',
        content: 'Look',
        tool_calls: [{ id: 'call_a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } }],
      },
    })
  })

  it('has the call of a client that sent functions', async () => {
    const encoder = createEncoder(context(false, true))
    const sse =
      encoder.start() +
      encoder.encode([
        { type: 'call-start', index: 0, id: 'call_a', name: 'f' },
        { type: 'call-arguments', index: 0, json: '{"x":' },
        { type: 'call-arguments', index: 0, json: '1}' },
        { type: 'call-end', index: 0, complete: true },
        { type: 'finish', reason: 'calls' },
      ])
    const completion = await clientOf(sse).chat.completions.stream(request).finalChatCompletion()
    expect(completion.choices[0]).toMatchObject({
      finish_reason: 'function_call',
      message: { role: 'assistant', function_call: { name: 'f', arguments: '{"x":1}' } },
    })
  })

  it.each(['', '{'])('has no call whose arguments broke off at %j', async (json) => {
    const encoder = createEncoder(context(false))
    const sse =
      encoder.start() +
      encoder.encode([
        { type: 'text', text: 'Look' },
        { type: 'call-start', index: 0, id: 'call_a', name: 'f' },
        { type: 'call-arguments', index: 0, json },
        { type: 'call-end', index: 0, complete: false },
        { type: 'finish', reason: 'length' },
      ])
    const { choices } = await clientOf(sse).chat.completions.stream(request).finalChatCompletion()
    const content = 'Look\n[The call of the tool f broke off before its arguments and was not made.]'
    expect(choices[0]).toMatchObject({ finish_reason: 'length', message: { content } })
    expect(choices[0]?.message.tool_calls).toBeUndefined()
  })

  it('has the error of a stream that failed', async () => {
    const encoder = createEncoder(context(false))
    const sse = encoder.start() + encoder.fail(new AnycallError('upstream', 'The model server hung up.'))
    const error: unknown = await clientOf(sse)
      .chat.completions.stream(request)
      .finalChatCompletion()
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(OpenAI.APIError)
    expect(isJsonObject(error) && error.type).toBe('server_error')
    expect(String(error)).toContain('The model server hung up.')
  })
})
