/** Parts of a rendered text before, between and after words of a probe; undefined if a word is not in the text. */

/** The text before the first occurrence of a word. */
export function before(text: string | undefined, word: string): string | undefined {
  const at = text?.indexOf(word) ?? -1
  return at < 0 ? undefined : text?.slice(0, at)
}

/** The text between the first occurrence of one word and the next occurrence of another. */
export function between(text: string | undefined, first: string, second: string): string | undefined {
  const from = text?.indexOf(first) ?? -1
  const to = from < 0 ? -1 : (text?.indexOf(second, from + first.length) ?? -1)
  return to < 0 ? undefined : text?.slice(from + first.length, to)
}

/** The text after the last occurrence of a word. */
export function after(text: string | undefined, word: string): string | undefined {
  const at = text?.lastIndexOf(word) ?? -1
  return at < 0 ? undefined : text?.slice(at + word.length)
}
