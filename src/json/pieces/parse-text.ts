import type { JsonBounds, JsonExcess } from '../bounds.ts'
import { PiecewiseJson } from './parse.ts'
import { pause } from './pause.ts'

/** The number of characters that are parsed between two turns of the event loop. */
const pieceSize = 256 * 1024
const unbounded: JsonBounds = { values: Number.POSITIVE_INFINITY, depth: Number.POSITIVE_INFINITY }

/**
 * Parses a JSON text that may be large, in pieces between which other work is done. Resolves with the value, or with
 * the first bound that the text exceeds. Rejects with a `SyntaxError` if it is not JSON.
 */
export async function parseInPieces(
  text: string,
  bounds: JsonBounds = unbounded,
): Promise<{ excess: JsonExcess } | { value: unknown }> {
  const json = new PiecewiseJson(bounds)
  for (let at = 0; at < text.length; at += pieceSize) {
    const excess = json.push(text.slice(at, at + pieceSize))
    if (excess) return { excess }
    await pause()
  }
  return { value: json.end() }
}
