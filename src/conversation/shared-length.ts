/** The number of characters that are compared at once. */
const step = 1024

/**
 * Returns the number of characters at the beginning of two texts that are the same. Texts have megabytes, of which most is often
 * shared: they are compared in steps, and then character by character.
 *
 * @example
 * sharedLength('<tool_call>', '<tool_response>') // 6
 */
export function sharedLength(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let at = 0
  while (at + step <= most && one.slice(at, at + step) === other.slice(at, at + step)) at += step
  while (at < most && one.charCodeAt(at) === other.charCodeAt(at)) at++
  return at
}
