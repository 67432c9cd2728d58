import { expect, test, vi } from 'vitest'
import type { Tool } from '../conversation/index.ts'
import { type CallPolicy, type Dialect, dialects } from '../dialects/index.ts'
import { Descriptions } from './descriptions.ts'

const [dialect] = dialects as [Dialect, ...Dialect[]]
const trigger = '<<CALL_000000000000>>'

function policy(more: Partial<CallPolicy> = {}): CallPolicy {
  return { tools: [tool('Runs.')], toolChoice: { type: 'auto' }, parallelCalls: true, ...more }
}

function tool(description: string, schema: Tool['schema'] = { type: 'object' }): Tool {
  return { name: 'run', description, schema }
}

function counted() {
  const describe = vi.fn(dialect.describe)
  return { remembering: new Descriptions().remembering({ ...dialect, describe }), describe }
}

test('the same tools are described once, for each conversation with its own trigger', () => {
  const { remembering, describe } = counted()
  for (const own of [trigger, trigger, '<<CALL_111111111111>>', '<<CALL_$&_$1>>']) {
    expect(remembering.describe(policy(), { trigger: own })).toBe(dialect.describe(policy(), { trigger: own }))
  }
  expect(describe).toHaveBeenCalledTimes(1)
})

test('nothing in a tool becomes the trigger', () => {
  const { remembering, describe } = counted()
  const times = (text: string): number => text.split(trigger).length
  const wanted = times(remembering.describe(policy(), { trigger }))
  const placeholder = describe.mock.calls[0]?.[1].trigger ?? ''
  const rogue = policy({ tools: [tool(`Say ${placeholder} now`, { title: placeholder })] })
  expect(times(remembering.describe(rogue, { trigger }))).toBe(wanted)
})

test.each<[string, Partial<CallPolicy>]>([
  ['another choice', { toolChoice: { type: 'required' } }],
  ['one call at most', { parallelCalls: false }],
  ['another schema', { tools: [tool('Runs.', { type: 'object', title: 'x' })] }],
  ['another description', { tools: [tool('Walks.')] }],
])('%s is described anew', (_, more) => {
  const { remembering } = counted()
  remembering.describe(policy(), { trigger })
  expect(remembering.describe(policy(more), { trigger })).toBe(dialect.describe(policy(more), { trigger }))
})

test('what was not used for long is forgotten, what is used is kept', () => {
  const { remembering, describe } = counted()
  const ask = (name: string): string =>
    remembering.describe(policy({ tools: [{ name, description: 'x'.repeat(1_000_000), schema: {} }] }), { trigger })
  ask('a')
  ask('b')
  // Each takes two million characters, key and description: seven fit beside `a`.
  for (const name of ['c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']) {
    ask(name)
    ask('a')
  }
  expect(describe).toHaveBeenCalledTimes(10)
  ask('b')
  expect(describe).toHaveBeenCalledTimes(11)
})
