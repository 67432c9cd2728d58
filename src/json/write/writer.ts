import { escapeText, unescapeJson } from '../literals.ts'
import type { JsonSink, Repair } from '../sink.ts'
import { JsonText } from '../text.ts'
import { SchemaTypes, types } from '../typed/schema-types.ts'
import { typeText } from '../typed/typing.ts'
import { WithheldMember } from './withheld-member.ts'

/** Receives the changes and oddities that a writer finds. */
export interface WriterReport {
  /** The offset of the current position in the whole text. */
  offset(): number
  repaired(repair: Repair, offset: number): void
  /** The value of `key` was written in another type than the model gave it; `offset` is the offset of the value. */
  typed(key: string, message: string, offset: number): void
  /** The argument `key` comes again, and not as one more value of a list: JSON's readers take the last. */
  repeated(key: string, offset: number): void
}

interface Frame {
  schemaTypes: SchemaTypes
  isArray: boolean
  /** True while the last member is an array that was created for its repeated values, and more may follow. */
  isExtended: boolean
  /** The types of the value that comes next. */
  next: SchemaTypes
}

/**
 * Writes the arguments of one call, an object, as JSON text that only ever grows. Values are typed by the tool's schema
 * when they begin: a string that fits passes through piece by piece; a value whose type must change is held until its
 * end.
 */
export class ArgumentWriter implements JsonSink {
  readonly #live: JsonText
  /** The target of typed values: the output, or the collected text. */
  #out: JsonText
  readonly #report: WriterReport
  readonly #root: SchemaTypes
  readonly #stack: Frame[] = []
  readonly #keys = new Set<string>()
  #key = ''
  /** A value that needs another type, collected until its end. `depth` and `offset` are those of its beginning. */
  #held: { text: JsonText; json: string; depth: number; key: string; offset: number } | undefined
  /** An object that may be the first of a list without brackets, collected until its end. */
  #growing: { json: string; depth: number; key: string; offset: number } | undefined
  #withheld: WithheldMember | undefined
  #hasBegun = false

  constructor(root: SchemaTypes, emit: (json: string) => void, report: WriterReport) {
    this.#root = root
    this.#live = new JsonText(emit)
    this.#out = this.#live
    this.#report = report
  }

  /** The names of the arguments so far. */
  get keys(): ReadonlySet<string> {
    return this.#keys
  }

  /** The types that the schema allows for the value that comes next. */
  get schemaTypes(): SchemaTypes {
    return this.#stack.at(-1)?.next ?? this.#root
  }

