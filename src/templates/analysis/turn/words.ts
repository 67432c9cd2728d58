/** Words of markers that name a position or a kind of thing, not the subject. */
const places: ReadonlySet<string> = new Set([
  'open',
  'close',
  'begin',
  'start',
  'end',
  'stop',
  'sep',
  'of',
  'the',
  'prefix',
  'suffix',
  'section',
  'header',
  'id',
  'im',
  'turn',
  'message',
  'msg',
  'token',
  'role',
  'assistant',
  'channel',
])

/** The words of a marker that name its subject: `<|START_THINKING|>` and `<|END_THINKING|>` share theirs. */
export function wordsOf(marker: string): ReadonlySet<string> {
  const words = marker.toLowerCase().match(/\p{L}+/gu) ?? []
  return new Set(words.filter((word) => word.length > 1 && !places.has(word)))
}

/** True for a marker with a word for closing. */
export function isCloser(marker: string): boolean {
  return /[/\uff0f]|end|close/i.test(marker)
}
