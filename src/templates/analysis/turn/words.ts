/** Words of markers that say where in something they stand, or what kind of thing they are, and not of what. */
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

/** The words of a marker that say what it is about: `<|START_THINKING|>` and `<|END_THINKING|>` share theirs. */
export function wordsOf(marker: string): ReadonlySet<string> {
  const words = marker.toLowerCase().match(/\p{L}+/gu) ?? []
  return new Set(words.filter((word) => word.length > 1 && !places.has(word)))
}

/** True for a marker that says that it closes something. */
export function isCloser(marker: string): boolean {
  return /[/\uff0f]|end|close/i.test(marker)
}
