import { expect, test } from 'vitest'
import { callsOf, promptContext, readPieces, textOf } from '../../../test/support/dialects/replies.ts'
import type { AssistantPart } from '../../conversation/index.ts'
import { type Expression, type Pattern, writePattern } from '../../grammar/index.ts'
import { formats } from '../formats/index.ts'
import { getDialect } from '../index.ts'

/** Returns the closing markers of a tree, in each way that its pattern names, as the format itself writes them. */
function closingMarkers(tree: Expression): string[] {
  switch (tree.type) {
    case 'sequence':
    case 'choice':
      return tree.of.flatMap(closingMarkers)
    case 'optional':
    case 'repeat':
    case 'call':
      return closingMarkers(tree.of)
    case 'close':
      return tree.of.type === 'token' ? alternatives(tree.of.pattern).map((one) => writePattern(one, {})) : []
    default:
      return []
  }
}

function alternatives(pattern: Pattern): readonly Pattern[] {
  return pattern.type === 'choice' ? pattern.of.flatMap(alternatives) : [pattern]
}

const written = formats.flatMap(({ name, blocks }) => {
  const markers = [...new Set(blocks.flatMap(({ tree }) => closingMarkers(tree)))]
  // A bracket alone closes no call that is closed already.
  return markers.filter((marker) => /\p{L}/u.test(marker)).map((marker): [string, string] => [name, marker.trim()])
})

test('formats have closing markers that are words', () => {
  expect(new Set(written.map(([name]) => name)).size).toBeGreaterThan(10)
})

const tools = [{ name: 'get_weather', description: '', schema: { type: 'object', properties: { city: {} } } }]

test.each(written)('%s: a text after a call that is the closing marker %s stays one', (name, marker) => {
  const dialect = getDialect(name)
  if (!dialect) throw new Error(`there is no dialect ${name}`)
  for (const text of [marker, marker.toUpperCase()]) {
    const parts: AssistantPart[] = [
      { type: 'call', id: 'call_1', name: 'get_weather', arguments: '{"city":"Paris"}' },
      { type: 'text', text },
    ]
    const { events } = readPieces(dialect, [dialect.renderAssistant(parts, promptContext, tools)], { tools })
    expect(callsOf(events)).toHaveLength(1)
    expect(textOf(events).trim()).toBe(text)
  }
})
