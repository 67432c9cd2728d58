// @ts-check

/** The number of characters of a difference that are shown. */
const shown = 160

/**
 * Describes the first difference between two values; undefined if they are equal.
 * @param {unknown} a
 * @param {unknown} b
 */
export function differs(a, b) {
  const [one, other] = [JSON.stringify(a), JSON.stringify(b)]
  if (one === other) return undefined
  let at = 0
  while (one[at] === other[at]) at++
  const from = Math.max(0, at - 40)
  return `…${one.slice(from, from + shown)} and …${other.slice(from, from + shown)}`
}

/** @param {unknown} value */
export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
