import { cancelled } from '../transport/transport-error.ts'
import type { EngineSequence } from './engine.ts'

interface Waiter {
  tokens: readonly number[]
  resolve(sequence: EngineSequence): void
}

/** The sequences of a model that no request uses. A request that finds no free sequence waits for its turn. */
export class SequencePool {
  /** The one that was used longest ago first. */
  readonly #free: EngineSequence[]
  readonly #waiting: Waiter[] = []

  constructor(sequences: readonly EngineSequence[]) {
    this.#free = [...sequences]
  }

  /** The one that saves most work for a prompt. Rejects with the signal's reason when it aborts first. */
  take(tokens: readonly number[], signal: AbortSignal): Promise<EngineSequence> {
    const best = this.#bestFor(tokens)
    if (best) {
      this.#free.splice(this.#free.indexOf(best), 1)
      return Promise.resolve(best)
    }
    return new Promise((resolve, reject) => {
      const waiting: Waiter = {
        tokens,
        resolve: (sequence) => {
          signal.removeEventListener('abort', leave)
          resolve(sequence)
        },
      }
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        reject(cancelled(signal))
      }
      if (signal.aborted) {
        reject(cancelled(signal))
        return
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#waiting.push(waiting)
    })
  }

  release(sequence: EngineSequence): void {
    const next = this.#waiting.shift()
    if (next) next.resolve(sequence)
    else this.#free.push(sequence)
  }

  /**
   * Chooses the sequence with the longest common beginning, less the tokens that it would lose: prompts of different
   * conversations share their first words too, and replacing a long one for a few words would waste memory.
   */
  #bestFor(tokens: readonly number[]): EngineSequence | undefined {
    let best: { sequence: EngineSequence; gain: number } | undefined
    for (const sequence of this.#free) {
      const shared = sequence.sharedWith(tokens)
      const gain = shared - (sequence.length - shared)
      if (!best || gain > best.gain) best = { sequence, gain }
    }
    return best?.sequence
  }
}
