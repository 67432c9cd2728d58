import { stepsOf } from '../../tools/fuzz/steps.mjs'

export { stepsOf }

/**
 * Returns the factor by which the steps grow while a text grows fourfold: 4 if each character takes a bounded number of
 * steps, 16 if each takes as many as there are characters before it. `read` receives the length of the text.
 */
export function growthOf(read: (length: number) => void, length: number): number {
  // Values that are made once for all texts are made before the measurement.
  read(16)
  const short = stepsOf(() => read(length))
  return stepsOf(() => read(length * 4)) / Math.max(short, length)
}

/**
 * The greatest growth of work that is bounded for each character; it includes values that are compiled or cached on the
 * way.
 */
export const linearGrowth = 6
