import { jsonMutations } from './mutate-json.mjs'
import { markMutations } from './mutate-marks.mjs'
import { surroundingMutations } from './mutate-surroundings.mjs'

/**
 * The mutations. Each is `{name, apply(specimen, random)}` and gives undefined where the format has nothing to mutate,
 * or what cannot be recovered by anyone without a guess; else `{text}` with, where it differs from the message:
 *   calls      the calls that must be read: `{name, arguments}`
 *   prose      the texts that must not be lost
 *   options    what the reader is told: `accept`, `reasoning`
 *   reason     why the reply ended
 * `isForeign`: the text holds what another dialect writes, so that only the universal reader must read it.
 */
export const mutations = [
  { name: 'none', apply: ({ text }) => ({ text }) },
  ...markMutations,
  ...jsonMutations,
  ...surroundingMutations,
]