  /**
   * Ends the arguments: writes the closing brace that was withheld, or `{}` if nothing was written. It is withheld
   * because the JSON must stay open until the call's own end is proven.
   */
  finish(): void {
    if (!this.#hasBegun) this.openObject()
    this.#endMember()
    this.#live.closeObject()
  }

  /** True between the beginning of the arguments, or of a part of them, and its end. */
  get isInArguments(): boolean {
    return this.#stack.length > 0
  }

  openObject(): void {
    this.#open(false)
    this.#hasBegun = true
  }

  openArray(): void {
    this.#open(true)
  }

  closeObject(): void {
    this.#endMember()
    this.#stack.pop()
    if (this.#stack.length > 0) this.#target.closeObject()
    this.#releaseAt(this.#stack.length)
    const growing = this.#growing
    if (!growing || growing.depth !== this.#stack.length) return
    this.#growing = undefined
    this.#out = this.#live
    this.#withhold(growing.key, growing.json, growing.offset)
  }

  closeArray(): void {
    this.#stack.pop()
    this.#target.closeArray()
    this.#releaseAt(this.#stack.length)
  }

  key(key: string): void {
    const withheld = this.#withheld
    if (this.#stack.length === 1 && withheld?.key === key && withheld.again === undefined) {
      withheld.again = this.#report.offset()
      return
    }
    this.#endMember()
    if (this.#stack.length === 1) {
      if (this.#keys.has(key)) this.#report.repeated(key, this.#report.offset())
      this.#keys.add(key)
    }
    this.#key = key
    const frame = this.#stack.at(-1)
    if (frame) frame.next = frame.schemaTypes.property(key)
    this.#target.key(key)
  }

  wantsObject(): boolean {
    return !this.schemaTypes.allows(types.string) && this.schemaTypes.allows(types.object)
  }

  /** Writes the last member's value and those that follow as an array; false if it is too late for that. */
  extendMember(): boolean {
    const frame = this.#stack.at(-1)
    const withheld = this.#withheld
    if (!frame || frame.isExtended) return frame !== undefined
    if (!withheld || withheld.again !== undefined) return false
    this.#withheld = undefined
    frame.isExtended = true
    frame.next = withheld.schemaTypes.item
    this.#live.openArray()
    this.#live.literal(frame.next.isString ? JSON.stringify(withheld.json) : withheld.json)
    return true
  }

  openString(): void {
    this.#release()
    if (!this.#held && !this.schemaTypes.allows(types.string)) this.#hold()
    this.#target.openString()
  }

  stringPiece(json: string): void {
    this.#target.stringPiece(json)
  }

  closeString(): void {
    this.#target.closeString()
    this.#releaseAt(this.#stack.length)
  }

  literal(json: string): void {
    this.#release()
    // A null remains null: it means that there is no value, which no string expresses.
    if (!this.#held && this.schemaTypes.isString && json !== 'null') {
      this.#report.typed(this.#key, 'a literal, although the schema has a string', this.#report.offset())
      this.#out.literal(`"${escapeText(json)}"`)
    } else {
      this.#target.literal(json)
    }
  }

  /**
   * Writes a value that already has its type. If it may be an array, it is withheld until it is known if the same key
   * follows directly: then their values form one array.
   */
  typedValue(json: string): void {
    if (this.#withheld) this.#withheld.add(json)
    else if (this.#stack.length === 1 && this.schemaTypes.allows(types.array))
      this.#withhold(this.#key, json, this.#report.offset())
    else this.#live.literal(json)
  }

  repaired(repair: Repair, offset: number): void {
    this.#report.repaired(repair, offset)
  }

  get #target(): JsonText {
    return this.#held?.text ?? this.#out
  }

  #open(isArray: boolean): void {
    this.#release()
    const schemaTypes = this.schemaTypes
    const frame = this.#stack.at(-1)
    // A member's object, if an array fits as well, may be the first of a list without brackets. If the schema allows
    // only strings, the object's JSON text becomes the string: models mean that.
    const mayGrow = !isArray && frame && !frame.isArray && !frame.isExtended && schemaTypes.allows(types.array)
    if (!this.#held && frame && schemaTypes.isString) this.#hold()
    if (!this.#held && !this.#growing && mayGrow) this.#grow()
    if (isArray) this.#target.openArray()
    // The arguments may come in several parts, as an object and elements after it: they are one object.
    else if (frame || !this.#hasBegun) this.#target.openObject()
    // If only an array fits, the object must be its first element.
    const own = mayGrow && !schemaTypes.allows(types.object) ? schemaTypes.item : schemaTypes
    this.#stack.push({
      schemaTypes: own,
      isArray,
      isExtended: false,
      next: isArray ? schemaTypes.item : SchemaTypes.any,
    })
  }

  #grow(): void {
    const growing = { json: '', depth: this.#stack.length, key: this.#key, offset: this.#report.offset() }
    this.#growing = growing
    this.#out = new JsonText((json) => {
      growing.json += json
    })
  }

  #withhold(key: string, json: string, offset: number): void {
    this.#withheld = new WithheldMember(key, this.schemaTypes, offset, json)
  }

  /** Writes the member that was withheld: the next member is not another value of it. */
  #release(): void {
    const withheld = this.#withheld
    if (!withheld) return
    this.#withheld = undefined
    if (withheld.isList) this.#report.typed(withheld.key, 'several values, taken as a list', withheld.offset)
    this.#live.literal(withheld.json)
    if (withheld.again === undefined) return
    this.#report.repeated(withheld.key, withheld.again)
    this.#live.key(withheld.key)
  }

  /** Ends the last member, and the array that was begun for its values. */
  #endMember(): void {
    if (this.#withheld) this.#withheld.again = undefined
    this.#release()
    const frame = this.#stack.at(-1)
    if (!frame?.isExtended) return
    frame.isExtended = false
    this.#target.closeArray()
  }

  #hold(): void {
    const text = new JsonText((json) => {
      held.json += json
    })
    const held = { text, json: '', depth: this.#stack.length, key: this.#key, offset: this.#report.offset() }
    this.#held = held
  }

  #releaseAt(depth: number): void {
    const held = this.#held
    if (!held || held.depth !== depth) return
    this.#held = undefined
    const isText = held.json.startsWith('"')
    const json = isText
      ? typeText(unescapeJson(held.json.slice(1, -1)), this.schemaTypes).json
      : JSON.stringify(held.json)
    if (json !== held.json) {
      const message = isText
        ? 'a string, although the schema has another type'
        : 'JSON, although the schema has a string'
      this.#report.typed(held.key, message, held.offset)
    }
    this.#out.literal(json)
  }
}
