import {
  type ArgumentWriter,
  JsonReader,
  type JsonSink,
  objectMembers,
  type Repair,
  repairJson,
} from '../../../json/index.ts'
import { envelopeKeys } from './arguments-object.ts'
import type { CallArguments } from './call-arguments.ts'
import type { ValueText } from './tagged-text.ts'

/**
 * Returns true if an argument of that name may be an object around the call's own arguments: the tool has no argument
 * with that name.
 */
export function mayWrapArguments(key: string, { properties, isEmpty }: CallArguments): boolean {
  return isEmpty && envelopeKeys.has(key) && properties.length > 0 && !properties.includes(key)
}

/**
 * A value between tags that has all of the call's arguments in one object, under a name that models use in JSON:
 * DeepSeek V3.2 and V4 write `<parameter name="arguments" string="false">{"city": …}`. It counts as that if the tool
 * takes each of its members; otherwise it is an argument of that name, which `open` begins.
 */
export class WrappedArguments implements ValueText {
  readonly #args: CallArguments
  readonly #open: () => ValueText
  readonly #unwrapped: () => void
  #held = ''

  constructor(args: CallArguments, open: () => ValueText, unwrapped: () => void) {
    this.#args = args
    this.#open = open
    this.#unwrapped = unwrapped
  }

  push(piece: string): void {
    this.#held += piece
  }

  end(): void {
    const json = repairJson(this.#held.trim())
    const members = json === undefined ? undefined : objectMembers(json)
    const isTaken = members?.every(([name]) => this.#args.properties.includes(name)) && members.length > 0
    if (json !== undefined && isTaken) {
      this.#unwrapped()
      new JsonReader(new Members(this.#args)).read(json, 0, true)
      return
    }
    const value = this.#open()
    value.push(this.#held)
    value.end()
  }
}

/** The members of an object, each as an argument. */
class Members implements JsonSink {
  readonly #args: CallArguments
  readonly #writer: ArgumentWriter
  #depth = 0

  constructor(args: CallArguments) {
    this.#args = args
    this.#writer = args.writer
  }

  openObject(): void {
    if (this.#depth++ > 0) this.#writer.openObject()
  }

  closeObject(): void {
    if (--this.#depth > 0) this.#writer.closeObject()
  }

  openArray(): void {
    this.#depth++
    this.#writer.openArray()
  }

  closeArray(): void {
    this.#depth--
    this.#writer.closeArray()
  }

  key(key: string): void {
    if (this.#depth === 1) this.#args.key(key)
    else this.#writer.key(key)
  }

  openString(): void {
    this.#writer.openString()
  }

  stringPiece(json: string): void {
    this.#writer.stringPiece(json)
  }

  closeString(): void {
    this.#writer.closeString()
  }

  literal(json: string): void {
    this.#writer.literal(json)
  }

  repaired(repair: Repair, offset: number): void {
    this.#writer.repaired(repair, offset)
  }
}
