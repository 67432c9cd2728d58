import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lawRuns } from '../../../test/support/draws.ts'
import type { JsonValue } from '../../conversation/index.ts'
import { chatFormat } from '../openai-chat/chunk.ts'
import type { Log, UpstreamEvent } from '../upstream.ts'
import { ReplyDecoder } from './reply-decoder.ts'

const encoder = new TextEncoder()
const data = (value: JsonValue): string => `data: ${JSON.stringify(value)}\n\n`
const delta = (value: JsonValue, finish: string | null = null): string =>
  data({ choices: [{ index: 0, delta: value, finish_reason: finish }] })
const text = (content: string): string => delta({ content })
const done = 'data: [DONE]\n\n'

interface Outcome {
  events: UpstreamEvent[]
  failure: string | undefined
  warnings: string[]
}

/** All events, with neighbours of one kind merged, and how it ended. */
function decode(chunks: Uint8Array[]): Outcome {
  const warnings: string[] = []
  const log: Log = (level, event) => void (level === 'warn' && warnings.push(event))
  const decoder = new ReplyDecoder(chatFormat(), { upstream: 'local', secrets: ['sk-secret-1'] }, log)
  const events = [...chunks.flatMap((chunk) => decoder.push(chunk)), ...(decoder.done ? [] : decoder.end())]
  const merged: UpstreamEvent[] = []
  for (const event of events) {
    const last = merged.at(-1)
    if ((event.type === 'text' || event.type === 'reasoning') && last?.type === event.type) last.text += event.text
    else merged.push({ ...event })
  }
  expect(decoder.done).toBe(decoder.failure === undefined)
  return { events: merged, failure: decoder.failure?.message, warnings }
}

/** The same of a body that is read in pieces. */
async function decodeLarge(body: string): Promise<Outcome> {
  const warnings: string[] = []
  const log: Log = (level, event) => void (level === 'warn' && warnings.push(event))
  const decoder = new ReplyDecoder(chatFormat(), { upstream: 'local', secrets: [] }, log)
  const events = decoder.push(encoder.encode(body))
  expect(decoder.waits).toBe(true)
  events.push(...(await decoder.readOn()))
  if (!decoder.done && !decoder.failure) events.push(...decoder.end())
  if (decoder.waits) events.push(...(await decoder.readOn()))
  return { events, failure: decoder.failure?.message, warnings }
}

const decodeText = (body: string): Outcome => decode([encoder.encode(body)])
const stop: UpstreamEvent = { type: 'finish', reason: 'stop' }
const says = (content: string): UpstreamEvent => ({ type: 'text', text: content })
const thinks = (content: string): UpstreamEvent => ({ type: 'reasoning', text: content })

