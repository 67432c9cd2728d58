import { isJsonObject } from '../../conversation/index.ts'
import type { CallPiece } from '../upstream.ts'

interface KnownCall {
  index: number
  id: string | undefined
  isNamed: boolean
}

/**
 * Distinguishes the calls of one reply. OpenAI numbers them; servers that send whole calls often omit the number or
 * always send 0 (Gemini, older Ollama).
 */
export class ChatCalls {
  /** The last call of each number. */
  readonly #known = new Map<number, KnownCall>()
  #highest = -1

  get hasAny(): boolean {
    return this.#known.size > 0
  }

  /** Reads a piece of a call, or a whole call. `place` is its index in the chunk. */
  read(call: unknown, place: number): CallPiece[] {
    if (!isJsonObject(call)) return []
    const { name, arguments: json } = isJsonObject(call.function) ? call.function : call
    const number = typeof call.index === 'number' ? call.index : undefined
    const id = typeof call.id === 'string' && call.id !== '' ? call.id : undefined
    const isNamed = typeof name === 'string' && name !== ''
    const piece: CallPiece = { type: 'call', index: this.#indexOf(number, place, id, isNamed) }
    if (id !== undefined) piece.id = id
    if (isNamed) piece.name = name
    // Ollama's older versions, and others, send the arguments as an object.
    if (typeof json === 'string') piece.arguments = json
    else if (isJsonObject(json)) piece.arguments = JSON.stringify(json)
    return [piece]
  }

  #indexOf(number: number | undefined, place: number, id: string | undefined, isNamed: boolean): number {
    const key = number ?? place
    const known = this.#known.get(key)
    if (known && !(isNamed && known.isNamed && isOther(known, number, id))) {
      known.id ??= id
      known.isNamed ||= isNamed
      return known.index
    }
    const index = known ? this.#highest + 1 : this.#free(key)
    this.#highest = Math.max(this.#highest, index)
    this.#known.set(key, { index, id, isNamed })
    return index
  }

  #free(key: number): number {
    for (const { index } of this.#known.values()) if (index === key) return this.#highest + 1
    return key
  }
}

/** Returns true if a repeated name begins another call. Some servers repeat the name and the id in every piece. */
function isOther(known: KnownCall, number: number | undefined, id: string | undefined): boolean {
  if (id !== undefined && known.id !== undefined) return id !== known.id
  return number === undefined
}
