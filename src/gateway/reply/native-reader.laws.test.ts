import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../../../test/support/draws.ts'
import { tools } from '../../../test/support/gateway/plans.ts'
import { type JsonObject, type JsonValue, newId, ReplyCollector, type ReplyEvent } from '../../conversation/index.ts'
import { anthropicMessages } from '../../protocols/anthropic/index.ts'
import type { UpstreamEvent } from '../../upstreams/upstream.ts'
import { NativeReader } from './native-reader.ts'
import { readReply } from './read-reply.ts'

const runs = 4 * lawRuns

type Said = Extract<UpstreamEvent, { type: 'text' | 'reasoning' }>

const said: fc.Arbitrary<Said> = fc.record({
  type: fc.constantFrom('text', 'reasoning'),
  text: fc.constantFrom('It', 'rains. ', '"so"', '東京', '1.', '\n', ' ', '\n\n', '}'),
})
/** Text and reasoning before a piece of a call; often none. */
const beside = fc.array(said, { maxLength: 2 })
const input = fc.record({ city: fc.string({ maxLength: 8 }), days: fc.integer() }, { requiredKeys: ['city'] })
const piecewise = fc.record({ input, cuts: fc.array(fc.nat(40), { maxLength: 3 }), beside: fc.array(beside) })
const reply = fc.record({ calls: fc.array(piecewise, { minLength: 1, maxLength: 3 }), last: beside })
type Reply = typeof reply extends fc.Arbitrary<infer T> ? T : never

/** The pieces of the calls, one call after the other, with the text before each. */
function sent({ calls, last }: Reply): UpstreamEvent[] {
  const pieces = calls.flatMap(({ input, cuts, beside }, index) =>
    cut(JSON.stringify(input), cuts).flatMap((json, n): UpstreamEvent[] => [
      ...(beside[n] ?? []),
      { type: 'call', index, arguments: json, ...(n === 0 && { id: `call_${index}`, name: 'get_weather' }) },
    ]),
  )
  return [...pieces, ...last, { type: 'finish', reason: 'stop' }]
}

function cut(text: string, at: readonly number[]): string[] {
  const ends = [...new Set(at.map((place) => place % text.length))].sort((a, b) => a - b)
  return [0, ...ends].map((start, n) => text.slice(start, ends[n] ?? text.length)).filter((piece) => piece !== '')
}

async function* batches(events: readonly UpstreamEvent[], size: number): AsyncGenerator<UpstreamEvent[]> {
  for (let at = 0; at < events.length; at += size) yield events.slice(at, at + size)
}

async function read(events: readonly UpstreamEvent[], size: number, delivery: 'live' | 'whole') {
  const reader = new NativeReader({
    tools,
    toolChoice: { type: 'auto' },
    parallelCalls: true,
    delivery,
    newCallId: () => newId('toolu_'),
  })
  const read: ReplyEvent[][] = []
  for await (const batch of readReply(batches(events, size), reader, { stopSequences: [] })) read.push(batch)
  return read
}

const context = {
  id: 'msg_1',
  model: 'm',
  requestId: 'req_1',
  created: 0,
  estimateInputTokens: () => 1,
  options: {},
}

/** The inputs of the calls in a streamed message, as a client puts them together: a block is over once it is stopped. */
function streamed(read: readonly ReplyEvent[][]): JsonValue[] {
  const encoder = anthropicMessages.createEncoder(context)
  const sse = encoder.start() + read.map((batch) => encoder.encode(batch)).join('')
  const inputs: JsonValue[] = []
  let json: string | undefined
  for (const line of sse.split('\n').filter((one) => one.startsWith('data: '))) {
    const event = JSON.parse(line.slice('data: '.length))
    if (event.type === 'content_block_start') json = event.content_block.type === 'tool_use' ? '' : undefined
    else if (event.type === 'content_block_delta' && json !== undefined) json += event.delta.partial_json
    else if (event.type === 'content_block_stop' && json !== undefined) inputs.push(JSON.parse(json))
  }
  return inputs
}

/** The same of a message that is sent at once. */
function whole(read: readonly ReplyEvent[][]): JsonValue[] {
  const collector = new ReplyCollector()
  for (const batch of read) collector.push(batch)
  return collector.reply.parts.flatMap((part) => (part.type === 'call' ? [JSON.parse(part.arguments)] : []))
}

