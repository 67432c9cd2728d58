import { expect, test } from 'vitest'
import { conversation } from '../../../test/support/gateway/plans.ts'
import type { Conversation, JsonObject, JsonValue } from '../../conversation/index.ts'
import { checkTools } from './check-tools.ts'

function withSchemas(...schemas: JsonObject[]): Conversation {
  return conversation({ tools: schemas.map((schema, index) => ({ name: `tool_${index}`, description: '', schema })) })
}

/** Nested in so many objects and arrays by turns, the outermost an object. */
function nested(levels: number): JsonObject {
  let value: JsonValue = 'leaf'
  for (let level = levels; level > 1; level--) value = level % 2 === 0 ? [value] : { a: value }
  return { a: value }
}

test.each([
  [2, 2, true],
  [2, 3, false],
])('of at most %d tools %d are let pass: %s', (toolCount, count, passes) => {
  const check = (): void =>
    checkTools(withSchemas(...Array.from({ length: count }, () => ({}))), { toolCount, schemaDepth: 8 })
  if (passes) expect(check).not.toThrow()
  else expect(check).toThrow(`${count} tools; at most ${toolCount}`)
})

test.each([
  [1, 1, true],
  [8, 8, true],
  [8, 9, false],
  [64, 100_000, false],
])('of at most %d levels %d are let pass: %s', (schemaDepth, levels, passes) => {
  const check = (): void => checkTools(withSchemas({}, nested(levels)), { toolCount: 9, schemaDepth })
  if (passes) expect(check).not.toThrow()
  else expect(check).toThrow(`The schema of the tool "tool_1" nests deeper than ${schemaDepth} levels`)
})

test('the schema of a response format has the same bound', () => {
  const limits = { toolCount: 9, schemaDepth: 4 }
  const check = (levels: number): void =>
    checkTools(conversation({ responseFormat: { type: 'json-schema', schema: nested(levels) } }), limits)
  expect(() => check(4)).not.toThrow()
  expect(() => check(100_000)).toThrow('response format nests deeper than 4 levels')
})

test('a schema may be wide', () => {
  const properties = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`p${n}`, { type: 'string' }]))
  expect(() => checkTools(withSchemas({ properties }), { toolCount: 1, schemaDepth: 4 })).not.toThrow()
})

test('names of a model and of tools have an end', () => {
  const limits = { toolCount: 9, schemaDepth: 8 }
  const conversation = withSchemas({}, {})
  const [first] = conversation.tools
  const name = 'n'.repeat(1001)
  const named = { ...conversation, tools: [...(first ? [first, { ...first, name }] : [])] }
  expect(() => checkTools(named, limits)).toThrow(/^tools\[1\]\.name: a name of 1001 characters/)
  expect(() => checkTools({ ...conversation, model: name }, limits)).toThrow(/^model: a name of 1001 characters/)
})
