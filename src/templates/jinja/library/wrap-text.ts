import { codePointLength } from '../python/values/types.ts'

export interface Wrapping {
  width: number
  breaksLongWords: boolean
  breaksAtHyphens: boolean
}

/** White space, a dash between words, or a word up to a hyphen after which a line may begin. */
const piecesWithHyphens =
  /[\t\n\v\f\r ]+|(?<=[\p{L}\p{N}_!"'&.,?])-{2,}(?=[\p{L}\p{N}_])|[^\t\n\v\f\r ]+?(?:-(?:(?<=[\p{L}_]{2}-)|(?<=[\p{L}_]-[\p{L}_]-))(?=[\p{L}_]-?[\p{L}_])|(?=[\t\n\v\f\r ]|$)|(?<=[\p{L}\p{N}_!"'&.,?])(?=-{2,}[\p{L}\p{N}_]))/gu
const piecesAtSpaces = /[\t\n\v\f\r ]+|[^\t\n\v\f\r ]+/g

/**
 * One line as Python's `textwrap.wrap` breaks it: at white space and hyphens, and inside words only if a word is too
 * long.
 */
export function wrapText(text: string, wrapping: Wrapping): string[] {
  const { width, breaksLongWords, breaksAtHyphens } = wrapping
  // The next one last.
  const pieces = (text.match(breaksAtHyphens ? piecesWithHyphens : piecesAtSpaces) ?? []).reverse()
  const lines: string[] = []
  while (pieces.length > 0) {
    if (lines.length > 0 && isBlank(pieces.at(-1))) pieces.pop()
    const line: string[] = []
    let length = 0
    for (let next = pieces.at(-1); next !== undefined; next = pieces.at(-1)) {
      const size = codePointLength(next)
      if (length + size > width) break
      line.push(next)
      length += size
      pieces.pop()
    }
    const next = pieces.at(-1)
    if (next !== undefined && codePointLength(next) > width) {
      pieces.pop()
      if (breaksLongWords) {
        const { first, whole, rest } = broken(next, width - length, wrapping)
        endLine([...line, first], lines)
        lines.push(...whole)
        pieces.push(rest)
        continue
      }
      if (line.length === 0) line.push(next)
      else pieces.push(next)
    }
    endLine(line, lines)
  }
  return lines
}

/** White space at the end of a line goes. */
function endLine(line: string[], lines: string[]): void {
  if (isBlank(line.at(-1))) line.pop()
  if (line.length > 0) lines.push(line.join(''))
}

function isBlank(piece: string | undefined): boolean {
  return piece !== undefined && piece.trim() === ''
}

/** Splits a long word: the part that fits in the current line, whole lines, and the rest. */
function broken(
  word: string,
  room: number,
  { width, breaksAtHyphens }: Wrapping,
): { first: string; whole: string[]; rest: string } {
  const characters = Array.from(word)
  const cut = (from: number, most: number): string => {
    const part = characters.slice(from, from + most)
    const hyphen = breaksAtHyphens ? part.lastIndexOf('-') : -1
    const isAfterWord = hyphen > 0 && part.slice(0, hyphen).some((one) => one !== '-')
    return (isAfterWord ? part.slice(0, hyphen + 1) : part).join('')
  }
  const first = cut(0, room)
  const whole: string[] = []
  let at = codePointLength(first)
  while (characters.length - at > width) {
    const line = cut(at, width)
    whole.push(line)
    at += codePointLength(line)
  }
  return { first, whole, rest: characters.slice(at).join('') }
}
