import { expect, test } from 'vitest'
import { z } from 'zod'
import { type CallVerdict, validateCall } from './validate-call.ts'

const tools = [{ name: 'wait', schema: z.object({ days: z.int() }) }, 'now']
const invalid = (place: string, message: string): CallVerdict => ({ type: 'invalid', faults: [{ place, message }] })

test.each<[string, string | object, CallVerdict]>([
  ['wait', '{"days": 2}', { type: 'valid', arguments: { days: 2 } }],
  ['wait', { days: 2 }, { type: 'valid', arguments: { days: 2 } }],
  ['now', '{"any": "thing"}', { type: 'valid', arguments: { any: 'thing' } }],
  ['wait', '{"days": "two"}', invalid('days', 'is a string, not an integer')],
  ['wait', '{}', invalid('', 'lacks the required property "days"')],
  ['wait', '{"days": 2', invalid('', 'is not a JSON object')],
  ['wait', '[2]', invalid('', 'is not a JSON object')],
  ['Wait', '{}', invalid('', 'is a call of an unknown tool; the tools are: wait, now')],
])('%s %j', (name, args, verdict) => {
  expect(validateCall({ name, arguments: typeof args === 'string' ? args : { ...args } }, tools)).toEqual(verdict)
})
