import { stepsOf } from '../../tools/fuzz/steps.mjs'

export { stepsOf }

/**
 * How many times the steps grow while a text grows fourfold: 4 where each character takes a bounded number of steps,
 * 16 where each takes as many as there were before it. `read` is given how long the text is to be.
 */
export function growthOf(read: (length: number) => void, length: number): number {
  // What is made once for all texts is made before.
  read(16)
  const short = stepsOf(() => read(length))
  return stepsOf(() => read(length * 4)) / Math.max(short, length)
}

/** No more than this, where work is bounded for each character: what is compiled or remembered on the way is a part of it. */
export const linearGrowth = 6
