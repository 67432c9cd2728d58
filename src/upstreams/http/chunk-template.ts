import { isJsonObject, type JsonObject } from '../../conversation/index.ts'
import type { WireFormat } from './wire-format.ts'

/** Text that needs no escapes in JSON. */
const plain = /^[^"\\\u0000-\u001f]*$/
/** The number of templates that may be learned without use: in some streams each chunk has fields that no other has. */
const maxUnused = 3

/**
 * Reads the text of a chunk without parsing the chunk: within a stream, chunks differ only in their text. The parts
 * before and after the text are learned from one chunk and compared with the next. If both are equal and the part
 * between them is the content of a JSON string, parsing would give the same chunk with that text. 200 pieces take 0.04
 * ms instead of 0.21 ms.
 */
export class ChunkTemplate {
  readonly #read: WireFormat['read']
  /** The key of a text up to the opening quote. Some servers put a space after the colon. */
  readonly #openings: readonly string[]
  #head = ''
  #tail = ''
  #unused = 0

  constructor(textKey: string, read: WireFormat['read']) {
    this.#read = read
    this.#openings = [`"${textKey}":"`, `"${textKey}": "`]
  }

  /** The text of a chunk that is like the one learned from; undefined for any other. */
  read(data: string): string | undefined {
    const head = this.#head
    const tail = this.#tail
    const end = data.length - tail.length
    if (head === '' || end < head.length) return undefined
    // Slices are compared in a tenth of the time that V8's `startsWith` takes.
    if (data.slice(0, head.length) !== head || data.slice(end) !== tail) return undefined
    const inside = data.slice(head.length, end)
    const text = plain.test(inside) ? inside : parseString(`"${inside}"`)
    if (text !== undefined) this.#unused = 0
    return text
  }

  /** Learns from a chunk that said nothing but a piece of text. */
  learn(data: string): void {
    if (this.#unused === maxUnused) return
    const start = this.#startOf(data)
    if (start < 0) return
    const end = data.indexOf('"', start)
    const head = data.slice(0, start)
    const tail = data.slice(end)
    // The proof that this is the place: the chunk with another text there has that text.
    const probe = 'probe'
    if (end < 0 || this.#textOf(parseObject(head + probe + tail)) !== probe) return
    this.#head = head
    this.#tail = tail
    this.#unused++
  }

  /** Returns the offset at which the text of a chunk begins; -1 if it has none. */
  #startOf(data: string): number {
    for (const opening of this.#openings) {
      const at = data.indexOf(opening)
      if (at >= 0) return at + opening.length
    }
    return -1
  }

  /** Returns the text of a chunk that contains only text. */
  #textOf(chunk: JsonObject | undefined): string | undefined {
    if (chunk === undefined) return undefined
    const { events, failed, isLast } = this.#read(chunk)
    const [event] = events
    if (events.length !== 1 || failed !== undefined || isLast) return undefined
    return event?.type === 'text' ? event.text : undefined
  }
}

function parseString(json: string): string | undefined {
  const value = parse(json)
  return typeof value === 'string' ? value : undefined
}

function parseObject(json: string): JsonObject | undefined {
  const value = parse(json)
  return isJsonObject(value) ? value : undefined
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    // Not JSON: that is the answer, not a failure.
    return undefined
  }
}
