import { describe, expect, test } from 'vitest'
import { callsOf, promptContext, readPieces } from '../../test/support/dialects/replies.ts'
import type { AssistantPart } from '../conversation/index.ts'
import { type Dialect, dialects } from './index.ts'

// A call of a tool that takes no arguments is a call, whatever a model writes in the place of an empty object.

const tools = ['get_time', 'run'].map((name) => ({
  name,
  description: '',
  schema: { type: 'object', properties: {} },
}))
const part: AssistantPart = { type: 'call', id: 'call_0', name: 'get_time', arguments: '{}' }
const wanted = { name: 'get_time', json: '{}', complete: true }

const changes: readonly (readonly [change: string, of: (text: string) => string])[] = [
  ['as written', (text) => text],
  ['no member for them', (text) => text.replace(/,\s*"(?:arguments|parameters|input|args)":\s*\{\}/, '')],
  ['null', (text) => text.replace('{}', 'null')],
  ['an empty text', (text) => text.replace('{}', '""')],
  ['an object as a text', (text) => text.replace('{}', '"{}"')],
  ['nothing', (text) => text.replace('{}', '')],
]

/** JSON without a marker counts only if all of it is there. */
const isBare = ({ format }: Dialect) => format?.blocks[0]?.place === 'line'

const cases = dialects.flatMap((dialect) => {
  const text = dialect.renderAssistant([part], promptContext, tools)
  return changes.flatMap(([change, of]) => {
    const changed = of(text)
    const isSame = change !== 'as written' && changed === text
    return isSame || (change === 'nothing' && isBare(dialect)) ? [] : [{ dialect, change, text: changed }]
  })
})

test('most dialects have a place for arguments', () => {
  expect(cases.length).toBeGreaterThan(2.5 * dialects.length)
})

describe.each(cases)('$dialect.name, $change: $text', ({ dialect, text }) => {
  test.each(['', '\n\nDone.'])('with %j after it', (after) => {
    const whole = text + after
    for (const pieces of [[whole], [...whole]])
      expect(callsOf(readPieces(dialect, pieces, { tools }).events)).toEqual([wanted])
  })
})
