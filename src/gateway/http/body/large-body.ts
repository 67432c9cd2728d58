import { type JsonBounds, type JsonExcess, PiecewiseJson, pause } from '../../../json/index.ts'

/** The number of bytes that are decoded and parsed between two turns of the event loop. */
const pieceSize = 256 * 1024

/** Reads a large body as JSON in UTF-8, piece by piece, as it comes: however large it is, others are served between the pieces. */
export class LargeBody {
  readonly #json: PiecewiseJson
  /** `fatal`, lest broken text be sent on as text. A byte order mark is one only at the beginning, not in each piece. */
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  /** Bytes of an incomplete piece, after the beginning of an incomplete character. */
  #held: Uint8Array[] = []
  #size = 0
  #isBegun = false

  constructor(bounds: JsonBounds) {
    this.#json = new PiecewiseJson(bounds)
  }

  /** Takes the next bytes; returns the first bound that the text exceeds. Throws if it is not JSON in UTF-8. */
  async push(bytes: Uint8Array): Promise<JsonExcess | undefined> {
    for (let at = 0; at < bytes.byteLength; at += pieceSize) {
      this.#hold(bytes.subarray(at, at + pieceSize))
      if (this.#size < pieceSize) continue
      const piece = joined(this.#held, this.#size)
      const end = endOfCharacters(piece)
      this.#held = []
      this.#size = 0
      this.#hold(piece.slice(end))
      const excess = this.#json.push(this.#decode(piece.subarray(0, end)))
      if (excess) return excess
      await pause()
    }
    return undefined
  }

  /** Takes the last bytes and gives the value; or the first bound that the text is past. */
  end(): { excess: JsonExcess } | { value: unknown } {
    const excess = this.#json.push(this.#decode(joined(this.#held, this.#size)))
    return excess ? { excess } : { value: this.#json.end() }
  }

  #hold(bytes: Uint8Array): void {
    this.#held.push(bytes)
    this.#size += bytes.byteLength
  }

  #decode(bytes: Uint8Array): string {
    const text = this.#utf8.decode(bytes)
    const isMarked = !this.#isBegun && text.startsWith('\ufeff')
    this.#isBegun ||= text !== ''
    return isMarked ? text.slice(1) : text
  }
}

/** Chunks as one. */
export function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = chunks
  if (first && chunks.length === 1) return first
  const all = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.byteLength
  }
  return all
}

/** The end of the last character that is whole: one that is not has its first byte among the last three. */
function endOfCharacters(bytes: Uint8Array): number {
  const { length } = bytes
  for (let back = 1; back <= Math.min(3, length); back++) {
    const byte = bytes[length - back] ?? 0
    // The first byte of a character of more than `back` bytes.
    if (byte >= 0xc0) return byte >= (back === 1 ? 0xc0 : back === 2 ? 0xe0 : 0xf0) ? length - back : length
    if (byte < 0x80) return length
  }
  return length
}
