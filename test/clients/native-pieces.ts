import type { Piece } from '../../src/upstreams/scripted/scripted.ts'

/** The characters around a call in the output of a server with its own tool calling; no text has these characters. */
const marks = { name: '\uE000', arguments: '\uE001', end: '\uE002' } as const

/** A call among the text that a server's model writes; the server sends it beside the text. */
export function markedCall(name: string, json: string): string {
  return `${marks.name}${name}${marks.arguments}${json}${marks.end}`
}

/**
 * Returns the output of a server that reads the calls out of its model's text: texts and calls, in pieces as long as
 * the written ones.
 */
export function nativePieces(written: readonly Piece[]): Piece[] {
  const numbering = { next: 0 }
  return runsOf(written).flatMap((run) => (Array.isArray(run) ? sentRun(run, numbering) : [run]))
}

/** Joins adjacent pieces of text, because a call begins and ends in any of them. */
function runsOf(pieces: readonly Piece[]): (string[] | Exclude<Piece, string>)[] {
  const runs: (string[] | Exclude<Piece, string>)[] = []
  for (const piece of pieces) {
    const last = runs.at(-1)
    if (typeof piece !== 'string') runs.push(piece)
    else if (Array.isArray(last)) last.push(piece)
    else runs.push([piece])
  }
  return runs
}

function sentRun(run: readonly string[], numbering: { next: number }): Piece[] {
  const size = Math.max(...run.map((piece) => [...piece].length))
  // The line break before a call is a part of its markup.
  const parts = run.join('').split(/\n?\uE000([^\uE001]*)\uE001([^\uE002]*)\uE002?/)
  return parts.flatMap((part, at): Piece[] => {
    if (at % 3 === 0) return cut(part, size)
    if (at % 3 === 1) return []
    const index = numbering.next++
    const [first = '', ...others] = cut(part, size)
    const name = parts[at - 1] ?? ''
    return [
      { type: 'call', index, id: `call_${index}${name.length}`, name, arguments: first },
      ...others.map((json) => ({ type: 'call' as const, index, arguments: json })),
    ]
  })
}

function cut(text: string, size: number): string[] {
  return text.match(new RegExp(`.{1,${size}}`, 'gsu')) ?? []
}
