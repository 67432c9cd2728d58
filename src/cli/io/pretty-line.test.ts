import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../../../test/support/draws.ts'
import { prettyLine } from './pretty-line.ts'

const time = new Date(2026, 0, 31, 9, 5, 7, 8)
const plain = { colour: false, guarded: false, width: 100 }
const terminal = { colour: true, guarded: true, width: 100 }

test.each([
  [{ status: 503, upstream: 'u' }, '09:05:07.008 WARN  retry status=503 upstream=u\n'],
  [
    { empty: '', text: 'a b', path: '/v1/messages' },
    '09:05:07.008 WARN  retry empty="" text="a b" path=/v1/messages\n',
  ],
  [{ tokens: { in: 9 }, list: ['a'], gone: undefined }, '09:05:07.008 WARN  retry tokens={"in":9} list=["a"]\n'],
  [{ prompt: 'one\ntwo', status: 1 }, '09:05:07.008 WARN  retry status=1\n  prompt:\n    one\n    two\n'],
  [{ text: 'x'.repeat(121) }, `09:05:07.008 WARN  retry\n  text:\n    ${'x'.repeat(121)}\n`],
  [
    { error: { type: 'Error', message: 'why', stack: 'Error: why\n  at a' } },
    '09:05:07.008 WARN  retry\n  error:\n    Error: why\n      at a\n',
  ],
])('%j', (fields, expected) => {
  expect(prettyLine({ time, level: 'warn', event: 'retry', fields }, plain)).toBe(expected)
})

test('colours are closed again', () => {
  expect(prettyLine({ time, level: 'error', event: 'failed', fields: { a: 1 } }, terminal)).toBe(
    '\u001b[2m09:05:07.008\u001b[0m \u001b[31mERROR\u001b[0m \u001b[1mfailed\u001b[0m \u001b[2ma=\u001b[0m1\n',
  )
})

test('no text of a model or client reaches a terminal as a control', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const line = prettyLine(
        { time, level: 'info', event: 'reply-text', fields: { text } },
        { ...terminal, colour: false },
      )
      expect(line).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
    }),
    { numRuns: 10 * lawRuns },
  )
})
