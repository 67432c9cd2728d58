import { describe, expect, it } from 'vitest'
import { ReplyCollector, type ReplyEvent } from '../../conversation/index.ts'
import { encodeReply } from './reply/encode.ts'
import { createEncoder } from './reply/stream.ts'

/**
 * Errors of other adapters to this protocol, as acceptance cases: AC56 [litellm#31561], AC57 [litellm#25321] and AC58
 * [litellm#25836].
 */

const context = {
  id: 'msg_1',
  model: 'claude-x',
  requestId: 'req_1',
  created: 0,
  estimateInputTokens: () => 1,
  options: {},
}

function dataOf(batches: readonly ReplyEvent[][]): unknown[] {
  const encoder = createEncoder(context)
  const sse = encoder.start() + batches.map((batch) => encoder.encode(batch)).join('')
  return sse.split('\n').flatMap((line): unknown[] => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []))
}

const start: ReplyEvent = { type: 'call-start', index: 0, id: 'toolu_1', name: 'get_weather' }
const end: ReplyEvent = { type: 'call-end', index: 0, complete: true }
const finish: ReplyEvent = { type: 'finish', reason: 'calls' }
const whole: ReplyEvent = { type: 'call-arguments', index: 0, json: '{"city":"Oslo"}' }
const block = { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: {}, caller: { type: 'direct' } }

/** The events between the message's start and its end. */
function blocksOf(batches: readonly ReplyEvent[][]): unknown[] {
  return dataOf(batches).slice(1, -2)
}

const written = [
  { type: 'content_block_start', index: 0, content_block: block },
  { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"city":"Oslo"}' } },
  { type: 'content_block_stop', index: 0 },
]

describe('a reply that begins with a call', () => {
  const nothing: ReplyEvent = { type: 'text', text: '' }
  const noReasoning: ReplyEvent = { type: 'reasoning', text: '' }
  const noJson: ReplyEvent = { type: 'call-arguments', index: 0, json: '' }

  it('AC56 has it as its first block, without an empty text before it or an empty delta in it', () => {
    expect(blocksOf([[nothing, noReasoning], [start], [noJson], [nothing], [whole, noJson], [end, finish]])).toEqual(
      written,
    )
  })
})

describe('arguments that come all at once', () => {
  it.each([
    ['AC57 at the end of the call', [[start], [whole, end], [finish]]],
    ['AC58 with the call', [[start, whole, end, finish]]],
  ])('%s are written', (_name, batches) => {
    expect(blocksOf(batches)).toEqual(written)
    const collector = new ReplyCollector()
    for (const batch of batches) collector.push(batch)
    expect(encodeReply(collector.reply, context)).toMatchObject({ content: [{ ...block, input: { city: 'Oslo' } }] })
  })
})