describe('a stream of chunks', () => {
  const cases: [name: string, body: string, events: UpstreamEvent[]][] = [
    [
      'text',
      delta({ role: 'assistant', content: '' }) + text('Hé') + text('llo') + delta({}, 'stop') + done,
      [says('Héllo'), stop],
    ],
    ['CR LF', (text('a') + delta({}, 'stop') + done).replaceAll('\n', '\r\n'), [says('a'), stop]],
    [
      'a byte order mark, comments, ids and empty data',
      `\uFEFF: hi\n\nid: 1\n${text('a')}data:\n\n${done}`,
      [says('a'), stop],
    ],
    [
      'content in parts',
      delta({ content: [{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }, 1] }) + done,
      [says('ab'), stop],
    ],
    [
      'thinking in parts',
      delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 't' }] }] }) + done,
      [thinks('t'), stop],
    ],
    [
      'reasoning_content',
      delta({ content: null, reasoning_content: 'r' }) + text('a') + done,
      [thinks('r'), says('a'), stop],
    ],
    ['reasoning', delta({ reasoning: 'r', content: 'a' }) + done, [thinks('r'), says('a'), stop]],
    ['reasoning under both names', delta({ reasoning_content: 'r', reasoning: 'r' }) + done, [thinks('r'), stop]],
    ['nulls', delta({ content: null, reasoning: null, reasoning_content: null }) + delta(null) + done, [stop]],
    ['a refusal', delta({ content: null, refusal: 'no' }, 'stop') + done, [says('no'), stop]],
    [
      'other choices',
      data({
        choices: [
          { index: 1, delta: { content: 'x' } },
          { index: 0, delta: { content: 'a' } },
        ],
      }) + done,
      [says('a'), stop],
    ],
    ['a choice without index', data({ choices: [{ delta: { content: 'a' } }] }) + done, [says('a'), stop]],
    ['two finish reasons', delta({}, 'length') + delta({}, 'stop') + done, [{ type: 'finish', reason: 'length' }]],
    ['no finish reason', text('a') + done, [says('a'), stop]],
    ['no [DONE]', text('a') + delta({}, 'stop'), [says('a'), stop]],
    ['no blank line at the end', `${text('a')}data: [DONE]`, [says('a'), stop]],
    ['what comes after [DONE]', done + text('x'), [stop]],
    ['a malformed line among good ones', `data: {"choices"\n\n${text('a')}${done}`, [says('a'), stop]],
    ['a line that is not SSE', `oops\n${text('a')}${done}`, [says('a'), stop]],
  ]
  it.each(cases)('%s', (_, body, events) => {
    expect(decodeText(body)).toMatchObject({ events, failure: undefined })
  })

  it.each([
    ['stop', 'stop'],
    ['tool_calls', 'stop'],
    ['function_call', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content-filter'],
    ['whatever', 'stop'],
  ])('finish reason %s is %s', (given, reason) => {
    expect(decodeText(delta({}, given)).events).toEqual([{ type: 'finish', reason }])
  })

  it("reads vLLM's stop_reason: a text is a stop sequence, a number a token", () => {
    const finish = (stop_reason: JsonValue): UpstreamEvent[] =>
      decodeText(data({ choices: [{ index: 0, delta: {}, finish_reason: 'stop', stop_reason }] })).events
    expect(finish('###')).toEqual([{ type: 'finish', reason: 'stop-sequence', stopSequence: '###' }])
    expect(finish(151645)).toEqual([stop])
    expect(finish(null)).toEqual([stop])
  })

  const usage = {
    prompt_tokens: 10,
    completion_tokens: 5,
    total_tokens: 15,
    prompt_tokens_details: { cached_tokens: 4 },
    completion_tokens_details: { reasoning_tokens: 3 },
  }
  const read: UpstreamEvent = {
    type: 'usage',
    usage: { inputTokens: 10, outputTokens: 5, cachedTokens: 4, reasoningTokens: 3 },
  }
  it.each([
    ['after the finish, choices empty', delta({}, 'stop') + data({ choices: [], usage }) + done, [stop, read]],
    ['after the finish, no choices', delta({}, 'stop') + data({ usage }) + done, [stop, read]],
    ['with the finish', data({ choices: [{ delta: {}, finish_reason: 'stop' }], usage }) + done, [stop, read]],
    ['null in each chunk', data({ choices: [{ delta: { content: 'a' } }], usage: null }) + done, [says('a'), stop]],
    [
      'null details',
      delta({}, 'stop') + data({ usage: { prompt_tokens: 1, prompt_tokens_details: null } }),
      [stop, { type: 'usage', usage: { inputTokens: 1 } }],
    ],
    [
      'counts that cannot be',
      delta({}, 'stop') +
        data({
          usage: {
            prompt_tokens: -5,
            completion_tokens: 1.5,
            total_tokens: 1,
            prompt_tokens_details: { cached_tokens: 1e300 },
          },
        }),
      [stop, { type: 'usage', usage: {} }],
    ],
  ])('usage: %s', (_, body, events) => {
    expect(decodeText(body).events).toEqual(events)
  })

  it('warns once of malformed lines', () => {
    expect(decodeText(`data: x\n\ndata: y\n\n${text('a')}${done}`).warnings).toEqual(['upstream.malformed-event'])
  })
})

