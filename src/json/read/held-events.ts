import type { JsonSink } from '../sink.ts'

/** Buffers the events of a value until the sink that they belong to is known. */
export class HeldEvents implements JsonSink {
  readonly #events: ((sink: JsonSink) => void)[] = []

  replay(sink: JsonSink): void {
    for (const event of this.#events) event(sink)
  }

  openObject(): void {
    this.#events.push((sink) => sink.openObject())
  }

  closeObject(): void {
    this.#events.push((sink) => sink.closeObject())
  }

  openArray(): void {
    this.#events.push((sink) => sink.openArray())
  }

  closeArray(): void {
    this.#events.push((sink) => sink.closeArray())
  }

  key(key: string): void {
    this.#events.push((sink) => sink.key(key))
  }

  openString(): void {
    this.#events.push((sink) => sink.openString())
  }

  stringPiece(json: string): void {
    this.#events.push((sink) => sink.stringPiece(json))
  }

  closeString(): void {
    this.#events.push((sink) => sink.closeString())
  }

  literal(json: string): void {
    this.#events.push((sink) => sink.literal(json))
  }

  /** Repairs are reported at once, even if the value is dropped later. */
  repaired(): void {}
}
