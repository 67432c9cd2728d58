const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const idLength = 22
/** Random bytes for a hundred ids: to ask for so many costs hardly more than to ask for one's, 0.005 ms. */
const pool = new Uint8Array(idLength * 100)
let used: number = pool.length

/** Returns `prefix` and 22 random letters and digits: 130 bits, enough to make ids unique everywhere. */
export function newId(prefix: string): string {
  if (used === pool.length) {
    crypto.getRandomValues(pool)
    used = 0
  }
  let id = prefix
  // 256 is not a multiple of 62: the first letters are a little likelier, which costs less than half a bit in all.
  for (let at = used; at < used + idLength; at++) id += alphabet[(pool[at] ?? 0) % 62]
  used += idLength
  return id
}

/** Nine letters and digits for an id, the same for the same id; Mistral's models and templates take no others. */
export function shortId(id: string): string {
  if (/^[0-9a-zA-Z]{9}$/.test(id)) return id
  // FNV-1a with two seeds: 53 bits, so that the few ids of a conversation do not collide.
  let [high, low] = [0x811c9dc5, 0x01000193]
  for (let at = 0; at < id.length; at++) {
    high = Math.imul(high ^ id.charCodeAt(at), 0x01000193)
    low = Math.imul(low ^ id.charCodeAt(at), 0x85ebca6b)
  }
  let number = BigInt(high >>> 0) * 0x1_0000_0000n + BigInt(low >>> 0)
  let short = ''
  for (let at = 0; at < 9; at++, number /= 62n) short += alphabet[Number(number % 62n)]
  return short
}
