import { codePointLength } from './types.ts'

export interface Wrapping {
  width: number
  breaksLongWords: boolean
  breaksAtHyphens: boolean
}

/** White space, a dash between words, or a word up to a hyphen behind which a line may begin. */
const piecesWithHyphens =
  /[\t\n\v\f\r ]+|(?<=[\p{L}\p{N}_!"'&.,?])-{2,}(?=[\p{L}\p{N}_])|[^\t\n\v\f\r ]+?(?:-(?:(?<=[\p{L}_]{2}-)|(?<=[\p{L}_]-[\p{L}_]-))(?=[\p{L}_]-?[\p{L}_])|(?=[\t\n\v\f\r ]|$)|(?<=[\p{L}\p{N}_!"'&.,?])(?=-{2,}[\p{L}\p{N}_]))/gu
const piecesAtSpaces = /[\t\n\v\f\r ]+|[^\t\n\v\f\r ]+/g

/** One line as Python's `textwrap.wrap` breaks it: at white space and hyphens, and inside words only where a word is too long. */
export function wrapText(line: string, wrapping: Wrapping): string[] {
  const { width, breaksLongWords, breaksAtHyphens } = wrapping
  // The next one last.
  const pieces = (line.match(breaksAtHyphens ? piecesWithHyphens : piecesAtSpaces) ?? []).reverse()
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
      if (breaksLongWords) {
        const [begin, rest] = broken(next, width - length, breaksAtHyphens)
        line.push(begin)
        pieces[pieces.length - 1] = rest
      } else if (line.length === 0) line.push(pieces.pop() ?? '')
    }
    if (isBlank(line.at(-1))) line.pop()
    if (line.length > 0) lines.push(line.join(''))
  }
  return lines
}

function isBlank(piece: string | undefined): boolean {
  return piece !== undefined && piece.trim() === ''
}

/** As much of a word as there is room for, and the rest; behind a hyphen where there is one. */
function broken(word: string, room: number, breaksAtHyphens: boolean): [begin: string, rest: string] {
  const characters = Array.from(word)
  const hyphen = breaksAtHyphens ? characters.slice(0, room).lastIndexOf('-') : -1
  const isBehindWord = hyphen > 0 && characters.slice(0, hyphen).some((one) => one !== '-')
  const end = isBehindWord ? hyphen + 1 : room
  return [characters.slice(0, end).join(''), characters.slice(end).join('')]
}
