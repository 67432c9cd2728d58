import { pause } from './pause.ts'

/**
 * Work in steps, with its result. Written once, it is done at once by a library's function and in pieces by a server.
 *
 * @example
 * function* sizes(texts: readonly string[]): Steps<number[]> {
 *   const found = []
 *   for (const text of texts) {
 *     found.push(measure(text))
 *     yield
 *   }
 *   return found
 * }
 */
export type Steps<Result> = Generator<undefined, Result, undefined>

/** Steps that take less, in milliseconds, are done together: small work has no pause. */
const longMs = 5

/** The number of messages or the like that a step handles together: with a step for each, a prompt of 60 turns took 10 % longer. */
export const perStep = 32

/** Returns the result of work in steps, which is done without a pause. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Returns the result of work in steps, which is done with a `rest` after every few milliseconds, also after the last of them. */
export async function inPieces<Result>(steps: Steps<Result>, rest: () => Promise<void> = pause): Promise<Result> {
  let startedAt = performance.now()
  for (;;) {
    const step = steps.next()
    if (performance.now() - startedAt >= longMs) {
      await rest()
      startedAt = performance.now()
    }
    if (step.done) return step.value
  }
}
