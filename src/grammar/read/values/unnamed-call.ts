import { JsonReader, type JsonSink, JsonText, type Repair, repairs } from '../../../json/index.ts'
import type { CallSink } from '../../scan/call-sink.ts'
import { CallArguments } from './call-arguments.ts'

/**
 * A call without a name: it has an id in the place of the name. Kimi K2 copies such ids, which servers generate.
 * The arguments are kept until all their names are known: the names identify the tool.
 */
export class UnnamedCall implements JsonSink {
  /** The number of calls that were emitted. */
  calls = 0
  readonly #sink: CallSink
  readonly #id: string
  readonly #offset: () => number
  readonly #keys: string[] = []
  #json = ''
  readonly #text: JsonText = new JsonText((json) => {
    this.#json += json
  })
  readonly #repairs: (readonly [repair: Repair, offset: number])[] = []
  #depth = 0
  #start = 0

  /** `id` is the text in the place of the name; `offset` returns the current position in the whole text. */
  constructor(sink: CallSink, id: string, offset: () => number) {
    this.#sink = sink
    this.#id = id
    this.#offset = offset
  }

  openObject(): void {
    if (this.#depth++ === 0) this.#start = this.#offset()
    this.#text.openObject()
  }

  closeObject(): void {
    this.#text.closeObject()
    if (--this.#depth === 0) this.#emit()
  }

  openArray(): void {
    this.#depth++
    this.#text.openArray()
  }

  closeArray(): void {
    this.#depth--
    this.#text.closeArray()
  }

  key(key: string): void {
    if (this.#depth === 1) this.#keys.push(key)
    this.#text.key(key)
  }

  openString(): void {
    this.#text.openString()
  }

  stringPiece(json: string): void {
    this.#text.stringPiece(json)
  }

  closeString(): void {
    this.#text.closeString()
  }

  literal(json: string): void {
    this.#text.literal(json)
  }

  repaired(repair: Repair, offset: number): void {
    this.#repairs.push([repair, offset])
  }

  #emit(): void {
    const sink = this.#sink
    // The id may hold the name after all; one that no tool goes by is refused under it.
    const name = sink.offers(this.#id) ? this.#id : (sink.toolWith(this.#keys) ?? this.#id)
    const args = new CallArguments(sink.name(name, this.#start), sink, () => this.#start)
    this.calls++
    if (name !== this.#id) {
      sink.notice(
        'repaired',
        `The call had the id "${this.#id}" and no name: its arguments are those of "${name}".`,
        this.#start,
      )
    }
    for (const [repair, offset] of this.#repairs) {
      sink.notice('repaired', `Repaired in the arguments: ${repairs[repair]}.`, offset)
    }
    new JsonReader(args.writer).read(this.#json, 0, true)
    args.finish()
    sink.endCall(true)
  }
}
