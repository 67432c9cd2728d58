/**
 * Words of probes that occur in no template: if a template's output contains one, it came from the probe, and a marker
 * that would contain one is known to be wrong. They consist of letters and digits only, so that no filter changes them.
 */

/** A reply of a probe, in the parts that templates write in different places. */
export const nonces = {
  user: 'Xq3usertext',
  laterUser: 'Xq3lateruser',
  text: 'Xq3replytext',
  reasoning: 'Xq3thought',
  result: 'Xq3result',
  names: ['xq3first', 'xq3second', 'xq3third'],
  keys: ['xq3keya', 'xq3keyb', 'xq3keyc'],
  values: ['Xq3vala', 'Xq3valb', 'Xq3valc'],
  /** Nine letters and digits: Mistral's templates take no other. */
  ids: ['Xq3idAAA1', 'Xq3idBBB2', 'Xq3idCCC3'],
} as const

const anyNonce = /xq3/i

/** True if a text contains a part of a probe. */
export function holdsNonce(text: string): boolean {
  return anyNonce.test(text)
}

/** The n-th of a list; a probe never has more than three of anything. */
export function nth(list: readonly string[], index: number): string {
  return list[index] ?? `xq3more${index}`
}
