/** A text with its JSON escapes resolved once, and the offset of each of its characters in the original text. */
export interface Unescaped {
  text: string
  /** The offset at which each character begins, and that of the end. */
  places: Uint32Array
}

const single: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** Resolves the escapes of JSON strings in a text of any kind. Undefined if it has none. */
export function unescaped(text: string, places?: Uint32Array): Unescaped | undefined {
  if (!text.includes('\\')) return undefined
  const found = new Uint32Array(text.length + 1)
  const placeOf = (at: number): number => places?.[at] ?? at
  const parts: string[] = []
  let length = 0
  /** Copies what has no escapes. */
  const copy = (from: number, to: number): void => {
    if (from === to) return
    parts.push(text.slice(from, to))
    for (let at = from; at < to; at++) found[length++] = placeOf(at)
  }
  let from = 0
  for (let at = text.indexOf('\\'); at >= 0 && at + 1 < text.length; at = text.indexOf('\\', from)) {
    copy(from, at)
    const code = text[at + 1] === 'u' ? /^[\da-f]{4}/i.exec(text.slice(at + 2, at + 6))?.[0] : undefined
    const next = text[at + 1] ?? ''
    parts.push(code === undefined ? (single[next] ?? next) : String.fromCharCode(Number.parseInt(code, 16)))
    found[length++] = placeOf(at)
    from = at + (code === undefined ? 2 : 6)
  }
  copy(from, text.length)
  found[length] = placeOf(text.length)
  return { text: parts.join(''), places: found.subarray(0, length + 1) }
}
