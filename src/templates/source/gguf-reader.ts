/** Bytes of a file from an offset on; fewer only at the end of the file. */
export type ReadBytes = (offset: number, length: number) => Promise<Uint8Array>

/** A value of the metadata; null for values that were not requested. */
export type GgufValue = string | number | boolean | null | GgufValue[]

export class GgufFault extends Error {}

const chunk = 256 * 1024
/** Far above what models have: the largest vocabularies make headers of 20 MB. */
const longestHeader = 256 * 1024 * 1024
const longestText = 16 * 1024 * 1024
const mostKeys = 65_536
const deepestArray = 4

/** The types of values with a fixed size: bytes, and how they are read. */
const numbers: ReadonlyMap<number, readonly [size: number, read: (view: DataView) => number | boolean]> = new Map([
  [0, [1, (view: DataView) => view.getUint8(0)]],
  [1, [1, (view: DataView) => view.getInt8(0)]],
  [2, [2, (view: DataView) => view.getUint16(0, true)]],
  [3, [2, (view: DataView) => view.getInt16(0, true)]],
  [4, [4, (view: DataView) => view.getUint32(0, true)]],
  [5, [4, (view: DataView) => view.getInt32(0, true)]],
  [6, [4, (view: DataView) => view.getFloat32(0, true)]],
  [7, [1, (view: DataView) => view.getUint8(0) !== 0]],
  [10, [8, (view: DataView) => Number(view.getBigUint64(0, true))]],
  [11, [8, (view: DataView) => Number(view.getBigInt64(0, true))]],
  [12, [8, (view: DataView) => view.getFloat64(0, true)]],
])
const stringType = 8
const arrayType = 9

/** Walks the header of a GGUF file (version 2 and 3, little-endian): its keys and values, in the order of the file. */
export class GgufReader {
  readonly #read: ReadBytes
  #buffer: Uint8Array = new Uint8Array()
  /** The offset of the buffer in the file, and the offset that is read next. */
  #start = 0
  #at = 0

  constructor(read: ReadBytes) {
    this.#read = read
  }

  /** The values whose keys are wanted; all others are passed over. */
  async metadata(isWanted: (key: string) => boolean): Promise<ReadonlyMap<string, GgufValue>> {
    const magic = new TextDecoder('latin1').decode(await this.#bytes(4))
    if (magic !== 'GGUF') throw new GgufFault('it does not begin with GGUF')
    const version = await this.#number(4)
    if (version !== 2 && version !== 3) {
      throw new GgufFault(
        version > 0xffff
          ? 'it is big-endian, which is not supported'
          : `it has version ${version}; 2 and 3 are read here`,
      )
    }
    await this.#count('tensors', Number.MAX_SAFE_INTEGER)
    const keys = await this.#count('keys', mostKeys)
    const found = new Map<string, GgufValue>()
    for (let index = 0; index < keys; index++) {
      const key = await this.#text()
      const value = await this.#value(await this.#number(4), isWanted(key), 0)
      if (isWanted(key)) found.set(key, value)
    }
    return found
  }

  async #value(type: number, keep: boolean, depth: number): Promise<GgufValue> {
    const number = numbers.get(type)
    if (number) {
      const [size, read] = number
      const bytes = await this.#bytes(size)
      return read(new DataView(bytes.buffer, bytes.byteOffset, size))
    }
    if (type === stringType) return keep ? this.#text() : this.#skipText()
    if (type === arrayType) return this.#array(keep, depth + 1)
    throw new GgufFault(`it has a value of the unknown type ${type}`)
  }

  async #array(keep: boolean, depth: number): Promise<GgufValue> {
    if (depth > deepestArray) throw new GgufFault(`it has arrays more than ${deepestArray} deep`)
    const type = await this.#number(4)
    const count = await this.#count('elements', longestHeader)
    const size = numbers.get(type)?.[0]
    if (size !== undefined && !keep) {
      this.#skip(size * count)
      return null
    }
    const items: GgufValue[] = []
    for (let index = 0; index < count; index++) {
      const item = await this.#value(type, keep, depth)
      if (keep) items.push(item)
    }
    return keep ? items : null
  }

  async #text(): Promise<string> {
    const length = await this.#count('bytes of text', longestText)
    return new TextDecoder().decode(await this.#bytes(length))
  }

  async #skipText(): Promise<null> {
    this.#skip(await this.#count('bytes of text', longestText))
    return null
  }

  async #count(what: string, most: number): Promise<number> {
    const count = await this.#number(8)
    if (count > most) throw new GgufFault(`it claims to have ${count} ${what}`)
    return count
  }

  async #number(size: 4 | 8): Promise<number> {
    const bytes = await this.#bytes(size)
    const view = new DataView(bytes.buffer, bytes.byteOffset, size)
    return size === 4 ? view.getUint32(0, true) : Number(view.getBigUint64(0, true))
  }

  #skip(length: number): void {
    this.#at += length
    if (this.#at > longestHeader) throw new GgufFault(`its header has more than ${longestHeader} bytes`)
  }

  async #bytes(length: number): Promise<Uint8Array> {
    const at = this.#at
    this.#skip(length)
    if (at < this.#start || this.#at > this.#start + this.#buffer.length) {
      this.#buffer = await this.#read(at, Math.max(chunk, length))
      this.#start = at
    }
    const from = at - this.#start
    if (from + length > this.#buffer.length) throw new GgufFault('it ends within its header')
    return this.#buffer.subarray(from, from + length)
  }
}
