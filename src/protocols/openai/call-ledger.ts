import type { CallPart } from '../../conversation/index.ts'
import { invalid, readOptionalString } from '../fields.ts'

export type CallName = Pick<CallPart, 'id' | 'name'>

/** The calls read so far, to find the call of a result. A look-up takes constant time. */
export class CallLedger {
  /** The latest call of each id: servers that number the calls of each reply from 0 reuse ids. */
  readonly #byId = new Map<string, CallName>()
  readonly #byName = new Map<string, CallName>()
  /** The calls without a result, by id, in the order in which they were made. */
  readonly #unanswered = new Map<string, CallName>()
  /** The same calls by name. */
  readonly #unansweredByName = new Map<string, Map<string, CallName>>()

  add({ id, name }: CallName): void {
    const call = { id, name }
    const reused = this.#unanswered.get(id)
    if (reused) this.#answer(reused)
    this.#byId.set(id, call)
    this.#byName.set(name, call)
    this.#unanswered.set(id, call)
    const same = this.#unansweredByName.get(name) ?? new Map<string, CallName>()
    this.#unansweredByName.set(name, same.set(id, call))
  }

  /** True if there is a call with this id. */
  has(id: string): boolean {
    return this.#byId.has(id)
  }

  /** True if there is a call of this name. */
  hasName(name: string): boolean {
    return this.#byName.has(name)
  }

  /** Returns the call with the id that a result answers. Without an id, it answers the only call that waits. */
  answerById(value: unknown, path: string): CallName {
    const id = readOptionalString(value, path)
    if (!id) return this.#answerOnly(path)
    const call = this.#byId.get(id)
    if (call === undefined) {
      throw invalid(path, `no call before this result has the id ${JSON.stringify(id)}; send that call first`)
    }
    return this.#answer(call)
  }

  /**
   * Returns the call of the name that a result answers: the first that waits, or else the latest. Without a name, it answers the only
   * call that waits.
   */
  answerByName(value: unknown, path: string): CallName {
    const name = readOptionalString(value, path)
    if (!name) return this.#answerOnly(path)
    const [waiting] = this.#unansweredByName.get(name)?.values() ?? []
    const call = waiting ?? this.#byName.get(name)
    if (call === undefined) {
      throw invalid(path, `no call before this message is to a function ${JSON.stringify(name)}`)
    }
    return this.#answer(call)
  }

  /** Returns the first call that waits, for APIs whose results are in the order of the calls. */
  answerNext(path: string): CallName {
    const [call] = this.#unanswered.values()
    if (call === undefined) throw invalid(path, 'no call is waiting for a result; send the call that this one answers')
    return this.#answer(call)
  }

  #answerOnly(path: string): CallName {
    const [call] = this.#unanswered.values()
    if (call === undefined || this.#unanswered.size > 1) {
      const count = call === undefined ? 'no call is' : `${this.#unanswered.size} calls are`
      throw invalid(path, `is missing, and ${count} waiting for a result; name the call that this message answers`)
    }
    return this.#answer(call)
  }

  #answer(call: CallName): CallName {
    this.#unanswered.delete(call.id)
    this.#unansweredByName.get(call.name)?.delete(call.id)
    return call
  }
}
