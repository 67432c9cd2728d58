import type { Span } from '../../src/records/api/types.ts'

/** A mark between two characters of a text. */
export interface Mark {
  at: number
  code: string
  message: string
}

/** A part of a text with one role. */
export interface Piece {
  start: number
  text: string
  role?: Span['role']
  /** True if the role begins here, and not in the block before. */
  isFirst: boolean
  marks: Mark[]
}

/** A part of a text with a separate layout. */
export interface Block {
  start: number
  pieces: Piece[]
  /** True if it does not end with a line. */
  isCut: boolean
}

/** Characters of a block, about: a browser lays out a line of megabytes slowly, and many short ones fast. */
const blockLength = 8000

/**
 * Divides a text into blocks: after lines where there are some, else anywhere but in a pair of surrogates. `spans` are in order and do not
 * overlap; marks are in order.
 */
export function blocksOf(text: string, spans: readonly Span[] = [], marks: readonly Mark[] = []): Block[] {
  const blocks: Block[] = []
  let span = 0
  let mark = 0
  for (let start = 0; start < text.length; ) {
    const end = endOf(text, start)
    const pieces: Piece[] = []
    let at = start
    while (at < end) {
      while (span < spans.length && (spans[span]?.end ?? 0) <= at) span++
      const current = spans[span]
      const isIn = current !== undefined && current.start <= at
      const until = Math.min(end, isIn ? current.end : (current?.start ?? end))
      const here: Mark[] = []
      for (let next = marks[mark]; next && next.at <= at; next = marks[++mark]) here.push(next)
      const stop = Math.min(until, marks[mark]?.at ?? until)
      pieces.push({
        start: at,
        text: text.slice(at, stop),
        ...(isIn && { role: current.role }),
        isFirst: isIn && current.start === at,
        marks: here,
      })
      at = stop
    }
    blocks.push({ start, pieces, isCut: end < text.length && text[end - 1] !== '\n' })
    start = end
  }
  return blocks
}

function endOf(text: string, start: number): number {
  const end = start + blockLength
  if (end >= text.length) return text.length
  const line = text.lastIndexOf('\n', end - 1)
  if (line > start + blockLength / 4) return line + 1
  const code = text.charCodeAt(end - 1)
  return code >= 0xd800 && code < 0xdc00 ? end - 1 : end
}