describe('a whole reply', () => {
  const whole = (value: JsonValue): Outcome => decodeText(JSON.stringify(value))

  it('is read as one, whatever its content type', () => {
    const message = { role: 'assistant', content: 'a', reasoning_content: 'r' }
    expect(whole({ choices: [{ index: 0, message, finish_reason: 'length' }], usage: { prompt_tokens: 1 } })).toEqual({
      events: [
        thinks('r'),
        says('a'),
        { type: 'finish', reason: 'length' },
        { type: 'usage', usage: { inputTokens: 1 } },
      ],
      failure: undefined,
      warnings: [],
    })
  })

  it('without a finish reason is finished', () => {
    expect(whole({ choices: [{ message: { content: 'a' } }] }).events).toEqual([says('a'), stop])
  })

  it.each([
    ['an error', { error: { message: 'no room', code: 503 } }, /answered 503 and said "no room"/],
    ['something else', { status: 'ok' }, /not a chat completion: "{"status":"ok"}"/],
  ])('that is %s is an error', (_, value, message) => {
    expect(whole(value)).toMatchObject({ events: [], failure: expect.stringMatching(message) })
  })
})

describe('failures', () => {
  it.each([
    ['cut after text', text('a'), [says('a')], /was cut/],
    ['cut in a line', `${text('a')}data: {"choi`, [says('a')], /was cut/],
    ['empty', '', [], /was cut/],
    ['comments alone', ': processing\n\n', [], /was cut/],
    ['a page', '<html>\n<body>Welcome</body>\n</html>', [], /not a chat completion: "<html>\n<body>Welcome/],
    ['data without JSON', 'data: Number of choices must be greater than 0.\n\n', [], /Number of choices/],
    ['JSON that is cut', '{"choices":[{"mess', [], /not a chat completion/],
    [
      'an error chunk',
      `${text('a')}${data({ error: { message: 'Compute error.' } })}${text('x')}${done}`,
      [says('a')],
      /Compute error/,
    ],
    ['an error event', `${text('a')}event: error\ndata: {"message":"boom"}\n\n`, [says('a')], /boom/],
    ['an error event without JSON', `event: error\ndata: boom\n\n`, [], /boom/],
    ['an error field', `error: {"code":500,"message":"boom"}\n\n`, [], /answered 500 and said "boom"/],
    ['a finish reason that is a failure', text('a') + delta({}, 'abort') + done, [says('a')], /gave up.*abort/],
  ])('%s', (_, body, events, message) => {
    expect(decodeText(body)).toMatchObject({ events, failure: expect.stringMatching(message) })
  })

  it('shows 200 characters of what it cannot read, without keys', () => {
    const { failure = '' } = decodeText(`${'z'.repeat(195)}sk-secret-1${'z'.repeat(500)}`)
    expect(failure.match(/z/g)?.length).toBe(195)
    expect(failure).not.toContain('sk-s')
  })

  it.each([
    ['an event', 'data: {"choices":"'],
    ['a reply', '{"choices":"'],
  ])('%s without end is refused before it fills the memory', (_, beginning) => {
    const megabyte = encoder.encode('x'.repeat(1024 * 1024))
    const chunks = [encoder.encode(beginning), ...Array.from({ length: 20 }, () => megabyte)]
    expect(decode(chunks).failure).toMatch(/more than 16777216 characters/)
  })
})

describe('chunk invariance', () => {
  const event = fc.oneof(
    fc.string({ unit: 'grapheme' }).map(text),
    fc.string({ unit: 'grapheme' }).map((reasoning_content) => delta({ reasoning_content })),
    fc.constantFrom('stop', 'length', 'abort').map((reason) => delta({}, reason)),
    fc.nat(9).map((prompt_tokens) => data({ choices: [], usage: { prompt_tokens } })),
    fc.constantFrom(done, ': ping\n\n', 'data: {"broken\n\n', 'garbage\n', 'event: error\ndata: {"message":"é"}\n\n'),
    fc.constantFrom(data({ error: { message: 'ü' } }), '{"choices":[{"message":{"content":"😀"}}]}'),
  )
  const body = fc
    .tuple(fc.array(event, { maxLength: 8 }), fc.constantFrom('\n', '\r\n', '\r'), fc.nat(30))
    .map(([events, lineEnd, missing]) => {
      const bytes = encoder.encode(events.join('').replaceAll('\n', lineEnd))
      return bytes.slice(0, Math.max(0, bytes.length - missing))
    })

  it('any split of the bytes gives the same events and the same end', () => {
    fc.assert(
      fc.property(body, fc.array(fc.nat(400), { maxLength: 40 }), (bytes, cuts) => {
        const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
        const chunks = at.slice(1).map((end, index) => bytes.slice(at[index], end))
        const whole = decode([bytes])
        expect(decode(chunks)).toEqual(whole)
        expect(decode([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole)
      }),
      { numRuns: 20 * lawRuns },
    )
  })
})

it('gives pieces of text that come together as one event, and others as they come', () => {
  const decoder = new ReplyDecoder(chatFormat(), { upstream: 'local', secrets: [] }, () => {})
  const pieces = Array.from({ length: 200 }, (_, index) => `piece ${index} `)
  // The decoder learns from the first chunk what the others have in common.
  expect(decoder.push(encoder.encode(text('a')))).toEqual([says('a')])
  expect(decoder.push(encoder.encode(pieces.map(text).join('')))).toEqual([says(pieces.join(''))])
  expect(decoder.push(encoder.encode(text('b')))).toEqual([says('b')])
  expect(decoder.push(encoder.encode(text('c') + delta({}, 'stop') + done))).toEqual([says('c'), stop])
})

describe('an event past the bounds', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  it.each([
    ['nests deeply', `data: {"x":${deep}}\n\n`, /sent an event with more than 200 levels/],
    ['has very many values', `data: {"x":[${'1,'.repeat(110_000)}1]}\n\n`, /more than 100000 values/],
    ['is a reply that nests deeply', `{"x":${deep}}`, /sent an event with more than 200 levels/],
    ['is an error that nests deeply', `event: error\ndata: ${deep}\n\n`, /answered 500 and said "\[\[\[/],
    ['is an error of an older llama-server', `error: {"x":${deep}}\n\n`, /sent an event with more than 200 levels/],
  ])('that %s is a failure of the upstream', (_, body, message) => {
    expect(decode([encoder.encode(body)]).failure).toMatch(message)
  })
})

describe('a large event is read in pieces', () => {
  const large = 'ab"\n'.repeat(200_000)

  it('with what came before and after it, in order', async () => {
    const body = text('a') + text(large) + text('z') + delta({}, 'stop') + done
    const { events, failure } = await decodeLarge(body)
    expect(failure).toBeUndefined()
    expect(events).toEqual([says('a'), says(large), says('z'), stop])
  })

  it('that ends the body', async () => {
    const { events, failure } = await decodeLarge(text('a') + text(large).trimEnd().replace(/\n*$/, '\n\n'))
    expect(events).toEqual([says('a'), says(large)])
    expect(failure).toContain('was cut')
  })

  it.each([
    ['an error', `event: error\n${data({ error: { message: large } })}`, 'Upstream "local"'],
    [
      'past the bounds',
      `data: [${'[],'.repeat(200_000)}[]]\n\n`,
      'Upstream "local" sent an event with more than 100000 values',
    ],
    ['broken', text('a') + text(large).replace('}\n\n', '\n\n'), 'The reply of upstream "local" was cut or garbled'],
  ])('and fails: %s', async (_, body, message) => {
    expect((await decodeLarge(body + done)).failure).toContain(message)
  })
})
