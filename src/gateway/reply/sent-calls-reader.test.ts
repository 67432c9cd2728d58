import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tools } from '../../../test/support/gateway/plans.ts'
import { type CallPart, ReplyCollector, type ReplyPart } from '../../conversation/index.ts'
import { type Dialect, dialects } from '../../dialects/index.ts'
import type { UpstreamEvent } from '../../upstreams/upstream.ts'
import { readReply } from './read-reply.ts'
import { SentCallsReader } from './sent-calls-reader.ts'

const trigger = '<<CALL_0123456789ab>>'

function newReader(dialect: Dialect, delivery: 'live' | 'whole', parallelCalls = true): SentCallsReader {
  let made = 0
  const options = {
    tools,
    toolChoice: { type: 'auto' as const },
    parallelCalls,
    delivery,
    newCallId: () => `made_${++made}`,
  }
  return new SentCallsReader({
    ...options,
    newReader: () => dialect.createReader({ ...options, ...(dialect.usesTrigger && { trigger }) }),
  })
}

async function read(events: readonly UpstreamEvent[], reader: SentCallsReader, size = 1) {
  async function* batches(): AsyncGenerator<UpstreamEvent[]> {
    for (let at = 0; at < events.length; at += size) yield events.slice(at, at + size)
  }
  const collector = new ReplyCollector()
  for await (const batch of readReply(batches(), reader, { stopSequences: [] })) collector.push(batch)
  return collector.reply
}

const text = (said: string): UpstreamEvent => ({ type: 'text', text: said })
const sent = (index: number, days: number, name = 'get_weather'): UpstreamEvent => {
  return { type: 'call', index, id: `call_${index}`, name, arguments: `{"days":${days}}` }
}
const stop: UpstreamEvent = { type: 'finish', reason: 'stop' }

/** A call as the dialect has it written. */
function written(dialect: Dialect, days: number): string {
  const part: CallPart = { type: 'call', id: 'x', name: 'get_weather', arguments: `{"days": ${days}}` }
  return dialect.renderAssistant([part], { trigger }, tools)
}

const call = (days: number, id: string): ReplyPart => {
  return { type: 'call', id, name: 'get_weather', arguments: `{"days":${days}}`, complete: true }
}

describe.each(dialects)('$name', (dialect) => {
  test('calls that are written and calls that are sent are numbered together, and each is made once', async () => {
    const events = [text('One.\n'), text(written(dialect, 1)), sent(0, 2), text('Two.'), sent(1, 3), stop]
    for (const delivery of ['live', 'whole'] as const) {
      const reply = await read(events, newReader(dialect, delivery))
      expect(reply.parts).toEqual([
        { type: 'text', text: 'One.' },
        call(1, 'made_1'),
        call(2, 'call_0'),
        { type: 'text', text: 'Two.' },
        call(3, 'call_1'),
      ])
      expect(reply.finish.reason).toBe('calls')
      expect(reply.notices).toEqual([])
    }
  })
})

const [dialect] = dialects
if (!dialect) throw new Error('There is no dialect.')

test('a reply without sent calls is that of the dialect', async () => {
  const reply = await read([text('One.\n'), text(written(dialect, 1)), stop], newReader(dialect, 'live'))
  expect(reply.parts).toEqual([{ type: 'text', text: 'One.' }, call(1, 'made_1')])
})

test('a sent call that is not offered is text, with a notice', async () => {
  const reply = await read([text('One.'), sent(0, 2, 'nope'), stop], newReader(dialect, 'live'))
  expect(reply.parts).toEqual([{ type: 'text', text: 'One.\nnope {"days":2}' }])
  expect(reply.notices.map(({ code }) => code)).toEqual(['unknown-tool'])
})

test('reasoning stays between the calls around it', async () => {
  const events: UpstreamEvent[] = [sent(0, 1), { type: 'reasoning', text: 'Hm.' }, sent(1, 2), stop]
  expect((await read(events, newReader(dialect, 'live'))).parts).toEqual([
    call(1, 'call_0'),
    { type: 'reasoning', text: 'Hm.' },
    call(2, 'call_1'),
  ])
})

test('however the pieces come, each sent call is made once, and no text is lost', async () => {
  const piece = fc.oneof(fc.constantFrom('It rains. ', '東京', '1.', '}', ' ', '\n'), fc.nat(9))
  const given = fc.array(piece, { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(given, fc.integer({ min: 1, max: 4 }), fc.boolean(), async (pieces, size, isLive) => {
      const events = pieces.map((one, n) => (typeof one === 'string' ? text(one) : sent(n, one)))
      const { parts } = await read([...events, stop], newReader(dialect, isLive ? 'live' : 'whole'), size)
      const days = parts.flatMap((part) => (part.type === 'call' ? [JSON.parse(part.arguments).days] : []))
      expect(days).toEqual(pieces.filter((one) => typeof one === 'number'))
      const said = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
      const wanted = pieces.filter((one) => typeof one === 'string').join('')
      expect(said.replace(/\s/g, '')).toBe(wanted.replace(/\s/g, ''))
    }),
  )
})
