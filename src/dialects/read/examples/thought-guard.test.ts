import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { lawRuns } from '../../../../test/support/draws.ts'
import { ExampleGuard } from './example-guard.ts'
import { ThoughtGuard } from './thought-guard.ts'

const piece = fc.constantFrom(
  ...[
    '```',
    '~~~',
    '`',
    'js',
    ' ',
    '\n',
    '\n\n',
    'word',
    '"',
    '\u00bb',
    '> ',
    '- ',
    '<pre>',
    '</pre>',
    '<!--',
    '-->',
    '<',
  ],
  'x'.repeat(700),
)
const step = fc.oneof(
  { weight: 8, arbitrary: piece.map((text) => ({ type: 'feed' as const, text })) },
  { weight: 2, arbitrary: fc.constant({ type: 'ask' as const }) },
  { weight: 1, arbitrary: fc.constantFrom({ type: 'interrupt' as const }, { type: 'leave-fence' as const }) },
)

it('tells what a guard tells that follows every line', () => {
  const property = fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
    const guards = [new ThoughtGuard(), new ExampleGuard()]
    for (const one of [...steps, { type: 'ask' as const }]) {
      if (one.type === 'ask') {
        const [mine, whole] = guards.map((guard) => [guard.inExample(false), guard.inExample(true), guard.openFence])
        expect(mine).toEqual(whole)
      } else {
        for (const guard of guards) {
          if (one.type === 'feed') guard.feed(one.text)
          else if (one.type === 'interrupt') guard.interrupt()
          else guard.leaveFence()
        }
      }
    }
  })
  fc.assert(property, { numRuns: 100 * lawRuns })
})

it('still tells of a fence far above', () => {
  const guard = new ThoughtGuard()
  for (const text of ['```\n', 'plain\n'.repeat(1000), 'more\n']) guard.feed(text)
  expect(guard.inExample(true)).toBe(true)
})
