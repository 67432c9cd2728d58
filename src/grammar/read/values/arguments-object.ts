import { JsonReader, type JsonSink, type Repair, repairJson, unescapeJson } from '../../../json/index.ts'
import { EntityDecoder } from '../../tree/entities.ts'
import type { CallArguments } from './call-arguments.ts'

/** Under which keys calls have their arguments. */
export const envelopeKeys: ReadonlySet<string> = new Set([
  'input',
  'parameters',
  'arguments',
  'args',
  'params',
  'properties',
])

const nameKey = 'name'

/** The text read under the key of a name, while it may be the call's own name. */
interface NamePart {
  text: string
  is: 'due' | 'open' | 'whole'
}

/** Reads the arguments of a call as JSON: an object, a string that contains one, or null for no arguments. */
export class ArgumentsObject implements JsonSink {
  isSound = true
  readonly #arguments: CallArguments
  /** The object's first key may be an envelope's and not an argument's. */
  readonly #mayWrap: boolean
  /** The object may be the call as others write it, beginning with its name. */
  readonly #mayName: boolean
  readonly #entities: EntityDecoder | undefined
  /** The place for all reports, if the places in the text are not known. */
  readonly #offset: number | undefined
  #depth = 0
  #encoded: string | undefined
  /** True while the object is not passed to the writer yet, because it depends on its first member. */
  #isWaiting = false
  #waitingKey: string | undefined
  /** The call's own arguments so far, while the key of a name is read. */
  #name: NamePart | undefined
  /**
   * The position relative to the member that wraps the arguments: `in` it, or `after` it. Nothing counts after it.
   */
  #wrapped: 'in' | 'after' | undefined

  constructor(args: CallArguments, format: { isWrapped: boolean; entities?: boolean; offset?: number }) {
    this.#arguments = args
    this.#mayWrap = format.isWrapped
    const { properties } = args
    this.#mayName = properties.length > 0 && !properties.includes(nameKey)
    this.#offset = format.offset
    this.#entities = format.entities ? new EntityDecoder('\\"') : undefined
  }

  openObject(): void {
    this.#depth++
    if (this.#waitingKey !== undefined) {
      this.#waitingKey = undefined
      this.#isWaiting = false
      this.#name = undefined
      this.#wrapped = 'in'
    } else if (this.#depth === 1 && (this.#mayWrap || this.#mayName)) {
      this.#isWaiting = true
      return
    }
    this.#stopWaiting()
    if (this.#isEmitted) this.#arguments.writer.openObject()
  }

  get #isEmitted(): boolean {
    return this.isSound && this.#wrapped !== 'after'
  }

  /** The object's first member is an argument after all. */
  #stopWaiting(): void {
    if (!this.#isWaiting) return
    this.#isWaiting = false
    if (this.isSound) this.#emitWaiting(this.#arguments.writer)
    this.#waitingKey = undefined
    this.#name = undefined
  }

  #emitWaiting(writer: JsonSink): void {
    writer.openObject()
    if (this.#name) {
      writer.key(nameKey)
      if (this.#name.is !== 'due') {
        writer.openString()
        writer.stringPiece(this.#name.text)
      }
      if (this.#name.is === 'whole') writer.closeString()
    }
    if (this.#waitingKey !== undefined) writer.key(this.#waitingKey)
  }

  /** gpt-oss writes the call once more in place of its arguments: `{"name": "f", "parameters": {…}}`. */
  #readName(name: NamePart, json: string): void {
    name.text += json
    if (!this.#arguments.name?.startsWith(name.text)) this.#stopWaiting()
  }

  /** Handles a list of objects without brackets: the writer determines if a list fits. */
  extendMember(): boolean {
    return this.#depth > 0 && this.isSound && this.#arguments.writer.extendMember()
  }

  hasMember(key: string): boolean {
    return this.#depth === 1 && this.isSound && this.#arguments.properties.includes(key)
  }

  wantsObject(): boolean {
    return this.#depth > 0 && this.isSound && this.#name === undefined && this.#arguments.writer.wantsObject()
  }

  takesObjectOnly(): boolean {
    return this.isSound && (this.#depth === 0 || this.#waitingKey !== undefined)
  }

  closeObject(): void {
    this.#stopWaiting()
    this.#depth--
    if (this.#wrapped === 'in' && this.#depth === 1) {
      this.#arguments.writer.closeObject()
      this.#wrapped = 'after'
    } else if (this.#isEmitted) this.#arguments.writer.closeObject()
  }

  openArray(): void {
    if (this.#depth === 0) this.isSound = false
    this.#stopWaiting()
    this.#depth++
    if (this.#isEmitted) this.#arguments.writer.openArray()
  }

  closeArray(): void {
    this.#depth--
    if (this.#isEmitted) this.#arguments.writer.closeArray()
  }

  key(key: string): void {
    if (this.#isWaiting && !this.#arguments.properties.includes(key)) {
      if (envelopeKeys.has(key) && (this.#mayWrap || this.#name)) {
        this.#waitingKey = key
        return
      }
      if (key === nameKey && this.#mayName && !this.#name) {
        this.#name = { text: '', is: 'due' }
        return
      }
    }
    this.#stopWaiting()
    if (this.#isEmitted) this.#arguments.writer.key(key)
  }

  openString(): void {
    if (this.#name?.is === 'due') {
      this.#name.is = 'open'
      return
    }
    this.#stopWaiting()
    if (this.#depth === 0) this.#encoded = ''
    else if (this.#isEmitted) this.#arguments.writer.openString()
  }

  stringPiece(json: string): void {
    if (this.#name?.is === 'open') this.#readName(this.#name, json)
    else if (this.#encoded !== undefined) this.#encoded += json
    else if (this.#isEmitted) this.#arguments.writer.stringPiece(this.#entities ? this.#entities.push(json) : json)
  }

  closeString(): void {
    if (this.#name?.is === 'open') {
      this.#name.is = 'whole'
      if (this.#name.text !== this.#arguments.name) this.#stopWaiting()
      return
    }
    const held = this.#entities?.end() ?? ''
    if (this.#encoded !== undefined) this.#decode(this.#encoded)
    else if (this.#isEmitted) {
      this.#arguments.writer.stringPiece(held)
      this.#arguments.writer.closeString()
    }
    this.#encoded = undefined
  }

  literal(json: string): void {
    this.#stopWaiting()
    if (this.#depth > 0) {
      if (this.#isEmitted) this.#arguments.writer.literal(json)
    } else if (json !== 'null') {
      this.isSound = false
    }
  }

  repaired(repair: Repair, offset: number): void {
    this.#arguments.writer.repaired(repair, this.#offset ?? offset)
  }

  #decode(json: string): void {
    const text = unescapeJson(json)
    const value = text.trim() === '' ? '{}' : repairJson(text)
    if (value?.startsWith('"')) this.#decode(value.slice(1, -1))
    else if (value?.startsWith('{')) new JsonReader(this.#arguments.writer).read(value, 0, true)
    else this.isSound = false
  }
}
