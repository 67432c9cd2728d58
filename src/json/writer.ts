import { escapeText, type JsonSink, type Repair, unescapeJson } from './reader.ts'
import { Shape, types } from './shape.ts'
import { JsonText } from './text.ts'
import { typeText } from './typing.ts'

/** Where a writer tells what it changed. */
export interface WriterReport {
  repaired(repair: Repair, at: number): void
  /** The value of `key` was written in another type than the model gave it. */
  typed(key: string, message: string): void
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
  #key = ''
  /** A value whose type must change, collected until its end; `depth` is where it began. */
  #held: { text: JsonText; json: string; depth: number } | undefined
  #isOpen = false
  #isWhole = false

  constructor(root: Shape, emit: (json: string) => void, report: WriterReport) {
    this.#root = root
    this.#live = new JsonText(emit)
    this.#report = report
  }

  /** True when the object is whole and only its last brace is withheld. */
  get isWhole(): boolean {
    return this.#isWhole
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
    if (this.#stack.length === 0 && !this.#held) this.#isWhole = true
    else this.#target.closeObject()
    this.#releaseAt(this.#stack.length)
  }

  closeArray(): void {
    this.#stack.pop()
    this.#target.closeArray()
    this.#releaseAt(this.#stack.length)
  }

  key(key: string): void {
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
    if (!this.#held && this.shape.isString) {
      this.#report.typed(this.#key, 'a literal where the schema has a string')
      this.#live.literal(`"${escapeText(json)}"`)
    } else {
      this.#target.literal(json)
    }
  }

  repaired(repair: Repair, at: number): void {
    this.#report.repaired(repair, at)
  }

  /** The shape that the schema gives to the value that comes next. */
  get shape(): Shape {
    return this.#stack.at(-1)?.next ?? this.#root
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
    const held = { json: '', depth: this.#stack.length, text: new JsonText((json) => (held.json += json)) }
    this.#held = held
  }

  #releaseAt(depth: number): void {
    const held = this.#held
    if (!held || held.depth !== depth) return
    this.#held = undefined
    const isText = held.json.startsWith('"')
    const json = isText ? typeText(unescapeJson(held.json.slice(1, -1)), this.shape).json : JSON.stringify(held.json)
    if (json !== held.json) {
      this.#report.typed(
        this.#key,
        isText ? 'a string where the schema has another type' : 'JSON where it has a string',
      )
    }
    this.#live.literal(json)
  }
}
