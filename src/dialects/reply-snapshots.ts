import {
  type FinishEvent,
  type JsonObject,
  type Notice,
  type ReplyCall,
  ReplyCollector,
} from '../conversation/index.ts'
import { type PartialArguments, partialArguments } from '../json/index.ts'

/** A reply while it is read, for a page that shows it. */
export interface ReplySnapshot {
  parts: SnapshotPart[]
  notices: Notice[]
  /** Absent until the reply has ended. */
  finish: FinishEvent | undefined
}

export type SnapshotPart = { type: 'reasoning'; text: string } | { type: 'text'; text: string } | SnapshotCall

/** A call in a snapshot, with its arguments as far as they have come. */
export interface SnapshotCall {
  type: 'call'
  id: string
  name: string
  /** The arguments as a value: a string grows, other values are there once they have ended. */
  arguments: JsonObject
  /** The arguments as JSON text, in which numbers have all the digits that the model wrote. */
  json: string
  /** True once the call was written to its end. */
  complete: boolean
}

interface Shown {
  part: ReplyCall
  shown: SnapshotCall
  value: PartialArguments
}

/**
 * Collects reply events. `reply` may be read at any time and grows with them; `snapshot()` returns the reply so far, with the
 * arguments of its calls as values.
 *
 * @example
 * const collector = new ReplyCollector()
 * for await (const event of events) {
 *   collector.push([event])
 *   show(collector.snapshot().parts)
 * }
 */
export class SnapshotCollector extends ReplyCollector {
  /** The calls of the last snapshot, by their positions in `parts`. */
  readonly #calls = new Map<number, Shown>()

  /**
   * Returns the reply so far, which later events leave unchanged. Parts that did not change since the last snapshot are the same
   * objects. Each character of arguments is read once, however often a snapshot is taken.
   */
  snapshot(): ReplySnapshot {
    const parts = this.parts.map(
      (part, index): SnapshotPart => (part.type === 'call' ? this.#shown(part, index) : part),
    )
    return { parts, notices: [...this.notices], finish: this.finish }
  }

  #shown(part: ReplyCall, index: number): SnapshotCall {
    const before = this.#calls.get(index)
    if (before?.part === part) return before.shown
    const value = before?.value ?? partialArguments()
    value.push(part.arguments.slice(before?.part.arguments.length ?? 0))
    const { type, id, name, arguments: json, complete } = part
    const shown: SnapshotCall = { type, id, name, arguments: value.snapshot(), json, complete }
    this.#calls.set(index, { part, shown, value })
    return shown
  }
}
