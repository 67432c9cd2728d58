import type { CallPart } from '../../conversation/index.ts'
import { invalid, readOptionalString } from '../fields.ts'

export type CallName = Pick<CallPart, 'id' | 'name'>

/** The calls read so far, to find the one that a result answers. A look-up takes constant time. */
export class CallLedger {
  /** The latest call of each id: servers that number the calls of each reply from 0 reuse ids. */
  readonly #byId = new Map<string, CallName>()
  readonly #byName = new Map<string, CallName>()
  readonly #unanswered = new Map<string, CallName>()

  add(call: CallPart): void {
    const { id, name } = call
    this.#byId.set(id, { id, name })
    this.#byName.set(name, { id, name })
    this.#unanswered.set(id, { id, name })
  }

  /** Returns the call with the id that a result answers. Without an id, it answers the only call that waits. */
  answerById(value: unknown, path: string): CallName {
    const id = readOptionalString(value, path)
    if (!id) return this.#answerOnly(path)
    const call = this.#byId.get(id)
    if (call === undefined) {
      throw invalid(path, `no call before this result has the id ${JSON.stringify(id)}; send that call first`)
    }
    this.#unanswered.delete(id)
    return call
  }

  /** Returns the latest call of the name that a result answers. Without a name, it answers the only call that waits. */
  answerByName(value: unknown, path: string): CallName {
    const name = readOptionalString(value, path)
    if (!name) return this.#answerOnly(path)
    const call = this.#byName.get(name)
    if (call === undefined) {
      throw invalid(path, `no call before this message is to a function ${JSON.stringify(name)}`)
    }
    this.#unanswered.delete(call.id)
    return call
  }

  #answerOnly(path: string): CallName {
    const [call] = this.#unanswered.values()
    if (call === undefined || this.#unanswered.size > 1) {
      const count = call === undefined ? 'no call is' : `${this.#unanswered.size} calls are`
      throw invalid(path, `is missing, and ${count} waiting for a result; name the call that this message answers`)
    }
    this.#unanswered.delete(call.id)
    return call
  }
}
