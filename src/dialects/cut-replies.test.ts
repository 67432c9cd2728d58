import { describe, expect, test } from 'vitest'
import { callsOf, promptContext, readPieces } from '../../test/support/dialects/replies.ts'
import { someOf } from '../../test/support/draws.ts'
import type { AssistantPart } from '../conversation/index.ts'
import { dialects, getDialect } from './index.ts'

// No argument is required, so that a call without any is valid as well.
const tools = [{ name: 'look', description: '', schema: { type: 'object', properties: { at: {}, days: {} } } }]
const parts: AssistantPart[] = [
  { type: 'call', id: 'call_1', name: 'look', arguments: '{"at":{"x":1},"days":[2]}' },
  { type: 'call', id: 'call_2', name: 'look', arguments: '{}' },
]

const written = [
  ...dialects.map((dialect) => ({ dialect, said: dialect.renderAssistant(parts, promptContext, tools) })),
  // Forms that no dialect writes.
  ...[
    'Action: look\nAction Input: {"at": 1}',
    'Action: look\nAction Input: None',
    '[TOOL_CALLS]look[ARGS]{"at": 1}',
  ].map((said) => ({ dialect: getDialect('universal'), said })),
]

describe.each(written)('$dialect.name: $said', ({ dialect, said }) => {
  test('cut off anywhere, has no complete call that it does not have as a whole', () => {
    if (!dialect) throw new Error('there is no such dialect')
    const options = { tools, ...(dialect.usesTrigger && promptContext) }
    const whole = callsOf(readPieces(dialect, [said], options).events)
    expect(whole.length).toBeGreaterThan(0)
    for (const length of someOf([...said].map((_, index) => index))) {
      const { events } = readPieces(dialect, [said.slice(0, length)], { ...options, reason: 'length' })
      for (const [index, { name, json, complete }] of callsOf(events).entries()) {
        if (complete)
          expect([said.slice(0, length), name, json]).toEqual([said.slice(0, length), name, whole[index]?.json])
      }
    }
  })
})
