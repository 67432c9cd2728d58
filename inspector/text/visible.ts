/** A stretch of text. `isEscape`: it is the name of a character that cannot be seen, or that changes the order of others. */
export interface Stretch {
  text: string
  isEscape: boolean
}

/**
 * Characters that are not shown as themselves: controls (terminals act on them), signs of direction, characters without width except
 * those that join letters, tags, halves of pairs.
 */
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Surrogate}/gu

/** Splits a text into visible parts and the names of invisible characters. */
export function stretchesOf(text: string): Stretch[] {
  const stretches: Stretch[] = []
  let at = 0
  for (const match of text.matchAll(hidden)) {
    if (match.index > at) stretches.push({ text: text.slice(at, match.index), isEscape: false })
    stretches.push({ text: nameOf(match[0]), isEscape: true })
    at = match.index + match[0].length
  }
  if (at < text.length) stretches.push({ text: text.slice(at), isEscape: false })
  return stretches
}

/** Returns a text with names in place of characters that are not shown, for titles and labels. */
export function visible(text: string): string {
  return text.replaceAll(hidden, nameOf)
}

function nameOf(character: string): string {
  if (character === '\r') return '\\r'
  const code = character.codePointAt(0) ?? 0
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`
}
