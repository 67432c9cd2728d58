const closers: ReadonlyMap<string, string> = new Map([
  ['//', '\n'],
  ['/*', '*/'],
  ['#', '\n'],
])

/** A comment that begins at `at`: how long its opener is, and what closes it. `more` when that takes more text to tell. */
export function commentAt(
  text: string,
  at: number,
  final: boolean,
): { length: number; closer: string } | 'more' | undefined {
  const length = text[at] === '#' ? 1 : 2
  const opener = text.slice(at, at + length)
  if (opener.length < length && !final) return 'more'
  const closer = closers.get(opener)
  return closer === undefined ? undefined : { length, closer }
}

/** Where a comment ends; `isClosed` is false when all up to `end` is over with, but not the comment. */
export function commentEnd(text: string, at: number, closer: string): { end: number; isClosed: boolean } {
  const found = text.indexOf(closer, at)
  if (found >= 0) return { end: found + closer.length, isClosed: true }
  // What may be the beginning of the closer is held.
  return { end: Math.max(at, text.length - closer.length + 1), isClosed: false }
}
