/** Text that was JSON-encoded twice, decoded once: each character with its place in the encoded text. */
export interface Decoded {
  text: string
  /** For each place in `text`, and its end, the place in the encoded text. */
  places: number[]
}

/** The number of characters that are decoded at a time. The second number is for longer words. */
const windows: readonly number[] = [256, 8192]

const controls: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

/**
 * Decodes `encoded` from `at`, at most up to `end`: `{\"a\": \"x\\n\"}` is `{"a": "x\n"}`. Escapes that may be cut at
 * the end of the text are left for later.
 */
function decodeEscapes(encoded: string, at: number, end: number, final: boolean): Decoded {
  let text = ''
  const places: number[] = []
  let place = at
  while (place < end) {
    const char = encoded.charAt(place)
    const next = encoded[place + 1]
    if (char === '\\' && next === undefined && !final) break
    places.push(place)
    const decoded = char !== '\\' ? char : next === undefined ? undefined : (controls.get(next) ?? plain(next))
    text += decoded ?? char
    place += decoded === undefined || char !== '\\' ? 1 : 2
  }
  places.push(place)
  return { text, places }
}

/** Returns the character of other escapes. Escapes that are only valid inside a string are left to the string. */
function plain(char: string): string | undefined {
  return '"\\/'.includes(char) ? char : undefined
}

/**
 * Reads text that is encoded once more, a window at a time. `read` receives the decoded text, and returns how far it
 * came, or -1 if it made no progress. Returns the place up to which the encoded text was read, -1 if it needs more
 * text, or `stop` if no amount would help.
 */
export function readDecoded(
  encoded: string,
  at: number,
  final: boolean,
  read: (decoded: Decoded, isEnd: boolean) => number,
): number | 'stop' {
  for (const window of windows) {
    const end = Math.min(encoded.length, at + window)
    const decoded = decodeEscapes(encoded, at, end, final && end === encoded.length)
    const place = read(decoded, final && end === encoded.length)
    if (place > 0) return decoded.places[place] ?? at
    if (end === encoded.length) return -1
  }
  return 'stop'
}
