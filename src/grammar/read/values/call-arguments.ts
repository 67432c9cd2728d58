import type { Tool } from '../../../conversation/index.ts'
import { ArgumentWriter, repairs, SchemaTypes } from '../../../json/index.ts'
import type { CallSink } from '../../scan/call-sink.ts'

/** Writes the arguments of one call while they are read: typed by the tool's schema, with notices about changes. */
export class CallArguments {
  readonly writer: ArgumentWriter
  /** The tool's name. */
  readonly name: string | undefined
  /** The tool's arguments in the order of its schema. */
  readonly properties: readonly string[]
  readonly #required: readonly unknown[]
  /** The number of arguments that came without a key. */
  #positional = 0

  /**
   * `tool` is undefined if the call is refused; `offset` returns the offset of the current position in the whole text.
   */
  constructor(tool: Tool | undefined, sink: CallSink, offset: () => number) {
    const schema = tool?.schema ?? {}
    this.name = tool?.name
    this.#required = Array.isArray(schema.required) ? schema.required : []
    this.properties = Object.keys(Object(schema.properties))
    this.writer = new ArgumentWriter(tool ? SchemaTypes.of(schema) : SchemaTypes.any, (json) => sink.argument(json), {
      offset,
      repaired: (repair, at) => sink.notice('repaired', `Repaired in the arguments: ${repairs[repair]}.`, at),
      typed: (key, message, at) => sink.notice('retyped', `Argument "${key}": ${message}.`, at),
      repeated: (key, at) => sink.notice('duplicate-argument', `Argument "${key}" came twice; the last counts.`, at),
    })
  }

  /** True if a required argument has not come. */
  get isMissing(): boolean {
    const keys: ReadonlySet<unknown> = this.writer.keys
    return this.#required.some((key) => !keys.has(key))
  }

  get isEmpty(): boolean {
    return this.writer.keys.size === 0
  }

  /** Begins the argument of that name. */
  key(key: string): void {
    if (!this.writer.isInArguments) this.writer.openObject()
    this.writer.key(key)
  }

  /**
   * Begins an argument without a name. It gets the name of the tool's next argument, as in Python. Undefined after an
   * argument with a name, or if the tool has no more.
   */
  nextKey(): string | undefined {
    const key = this.writer.keys.size === this.#positional ? this.properties[this.#positional] : undefined
    if (key === undefined) return undefined
    this.#positional++
    this.key(key)
    return key
  }

  /**
   * Returns the name for a single argument without a key: `usual` if the tool accepts it, otherwise the first argument
   * that the tool requires, or has.
   */
  keyOfUnnamed(usual: string): string {
    if (this.properties.includes(usual)) return usual
    const [required] = this.#required.filter((key) => typeof key === 'string')
    return required ?? this.properties[0] ?? usual
  }

  finish(): void {
    this.writer.finish()
  }
}