/** The text and the reasoning, in runs of one kind, without white space, which has no meaning beside calls. */
function saidIn(events: readonly (UpstreamEvent | ReplyEvent)[]): string[] {
  const spoken = events.filter((event) => event.type === 'text' || event.type === 'reasoning')
  const runs: Said[] = []
  for (const { type, text } of spoken) {
    const bare = text.replace(/\s/g, '')
    const last = runs.at(-1)
    if (last?.type === type) last.text += bare
    else if (bare !== '') runs.push({ type, text: bare })
  }
  return runs.map(({ type, text }) => `${type}: ${text}`)
}

test('calls stay whole, and nothing is lost, whatever is said and thought between their pieces', async () => {
  await fc.assert(
    fc.asyncProperty(reply, fc.integer({ min: 1, max: 4 }), fc.boolean(), async (given, size, isLive) => {
      const events = sent(given)
      const got = await read(events, size, isLive ? 'live' : 'whole')
      const inputs: JsonObject[] = given.calls.map((call) => call.input)
      expect(streamed(got)).toEqual(inputs)
      expect(whole(got)).toEqual(inputs)
      expect(saidIn(got.flat())).toEqual(saidIn(events))
    }),
    { numRuns: runs },
  )
})

/** A call as it is sent or as it leaks into the text; its input holds a number that no other call has. */
const mixedCall = fc.record({
  name: fc.constantFrom('get_weather', 'nope'),
  isLeaked: fc.boolean(),
  hasId: fc.boolean(),
  cuts: fc.array(fc.nat(40), { maxLength: 3 }),
  isBeside: fc.boolean(),
  before: fc.constantFrom('', 'It rains. ', '東京\n', '\n\n'),
})
type MixedCall = typeof mixedCall extends fc.Arbitrary<infer T> ? T : never

const inputOf = (n: number): JsonObject => ({ city: `nonce${n}`, days: n })

/** The pieces of all calls; those of a call that is `isBeside` come in turn with those of the call before it. */
function mixed(calls: readonly MixedCall[]): UpstreamEvent[] {
  const groups = calls.map(({ name, isLeaked, hasId, cuts, isBeside, before }, index): UpstreamEvent[] => {
    const json = JSON.stringify(inputOf(index))
    if (isLeaked) {
      const leaked = `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${json}}\n</tool_call>\n`
      return cut(`${before}${leaked}`, cuts).map((text) => ({ type: 'text', text }))
    }
    const pieces = cut(json, cuts).map((part, n): UpstreamEvent => {
      return { type: 'call', index, arguments: part, ...(n === 0 && { name, ...(hasId && { id: `call_${index}` }) }) }
    })
    return isBeside || before === '' ? pieces : [{ type: 'text', text: before }, ...pieces]
  })
  const events: UpstreamEvent[] = []
  for (const [n, pieces] of groups.entries()) {
    const last = groups[n - 1]
    if (!calls[n]?.isBeside || calls[n]?.isLeaked || !last || calls[n - 1]?.isLeaked) events.push(...pieces)
    else {
      // The last pieces of the call before go between these.
      const shared = events.splice(events.length - Math.min(last.length - 1, pieces.length - 1))
      events.push(
        ...pieces.flatMap((piece, at) => [piece, ...shared.slice(at, at + 1)]),
        ...shared.slice(pieces.length),
      )
    }
  }
  return [...events, { type: 'finish', reason: 'stop' }]
}

test('of offered and refused calls, sent or leaked, each is a call or text, once', async () => {
  const given = fc.array(mixedCall, { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(given, fc.integer({ min: 1, max: 9 }), fc.boolean(), async (calls, size, isLive) => {
      const got = await read(mixed(calls), size, isLive ? 'live' : 'whole')
      const offered = calls.flatMap(({ name }, n) => (name === 'get_weather' ? [inputOf(n)] : []))
      const byDays = (one: JsonValue, other: JsonValue) => Number(Object(one).days) - Number(Object(other).days)
      expect(streamed(got).sort(byDays)).toEqual(offered)
      expect(whole(got).sort(byDays)).toEqual(offered)
      const collector = new ReplyCollector()
      for (const batch of got) collector.push(batch)
      const texts = collector.reply.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
      for (const [n, { name }] of calls.entries()) {
        expect(texts.split(`nonce${n}"`).length - 1).toBe(name === 'nope' ? 1 : 0)
      }
    }),
    { numRuns: runs },
  )
})
