import type { LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { type Again, askIfPossible, sumOfUsage } from './ask-again.ts'
import type { FinishPart } from './findings.ts'
import type { Wanted } from './wanted.ts'

type Parts = ReadableStream<LanguageModelV3StreamPart>

/** Asks the model once more. */
type Ask = (again: Again) => Promise<Parts>

/**
 * A streamed reply that must have something. Parts are held until it has begun; if it does not, it is requested once more.
 */
export function streamWith(wanted: Wanted, first: Parts, ask: Ask, signal: AbortSignal | undefined): Parts {
  return new ReadableStream(new AskedAgain(wanted, first, ask, signal), { highWaterMark: 0 })
}

class AskedAgain implements UnderlyingDefaultSource<LanguageModelV3StreamPart> {
  readonly #wanted: Wanted
  readonly #ask: Ask
  readonly #signal: AbortSignal | undefined
  #reader: ReadableStreamDefaultReader<LanguageModelV3StreamPart>
  /** Parts that are held while the reply has not settled; undefined once they went out. */
  #held: LanguageModelV3StreamPart[] | undefined = []
  /** The parts of the first reply that were held to its end. */
  #first: LanguageModelV3StreamPart[] | undefined
  #isCancelled = false

  constructor(wanted: Wanted, first: Parts, ask: Ask, signal: AbortSignal | undefined) {
    this.#wanted = wanted
    this.#reader = first.getReader()
    this.#ask = ask
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
    if (!held) return [part.type === 'finish' ? this.#ofBoth(part) : part]
    if (part.type === 'stream-start') return this.#first ? [] : [part]
    if (part.type === 'finish') return this.#first ? this.#end(held, part) : await this.#askAgain(held, part)
    // A failed reply is not requested again: the error is the answer.
    if (part.type === 'error' || this.#wanted.settles(part)) return this.#giveOut([...held, part])
    if (!this.#wanted.holds(part)) return [part]
    held.push(part)
    return []
  }

  async #askAgain(
    held: readonly LanguageModelV3StreamPart[],
    finish: FinishPart,
  ): Promise<LanguageModelV3StreamPart[]> {
    const wanted = this.#wanted
    const first = [...held, finish]
    if (finish.finishReason.unified === 'error' || !wanted.isMissing(finish)) return this.#giveOut(first)
    const reply = held.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')
    const second = await askIfPossible(this.#ask, { reply, request: wanted.request(finish) }, this.#signal)
    if (!second) return this.#giveOut([...held, wanted.noted(finish, 'first')])
    if (this.#isCancelled) {
      await second.cancel()
      return []
    }
    this.#first = first
    this.#held = []
    this.#reader = second.getReader()
    return []
  }

  /** The end of a second reply that has not settled. */
  #end(held: readonly LanguageModelV3StreamPart[], finish: FinishPart): LanguageModelV3StreamPart[] {
    if (this.#wanted.replaces(finish)) return this.#giveOut([...held, this.#ofBoth(finish)])
    const first = (this.#first ?? []).map((part) => {
      if (part.type !== 'finish') return part
      return this.#wanted.noted({ ...part, usage: sumOfUsage(part.usage, finish.usage) }, 'first')
    })
    return this.#giveOut(first)
  }

  #giveOut(parts: LanguageModelV3StreamPart[]): LanguageModelV3StreamPart[] {
    this.#held = undefined
    return parts
  }

  /** The end of the reply that is given, with the tokens of both if there were two. */
  #ofBoth(finish: FinishPart): FinishPart {
    const first = this.#first?.find((part) => part.type === 'finish')
    if (!first) return finish
    return this.#wanted.noted({ ...finish, usage: sumOfUsage(first.usage, finish.usage) }, 'second')
  }
}
