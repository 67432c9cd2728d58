import { escapeText, unescapeJson } from './literals.ts'
import { Shape, types } from './shape.ts'
import type { JsonSink, Repair } from './sink.ts'
import { JsonText } from './text.ts'
import { typeText } from './typing.ts'

/** Where a writer tells what it changed or found odd. */
export interface WriterReport {
  /** The offset, in all of the text, of what is being read. */
  offset(): number
  repaired(repair: Repair, offset: number): void
  /** The value of `key` was written in another type than the model gave it; `offset` is where the value begins. */
  typed(key: string, message: string, offset: number): void
  /** The argument `key` comes again: JSON's readers take the last. */
  repeated(key: string, offset: number): void
}

interface Frame {
  shape: Shape
  /** The shape of the value that comes next. */
  next: Shape
}

/**
 * Writes the arguments of one call, an object, as JSON text that only ever grows. Values are typed by the tool's schema
 * when they begin: a string that fits passes through piece by piece; what must change its type is held until its end.
 */
export class ArgumentWriter implements JsonSink {
  readonly #live: JsonText
  readonly #report: WriterReport
  readonly #root: Shape
  readonly #stack: Frame[] = []
  readonly #keys = new Set<string>()
  #key = ''
  /** A value whose type must change, collected until its end; `depth` and `offset` are where it began. */
  #held: { text: JsonText; json: string; depth: number; key: string; offset: number } | undefined
  #isOpen = false

  constructor(root: Shape, emit: (json: string) => void, report: WriterReport) {
    this.#root = root
    this.#live = new JsonText(emit)
    this.#report = report
  }

  /** The names of the arguments so far. */
  get keys(): ReadonlySet<string> {
    return this.#keys
  }

  /** The shape that the schema gives to the value that comes next. */
  get shape(): Shape {
    return this.#stack.at(-1)?.next ?? this.#root
  }

  /**
   * Ends the arguments: writes the brace that was withheld, `{}` where nothing was written at all. Withheld, because
   * until the call's own end is proven its JSON must stay open.
   */
  finish(): void {
    if (!this.#isOpen) this.openObject()
    this.#live.closeObject()
  }

  openObject(): void {
    this.#isOpen = true
    this.#open(false)
  }

  openArray(): void {
    this.#open(true)
  }

  closeObject(): void {
    this.#stack.pop()
    if (this.#stack.length > 0) this.#target.closeObject()
    this.#releaseAt(this.#stack.length)
  }

  closeArray(): void {
    this.#stack.pop()
    this.#target.closeArray()
    this.#releaseAt(this.#stack.length)
  }

  key(key: string): void {
    if (this.#stack.length === 1) {
      if (this.#keys.has(key)) this.#report.repeated(key, this.#report.offset())
      this.#keys.add(key)
    }
    this.#key = key
    const frame = this.#stack.at(-1)
    if (frame) frame.next = frame.shape.property(key)
    this.#target.key(key)
  }

  openString(): void {
    if (!this.#held && !this.shape.allows(types.string)) this.#hold()
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
    // A null stays one: it says that there is no value, which no string says.
    if (!this.#held && this.shape.isString && json !== 'null') {
      this.#report.typed(this.#key, 'a literal where the schema has a string', this.#report.offset())
      this.#live.literal(`"${escapeText(json)}"`)
    } else {
      this.#target.literal(json)
    }
  }

  /** A value that was given its type already. */
  typedValue(json: string): void {
    this.#live.literal(json)
  }

  repaired(repair: Repair, offset: number): void {
    this.#report.repaired(repair, offset)
  }

  get #target(): JsonText {
    return this.#held?.text ?? this.#live
  }

  #open(isArray: boolean): void {
    const shape = this.shape
    // An object where the schema has only strings is written as its own JSON text, which is what was meant.
    if (!this.#held && this.#stack.length > 0 && shape.isString) this.#hold()
    if (isArray) this.#target.openArray()
    else this.#target.openObject()
    this.#stack.push({ shape, next: isArray ? shape.item : Shape.any })
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
    const json = isText ? typeText(unescapeJson(held.json.slice(1, -1)), this.shape).json : JSON.stringify(held.json)
    if (json !== held.json) {
      const message = isText ? 'a string where the schema has another type' : 'JSON where it has a string'
      this.#report.typed(held.key, message, held.offset)
    }
    this.#live.literal(json)
  }
}
