// @ts-check

/** @import { CaseOptions, FuzzCase } from './types.ts' */

/** So many tries are made for one text. */
const mostTries = 4000

/**
 * The smallest case found that still fails: stretches of the text are taken out, long ones first, then options, until
 * nothing more can go.
 * @param {FuzzCase} fuzzCase
 * @param {(smaller: FuzzCase) => boolean} fails
 * @returns {FuzzCase}
 */
export function minimise(fuzzCase, fails) {
  let small = fuzzCase
  for (;;) {
    const { dialect } = small
    const text = minimiseText(small.text, (shorter) => fails({ ...small, text: shorter }))
    const options = minimiseOptions(small.options, (fewer) => fails({ dialect, text, options: fewer }))
    const isDone = text === small.text && options === small.options
    small = { dialect, text, options }
    if (isDone) return small
  }
}

/**
 * @param {string} text
 * @param {(shorter: string) => boolean} fails
 */
export function minimiseText(text, fails) {
  let small = text
  let tries = 0
  for (let length = Math.ceil(text.length / 2); length >= 1; length = length === 1 ? 0 : Math.ceil(length / 2)) {
    for (let at = 0; at < small.length && tries < mostTries; ) {
      const shorter = small.slice(0, at) + small.slice(at + length)
      tries++
      if (fails(shorter)) small = shorter
      else at += length
    }
  }
  return small
}

/**
 * @param {CaseOptions} options
 * @param {(fewer: CaseOptions) => boolean} fails
 */
export function minimiseOptions(options, fails) {
  let small = options
  for (const key of Object.keys(options)) {
    const fewer = without(small, key)
    if (fails(fewer)) small = fewer
  }
  for (const key of Object.keys(small.accept ?? {})) {
    const fewer = { ...small, accept: without(small.accept ?? {}, key) }
    if (fails(fewer)) small = fewer
  }
  return small
}

/**
 * @template {object} Members
 * @param {Members} members
 * @param {string} key
 * @returns {Partial<Members>}
 */
function without(members, key) {
  return Object.fromEntries(Object.entries(members).filter(([name]) => name !== key))
}
