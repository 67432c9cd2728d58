// @ts-check
import { expect, it } from 'vitest'
import { jsonExcess } from '../../src/json/bounds.ts'
import { slownessOf } from './growth.mjs'

/** @import { CreateReader } from './types.ts' */
const input = { dialect: 'universal', options: {}, prefix: '', fragment: 'ab' }

/**
 * A reader that takes this many steps for each piece.
 * @param {(before: number) => number} steps
 * @returns {CreateReader}
 */
const readerWith = (steps) => () => {
  let before = 0
  const push = (/** @type {string} */ text) => {
    // Looks at each character of so many: only the steps of the project's own code count.
    jsonExcess('x'.repeat(steps(before)), { values: 0, depth: 0 })
    before += text.length
    return []
  }
  // @ts-expect-error what is measured calls nothing else
  return { push, end: () => [] }
}

it.each([
  ['bounded', () => 40, false],
  ['growing with what came before', (/** @type {number} */ before) => before / 16, true],
])('tells steps that are %s for each piece', (_, steps, isSlow) => {
  expect(slownessOf(readerWith(steps), input) !== undefined).toBe(isSlow)
})
