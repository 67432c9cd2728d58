import type { LanguageModelV3StreamPart } from '@ai-sdk/provider'
import type { FinishPart } from './findings.ts'
import { ask, sumOfUsage, withMissingCall } from './missing-call.ts'

type Parts = ReadableStream<LanguageModelV3StreamPart>

/** Asks the model once more; receives the text that it answered. */
type Again = (reply: string) => Promise<Parts>

/**
 * A streamed reply to a request that requires a call. Its text is held until its first call begins; if none does, the
 * call is requested once more, and if none comes then either, the first reply is emitted with a notice.
 */
export function streamWithCall(first: Parts, again: Again, signal: AbortSignal | undefined): Parts {
  return new ReadableStream(new DemandedCall(first, again, signal), { highWaterMark: 0 })
}

class DemandedCall implements UnderlyingDefaultSource<LanguageModelV3StreamPart> {
  readonly #again: Again
  readonly #signal: AbortSignal | undefined
  #reader: ReadableStreamDefaultReader<LanguageModelV3StreamPart>
  /** Parts that are held while no call has begun; undefined once they went out. */
  #held: LanguageModelV3StreamPart[] | undefined = []
  /** The first reply, when it had no call. */
  #first: LanguageModelV3StreamPart[] | undefined
  #isCancelled = false

  constructor(first: Parts, again: Again, signal: AbortSignal | undefined) {
    this.#reader = first.getReader()
    this.#again = again
    this.#signal = signal
  }

  async pull(controller: ReadableStreamDefaultController<LanguageModelV3StreamPart>): Promise<void> {
    let given: LanguageModelV3StreamPart[] = []
    while (given.length === 0) {
      const { done, value } = await this.#reader.read()
      if (this.#isCancelled) return
      if (done) {
        for (const part of this.#held ?? []) controller.enqueue(part)
        controller.close()
        return
      }
      given = await this.#take(value)
      if (this.#isCancelled) return
    }
    for (const part of given) controller.enqueue(part)
  }

  async cancel(reason: unknown): Promise<void> {
    this.#isCancelled = true
    await this.#reader.cancel(reason)
  }

  /** The parts that go out now that `part` came. */
  async #take(part: LanguageModelV3StreamPart): Promise<LanguageModelV3StreamPart[]> {
    const held = this.#held
    if (!held) return [part.type === 'finish' ? this.#withFirstUsage(part) : part]
    switch (part.type) {
      case 'stream-start':
        return this.#first ? [] : [part]
      case 'tool-input-start':
      case 'tool-call':
      // A reply that failed is not asked for again: the error is the answer.
      case 'error':
        this.#held = undefined
        return [...held, part]
      case 'finish':
        return this.#first ? this.#giveUp(this.#first, part) : await this.#askAgain(held, part)
      default:
        held.push(part)
        return []
    }
  }

  async #askAgain(
    held: readonly LanguageModelV3StreamPart[],
    finish: FinishPart,
  ): Promise<LanguageModelV3StreamPart[]> {
    const first = [...held, finish]
    if (finish.finishReason.unified === 'error') return this.#giveOut(first)
    const text = held.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')
    const second = await ask(this.#again, text, this.#signal)
    if (!second) return this.#giveUp(first)
    if (this.#isCancelled) {
      await second.cancel()
      return []
    }
    this.#first = first
    this.#held = []
    this.#reader = second.getReader()
    return []
  }

  /** No call came the second time either: the first reply is emitted, with the tokens of both. */
  #giveUp(first: readonly LanguageModelV3StreamPart[], second?: FinishPart): LanguageModelV3StreamPart[] {
    return this.#giveOut(
      first.map((part) => {
        if (part.type !== 'finish') return part
        return withMissingCall(second ? { ...part, usage: sumOfUsage(part.usage, second.usage) } : part)
      }),
    )
  }

  #giveOut(parts: LanguageModelV3StreamPart[]): LanguageModelV3StreamPart[] {
    this.#held = undefined
    return parts
  }

  #withFirstUsage(finish: FinishPart): FinishPart {
    const first = this.#first?.find((part) => part.type === 'finish')
    return first ? { ...finish, usage: sumOfUsage(first.usage, finish.usage) } : finish
  }
}
