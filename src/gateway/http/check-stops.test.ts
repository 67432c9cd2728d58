import { expect, test } from 'vitest'
import { checkStops } from './check-stops.ts'

test.each<[what: string, stopSequences: string[], passes: boolean]>([
  ['none', [], true],
  ['64 short ones', Array<string>(64).fill('\n\nHuman:'), true],
  ['one more', Array<string>(65).fill('x'), false],
  ['one of 2000 characters', ['x'.repeat(2000)], true],
  ['a longer one', ['x'.repeat(2001)], false],
  ['several that are longer together', ['x'.repeat(1001), 'y'.repeat(1000)], false],
])('stop sequences: %s', (_, stopSequences, passes) => {
  const check = (): void => checkStops({ stopSequences })
  if (passes) expect(check).not.toThrow()
  else expect(check).toThrow(/^The request has \d+ stop sequences with \d+ characters; at most 64 with 2000/)
})
