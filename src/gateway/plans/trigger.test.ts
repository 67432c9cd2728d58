import { describe, expect, test, vi } from 'vitest'
import { conversation } from '../../../test/support/gateway/plans.ts'
import type { Conversation, Turn } from '../../conversation/index.ts'
import { createTriggers } from './trigger.ts'

const secret = 'a secret of the tests'

function user(text: string): Turn {
  return { role: 'user', parts: [{ type: 'text', text }] }
}

const triggerOf = (more: Partial<Conversation> = {}, by: string | undefined = secret): Promise<string> =>
  createTriggers(by)(conversation({ turns: [user('Weather?')], ...more }))

test('a trigger is on one line, and a model can copy it', async () => {
  expect(await triggerOf()).toMatch(/^<<CALL_[0-9a-f]{12}>>$/)
})

test('two gateways with one secret have the same', async () => {
  expect(await triggerOf()).toBe(await triggerOf())
})

test('a runtime that is not Node has the same', async () => {
  const hidden = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined)
  try {
    const web = await triggerOf()
    expect(hidden).toHaveBeenCalled()
    hidden.mockRestore()
    expect(web).toBe(await triggerOf())
  } finally {
    hidden.mockRestore()
  }
})

describe('the same in each turn, whatever follows the beginning', () => {
  const image = { type: 'image' as const, url: 'https://example.com/a.png' }
  test.each<[string, Partial<Conversation>]>([
    ['more turns', { turns: [user('Weather?'), { role: 'assistant', parts: [] }, user('And now?')] }],
    ['system text before the first turn', { turns: [{ role: 'system', text: 'x' }, user('Weather?')] }],
    ['an image in the first turn', { turns: [{ role: 'user', parts: [{ type: 'text', text: 'Weather?' }, image] }] }],
    ['another model', { model: 'other' }],
    ['another choice', { toolChoice: { type: 'required' }, parallelCalls: false }],
    ['another limit', { maxTokens: 1, sampling: { temperature: 1 }, stopSequences: ['x'] }],
  ])('%s', async (_, more) => {
    expect(await triggerOf(more)).toBe(await triggerOf())
  })
})

describe('another one for', () => {
  const tool = { name: 'get_weather', description: 'd', schema: { type: 'object' } }
  test.each<[string, Partial<Conversation>]>([
    ['another system prompt', { system: 'Be brief' }],
    ['another first message', { turns: [user('Weather? ')] }],
    ['no message', { turns: [] }],
    ['no tools', { tools: [] }],
    ['another name of a tool', { tools: [{ ...tool, name: 'get_Weather' }] }],
    ['another description of a tool', { tools: [{ ...tool, description: 'e' }] }],
    ['another schema of a tool', { tools: [{ ...tool, schema: { type: 'object', properties: {} } }] }],
    ['one more tool', { tools: [tool, { ...tool, name: 'b' }] }],
    ['text that moves from one part to the next', { system: 'Be brief.Weather?', turns: [user('')] }],
  ])('%s', async (_, more) => {
    expect(await triggerOf(more)).not.toBe(await triggerOf())
  })

  test('another secret', async () => {
    expect(await triggerOf({}, 'another secret')).not.toBe(await triggerOf())
  })

  test('each start of a gateway without a secret', async () => {
    const triggers = createTriggers(undefined)
    expect(await triggers(conversation())).toBe(await triggers(conversation()))
    expect(await createTriggers(undefined)(conversation())).not.toBe(await triggers(conversation()))
  })
})
