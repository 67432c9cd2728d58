import { isJsonObject, type JsonObject, type Notice } from '../../conversation/index.ts'
import {
  ArgumentWriter,
  defaultBounds,
  JsonReader,
  repairs,
  SchemaTypes,
  typeOf,
  types,
  validate,
  type WriterReport,
} from '../../json/index.ts'

/** `cut`: the text ended in the middle of the value. `broken`: the text is not JSON, and cannot be repaired. */
export type ValueState = 'open' | 'done' | 'cut' | 'broken'

/**
 * Reads one JSON value of a model's text, an object or an array, with the repairs and the typing that the arguments of
 * calls have. The output only grows. Until it is certain that the text is meant as the value, nothing is emitted: prose
 * also contains braces.
 */
export class JsonValueReading {
  readonly notices: Notice[] = []
  readonly #schema: JsonObject
  readonly #writer: ValueWriter
  readonly #reader: JsonReader
  /** Text that was not read yet: an escape or a number whose end is not there. */
  #rest = ''
  #offset = 0
  #json = ''
  #state: ValueState = 'open'

  constructor(schema: JsonObject) {
    this.#schema = schema
    const report: WriterReport = {
      offset: () => this.#reader.offset,
      repaired: (repair) => this.#notice('repaired', `Repaired in the reply's JSON: ${repairs[repair]}.`),
      typed: (key, message) => this.#notice('retyped', `"${key}" of the reply's JSON: ${message}.`),
      repeated: (key) =>
        this.#notice('duplicate-argument', `"${key}" came twice in the reply's JSON; the last counts.`),
    }
    const write = (json: string): void => {
      this.#json += json
    }
    this.#writer = new ValueWriter(schema, write, report)
    this.#reader = new JsonReader(this.#writer)
  }

  get state(): ValueState {
    return this.#state
  }

  /** True if the text is meant as the value. Nothing may have been taken yet. */
  get isCertain(): boolean {
    return this.#writer.isCertain || (this.#state === 'done' && this.#fits())
  }

  /** True for a whole object that may be meant as the value, if there is no other. */
  get isPossible(): boolean {
    return this.#state === 'done' && this.#writer.isObject && this.#writer.keys.size > 0
  }

  /** Reads more text, and returns the text after the value. */
  push(text: string): string {
    return this.#read(text, false)
  }

  /**
   * Ends the text. `mayClose`: the model ended it, so brackets that are still open were left out. Returns the text
   * after the value.
   */
  end(mayClose: boolean): string {
    const after = this.#read('', true)
    if (this.#state !== 'open') return after
    if (mayClose && this.#writer.isCertain && this.#reader.close(0)) this.#finish()
    else this.#state = 'cut'
    return ''
  }

  /** Returns the JSON text that was not taken yet. */
  take(): string {
    const json = this.#json
    this.#json = ''
    return json
  }

  #read(piece: string, final: boolean): string {
    if (this.#state !== 'open') return piece
    const text = this.#rest + piece
    const end = this.#reader.read(text, 0, final, this.#offset)
    this.#offset += end
    this.#rest = text.slice(end)
    if (this.#reader.status === 'done') this.#finish()
    else if (this.#reader.status === 'stopped') this.#stop()
    return this.#state === 'open' ? '' : this.#rest
  }

  /** A fence that closes shows that the value has ended, whichever brackets were left out. */
  #stop(): void {
    this.#state = 'broken'
    if (!this.#writer.isCertain || !this.#rest.startsWith('`')) return
    this.#reader.status = 'more'
    if (this.#reader.close(0)) this.#finish()
  }

  #finish(): void {
    this.#state = 'done'
    if (this.#writer.isObject) this.#writer.finish()
  }

  #fits(): boolean {
    return (
      !this.#writer.hasOtherElements && validate(this.#schema, JSON.parse(this.#json), defaultBounds).type !== 'invalid'
    )
  }

  #notice(code: string, message: string): void {
    this.notices.push({ code, message })
  }
}

/**
 * Writes the value, and finds out if it is one: a key that the schema has, with a value, or an element that it allows in a list. If the schema
 * names no keys, any will do.
 */
class ValueWriter extends ArgumentWriter {
  isCertain = false
  isObject = false
  /** An element is not a string although the list is one of strings: `[1]` is a reference to a source. */
  hasOtherElements = false
  readonly #ownKeys: ReadonlySet<string>
  #depth = 0
  #hasKey = false

  constructor(schema: JsonObject, write: (json: string) => void, report: WriterReport) {
    super(SchemaTypes.of(schema), write, report)
    this.#ownKeys = new Set(isJsonObject(schema.properties) ? Object.keys(schema.properties) : [])
  }

  override openObject(): void {
    if (this.#depth === 0) this.isObject = true
    this.#begin(types.object)
    this.#depth++
    super.openObject()
  }

  override openArray(): void {
    this.#begin(types.array)
    this.#depth++
    super.openArray()
  }

  override closeObject(): void {
    this.#depth--
    super.closeObject()
  }

  override closeArray(): void {
    this.#depth--
    super.closeArray()
  }

  override key(key: string): void {
    const isOwn = this.#ownKeys.size === 0 || (this.#depth === 1 && this.isObject && this.#ownKeys.has(key))
    this.#hasKey ||= isOwn
    super.key(key)
  }

  override openString(): void {
    this.#begin(types.string)
    super.openString()
  }

  override literal(json: string): void {
    const type = typeOf(JSON.parse(json))
    if (this.#depth === 1 && !this.isObject && !this.schemaTypes.allows(type)) this.hasOtherElements = true
    this.#begin(type)
    super.literal(json)
  }

  #begin(type: number): void {
    if (this.#depth === 0) return
    // An object in a list shows only with its first key that it is one.
    this.isCertain ||= this.#hasKey || (!this.isObject && type !== types.object && this.schemaTypes.allows(type))
  }
}
