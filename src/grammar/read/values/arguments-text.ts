import { JsonReader } from '../../../json/index.ts'
import { ArgumentsObject } from './arguments-object.ts'
import type { CallArguments } from './call-arguments.ts'
import type { ValueText } from './tagged-text.ts'

/** Reads all arguments as one JSON object that is text between two markers: in a CDATA section, which may be split. */
export class ArgumentsText implements ValueText {
  readonly #object: ArgumentsObject
  readonly #reader: JsonReader
  /** Text that the reader expects again, followed by more. */
  #rest = ''

  /**
   * `offset` is the place of the text's beginning. It is used for all places in the text, since parts of it are left
   * out.
   */
  constructor(args: CallArguments, offset: number) {
    this.#object = new ArgumentsObject(args, { isWrapped: true, offset })
    this.#reader = new JsonReader(this.#object)
  }

  /** False when the text is no object. */
  get isSound(): boolean {
    return this.#object.isSound && this.#reader.status === 'done'
  }

  push(piece: string): void {
    this.#read(piece, false)
  }

  end(): void {
    this.#read('', true)
    this.#reader.close(0)
  }

  #read(piece: string, isFinal: boolean): void {
    const text = this.#rest + piece
    this.#rest = text.slice(this.#reader.read(text, 0, isFinal))
  }
}
