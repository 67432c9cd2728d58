import { patternTerminal, type Terminal, turnEnds } from '../../../../grammar/index.ts'

const turnEnd = patternTerminal(turnEnds)

/** The length of the closing markers with which a text begins, and of the white space between them. */
export function closersLength(text: string, closers: readonly Terminal[]): number {
  let length = 0
  for (;;) {
    const at = length + text.slice(length).search(/\S|$/)
    const longest = Math.max(0, ...closers.map(({ whole }) => whole.execAt(text, at)?.[0].length ?? 0))
    if (longest === 0) return length
    length = at + longest
  }
}

/** The length of what separates a call from the next: the markers that close it, and a comma. */
export function separatorLength(text: string, closers: readonly Terminal[]): number {
  const length = closersLength(text, closers)
  return length + (/^\s*[,;]/.exec(text.slice(length))?.[0].length ?? 0)
}

/** The length of a text up to the token that ends a turn after it, if one does. */
export function lengthToTurnEnd(text: string): number {
  const end = text.trimEnd().length
  const at = Math.max(0, text.lastIndexOf('<'))
  return turnEnd.whole.execAt(text, at)?.[0].length === end - at ? at : text.length
}
