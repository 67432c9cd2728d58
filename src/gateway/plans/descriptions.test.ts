import { expect, test, vi } from 'vitest'
import { freezeList, type Tool } from '../../conversation/index.ts'
import { type CallPolicy, type Dialect, dialects } from '../../dialects/index.ts'
import { withCachedDescriptions } from './descriptions.ts'

const [dialect] = dialects as [Dialect, ...Dialect[]]
const trigger = '<<CALL_000000000000>>'

const tools = freezeList([tool('Runs.')])

function policy(more: Partial<CallPolicy> = {}): CallPolicy {
  return { tools, toolChoice: { type: 'auto' }, parallelCalls: true, ...more }
}

function tool(description: string, schema: Tool['schema'] = { type: 'object' }): Tool {
  return { name: 'run', description, schema }
}

function counted() {
  const describe = vi.fn(dialect.describe)
  return { remembering: withCachedDescriptions({ ...dialect, describe }), describe }
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

test('choices without end are not all remembered', () => {
  const { remembering, describe } = counted()
  const ask = (name: string): string =>
    remembering.describe(policy({ toolChoice: { type: 'named', name } }), { trigger })
  for (let index = 0; index < 20; index++) {
    ask(`tool ${index}`)
    ask(`tool ${index}`)
  }
  expect(describe).toHaveBeenCalledTimes(20)
  ask('tool 0')
  expect(describe).toHaveBeenCalledTimes(21)
})
