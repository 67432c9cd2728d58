import { expect, it } from 'vitest'
import type { CallPolicy } from '../../format/dialect.ts'
import { CallGate } from './call-gate.ts'

const tools = ['read', 'write', 'a.x', 'b.x'].map((name) => ({ name, description: '', schema: {} }))
const auto = { type: 'auto' } as const

it.each<[calls: string[], policy: Partial<CallPolicy>, outcomes: string[]]>([
  [['read', 'WRITE', 'read'], {}, ['read', 'write', 'read']],
  [['delete'], {}, ['unknown-tool']],
  [['x'], {}, ['ambiguous-tool']],
  [['read'], { tools: [] }, ['unknown-tool']],
  [['read'], { toolChoice: { type: 'none' } }, ['call-not-allowed']],
  [['read', 'write'], { toolChoice: { type: 'named', name: 'write' } }, ['call-not-allowed', 'write']],
  [['nope', 'read', 'write'], { parallelCalls: false }, ['unknown-tool', 'read', 'call-not-allowed']],
  [['read'], { toolChoice: { type: 'required' } }, ['read']],
])('%j with %j', (calls, policy, outcomes) => {
  const gate = new CallGate({ tools, toolChoice: auto, parallelCalls: true, ...policy })
  const found = calls.map((name) => gate.admit(name))
  expect(found.map((one) => (one.type === 'admitted' ? one.tool.name : one.code))).toEqual(outcomes)
})

it('shows no more of a name than fits a notice', () => {
  const admission = new CallGate({ tools, toolChoice: auto, parallelCalls: true }).admit('n'.repeat(10_000))
  expect(admission.type === 'refused' && admission.message.length).toBeLessThan(200)
})
