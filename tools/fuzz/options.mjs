// @ts-check
import { trigger } from './texts.mjs'
import { tools } from './tools.mjs'

/** @import { CaseOptions, Random } from './types.ts' */

/**
 * Draws the options with which a text is read: most have their usual value.
 * @param {Random} random
 * @param {boolean} usesTrigger
 * @returns {CaseOptions}
 */
export function randomOptions(random, usesTrigger) {
  const may = (/** @type {number} */ share, /** @type {CaseOptions} */ options) => (random.chance(share) ? options : {})
  const accepting = (/** @type {number} */ share, /** @type {NonNullable<CaseOptions['accept']>} */ options) =>
    random.chance(share) ? options : {}
  const accept = {
    ...accepting(0.12, { callsInReasoning: true }),
    ...accepting(0.15, { fences: 'lenient' }),
    ...accepting(0.15, { looseCalls: true }),
    ...accepting(0.1, { naturalLanguage: true }),
  }
  return {
    ...may(usesTrigger ? 0.9 : 0.07, { trigger }),
    ...may(0.25, { reason: random.pick(['length', 'length', 'stop-sequence']) }),
    ...may(0.12, { reasoning: 'open' }),
    ...may(0.08, { standalone: true }),
    ...(Object.keys(accept).length > 0 && { accept }),
    ...may(0.08, {
      toolChoice: random.pick([{ type: 'none' }, { type: 'named', name: 'get_weather' }, { type: 'required' }]),
    }),
    ...may(0.1, { parallelCalls: false }),
    ...may(0.1, { modelIds: false }),
    ...may(0.1, { offered: tools.map(({ name }) => name).filter(() => random.chance(0.5)) }),
  }
}
