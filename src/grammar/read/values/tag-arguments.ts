import type { CallSink } from '../../scan/call-sink.ts'
import type { CallArguments } from './call-arguments.ts'
import { TaggedValue } from './tagged-value.ts'

/** Attributes about the tag itself. Such a name is an argument only if the call has no others. */
const ofTag = /^(?:(?:call_|tool_)?(?:id|type|index)|xmlns.*)$/i
const written = { encoding: 'text', entities: true, tagPrefix: '', typeWords: {} } as const

/**
 * Attributes of the tag that opens a call, beside its name: arguments, as MiniMax writes them in
 * `<tool name="bash" command="ls" />`. They are taken when the call ends, so that those inside of it go before.
 */
export class TagArguments {
  #attributes: readonly [key: string, value: string][]
  readonly #offset: number

  constructor(attributes: readonly [key: string, value: string][], offset: number) {
    this.#attributes = attributes
    this.#offset = offset
  }

  take(args: CallArguments, sink: CallSink): void {
    const { isEmpty } = args
    const taken = this.#attributes.filter(
      ([key]) => args.properties.includes(key) && !args.writer.keys.has(key) && (isEmpty || !ofTag.test(key)),
    )
    for (const [key, text] of taken) {
      args.key(key)
      const value = new TaggedValue(args.writer, written, { type: undefined, isVerbatim: false }, (message) =>
        sink.notice('retyped', `Argument "${key}": ${message}.`, this.#offset),
      )
      value.push(text)
      value.end()
    }
    this.#attributes = this.#attributes.filter((one) => !taken.includes(one))
    this.leave(sink)
  }

  /** The arguments are one object, and no argument can be added to it. */
  leave(sink: CallSink): void {
    for (const [key] of this.#attributes.filter(([key]) => !ofTag.test(key)))
      sink.notice('ignored-member', `The call's tag has an attribute "${key}" that is not known.`, this.#offset)
    this.#attributes = []
  }
}
