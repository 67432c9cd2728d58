import { describe, expect, it } from 'vitest'
import type { ToolChoice } from '../../conversation/index.ts'
import { choiceRules, missingCallRequest } from './instructions.ts'

describe('instructions', () => {
  it.each<[ToolChoice, parallel: boolean, said: RegExp[], unsaid: RegExp[]]>([
    [{ type: 'auto' }, true, [/otherwise answer in plain text/, /several tools/], [/must/]],
    [{ type: 'auto' }, false, [/at most one tool/], [/several/]],
    [{ type: 'none' }, true, [/Do not call/], [/several/]],
    [{ type: 'required' }, true, [/must call at least one/], []],
    [{ type: 'named', name: 'w' }, true, [/must call the tool `w`/], []],
  ])('says %j, parallel %s', (toolChoice, parallelCalls, said, unsaid) => {
    const rules = choiceRules({ tools: [], toolChoice, parallelCalls }).join('\n')
    for (const pattern of said) expect(rules).toMatch(pattern)
    for (const pattern of unsaid) expect(rules).not.toMatch(pattern)
  })

  it('asks for the call that is missing by its name', () => {
    const policy = { tools: [], parallelCalls: true }
    expect(missingCallRequest({ ...policy, toolChoice: { type: 'named', name: 'w' } })).toContain('`w`')
    expect(missingCallRequest({ ...policy, toolChoice: { type: 'required' } })).toContain('at least one tool')
  })
})
