import { describe, expect, it } from 'vitest'
import { AnycallError, type ConversationInput } from '../conversation/index.ts'
import { createTrigger, describeTools, getDialect, writePrompt } from './index.ts'

const conversation: ConversationInput = {
  turns: [{ role: 'user', parts: [{ type: 'text', text: 'Weather?' }] }],
  tools: [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } }],
}

function thrownBy(run: () => unknown): AnycallError {
  try {
    run()
  } catch (error) {
    if (AnycallError.isInstance(error)) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('writePrompt', () => {
  it('takes a conversation of turns alone', () => {
    expect(writePrompt({ turns: conversation.turns })).toEqual([
      { role: 'user', parts: [{ type: 'text', text: 'Weather?' }] },
    ])
  })

  it('describes tools in any form as describeTools does', () => {
    const [system] = writePrompt(conversation, { dialect: 'hermes' })
    const text = describeTools(['get_weather'], { dialect: 'hermes' })
    const own = describeTools(conversation.tools ?? [], { dialect: 'hermes' })
    expect(system).toEqual({ role: 'system', parts: [{ type: 'text', text: own }] })
    expect(text.split('\n')).toHaveLength(own.split('\n').length)
  })

  it.each(['', 'CALL'])('refuses the trigger %j where the dialect needs one', (trigger) => {
    for (const run of [
      () => writePrompt(conversation, { dialect: 'toolify', trigger }),
      () => describeTools(['f'], { dialect: 'toolify', trigger }),
    ]) {
      const error = thrownBy(run)
      expect([error.code, error.param]).toEqual(['invalid-request', 'trigger'])
    }
  })

  it('needs no trigger where nothing is called', () => {
    expect(writePrompt({ turns: conversation.turns }, { dialect: 'toolify' })).toHaveLength(1)
  })

  it('writes the trigger that createTrigger makes', async () => {
    const trigger = await createTrigger(conversation, { secret: 'a secret' })
    const [system] = writePrompt(conversation, { dialect: 'toolify', trigger })
    expect(system?.parts).toEqual([{ type: 'text', text: expect.stringContaining(trigger) }])
  })

  it.each([
    ['an unknown dialect', () => writePrompt(conversation, { dialect: 'klingon' }), 'dialect'],
    ['a tool without a name', () => writePrompt({ ...conversation, tools: [''] }), 'tools[0]'],
    ['an empty secret', () => createTrigger(conversation, { secret: '' }), 'secret'],
  ])('names the option for %s', (_, run, param) => {
    expect(thrownBy(run).param).toBe(param)
  })

  it('says what describe says of a policy', () => {
    const tools = [{ name: 'f', description: '', schema: {} }]
    const options = { toolChoice: { type: 'required' as const }, parallelCalls: false }
    const expected = getDialect('glm')?.describe({ tools, ...options }, { trigger: '' })
    expect(describeTools(tools, { dialect: 'glm', ...options })).toBe(expected)
  })
})
