import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../../../../test/support/draws.ts'
import { validate } from '../../../json/index.ts'
import { builtInFields, pastCalls } from './calls.ts'
import { type BuiltInKind, builtInTools } from './tool-kinds.ts'

const value = fc.oneof(
  fc.constantFrom('create_file', 'update_file', 'delete_file', 'move', ''),
  fc.array(fc.string(), { maxLength: 2 }),
  fc.integer(),
)
const kinds = fc.constantFrom<BuiltInKind>('shell', 'local_shell', 'apply_patch')

test('arguments that fit the schema of a tool become an item, so that no valid call is lost as text', () => {
  const names = ['type', 'path', 'diff', 'commands', 'command'] as const
  fc.assert(
    fc.property(
      kinds,
      fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] }),
      (kind, given) => {
        const own = Object.entries(given).filter(([name]) =>
          Object.hasOwn(Object(builtInTools[kind].schema.properties), name),
        )
        const call = Object.fromEntries(own)
        const isValid = validate(builtInTools[kind].schema, call).type === 'valid'
        if (isValid) expect(builtInFields(kind, JSON.stringify(call))).toBeDefined()
      },
    ),
    { numRuns: 3 * lawRuns },
  )
})

test.each([
  ['create_file', { path: 'a' }],
  ['update_file', { path: 'a' }],
])('a patch of the type %s without a diff does not fit the schema, and goes back to the model', (type, rest) => {
  expect(validate(builtInTools.apply_patch.schema, { type, ...rest }).type).toBe('invalid')
})

test('an operation in the history that deletes fits the schema of its tool', () => {
  const read = pastCalls.get('apply_patch_call')?.({ operation: { type: 'delete_file', path: 'a' } }, 'input[0]')
  const call: unknown = JSON.parse(read?.arguments ?? '')
  expect(call).toEqual({ type: 'delete_file', path: 'a', diff: '' })
  expect(builtInFields('apply_patch', JSON.stringify(call))).toEqual({
    type: 'apply_patch_call',
    operation: { type: 'delete_file', path: 'a' },
  })
})
