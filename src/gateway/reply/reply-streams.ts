import {
  charactersOf,
  type FinishEvent,
  type Notice,
  type ReplyEvent,
  type ReplyStream,
  type ResponseFormat,
  type Usage,
} from '../../conversation/index.ts'
import { JsonAnswer } from '../../dialects/index.ts'

/** Adds items to a list. `push(...items)` throws if a whole reply has more events than a function may have arguments. */
export function append<Item>(list: Item[], items: readonly Item[]): void {
  for (const item of items) list.push(item)
}

/** The number of characters in a batch of a reply that was held back: as many as an upstream's batches have. */
const batchSize = 128 * 1024

/** Cuts events that were held back into batches, so that others can be served while a large reply is encoded and sent. */
export function batchesOf(events: ReplyEvent[]): ReplyEvent[][] {
  const batches: ReplyEvent[][] = []
  let begin = 0
  let size = 0
  for (const [index, event] of events.entries()) {
    size += charactersOf(event)
    if (size < batchSize && index + 1 < events.length) continue
    batches.push(begin === 0 && index + 1 === events.length ? events : events.slice(begin, index + 1))
    begin = index + 1
    size = 0
  }
  return batches
}

/** Yields the notices in one batch, then the reply. */
export async function* withNotices(notices: readonly Notice[], reply: ReplyStream): ReplyStream {
  if (notices.length > 0) yield notices.map((notice) => ({ type: 'notice', notice }))
  yield* reply
}

/** Yields the reply, with the usage of an earlier attempt added to its own: both were paid for. */
export async function* withUsageOf(earlier: readonly ReplyEvent[], reply: ReplyStream): ReplyStream {
  const spent = earlier.find((event) => event.type === 'finish')?.usage
  for await (const events of reply) {
    yield events.map((event) =>
      event.type === 'finish' && spent ? { ...event, usage: sum(spent, event.usage ?? {}) } : event,
    )
  }
}

/** Returns the usage of two generations together; a number that neither has is absent. */
export function sum(one: Usage, other: Usage): Usage {
  const total: Usage = {}
  for (const key of ['inputTokens', 'outputTokens', 'cachedTokens', 'cacheWriteTokens', 'reasoningTokens'] as const) {
    if (one[key] !== undefined || other[key] !== undefined) total[key] = (one[key] ?? 0) + (other[key] ?? 0)
  }
  return total
}

const reasoningWithheld: ReplyEvent = {
  type: 'notice',
  notice: {
    code: 'reasoning-withheld',
    message: 'The model reasoned although the client asked for no reasoning; the reasoning was removed.',
  },
}

/**
 * Yields a reply without reasoning, for a client that switched it off: many models reason anyway, and such a client takes
 * the first content for the answer. If the whole answer came as reasoning (vLLM's parsers with thinking off), it becomes text.
 */
export async function* withoutReasoning(reply: ReplyStream | readonly ReplyEvent[][]): ReplyStream {
  const pass = withoutThoughts((_, thoughts, hasAnswer) => [
    hasAnswer ? reasoningWithheld : { type: 'text', text: thoughts },
  ])
  for await (const events of reply) {
    const passed = pass(events)
    if (passed.length > 0) yield passed
  }
}

/** A change of one batch after the other. */
export type BatchStep = (events: ReplyEvent[]) => ReplyEvent[]

/**
 * Returns the step that leaves reasoning out, for a client that did not ask for any. A reply of nothing but reasoning, with which the
 * model was done, becomes text: the client would get nothing else.
 */
export function hidingReasoning(): BatchStep {
  return withoutThoughts(({ reason }, thoughts, hasAnswer) =>
    reason === 'stop' && !hasAnswer ? [{ type: 'text', text: thoughts }] : [],
  )
}

/** Returns the step that leaves reasoning out. Before the finish come the events that `settle` returns, if there was reasoning. */
function withoutThoughts(
  settle: (finish: FinishEvent, thoughts: string, hasAnswer: boolean) => ReplyEvent[],
): BatchStep {
  const thoughts: string[] = []
  let hasAnswer = false
  return (events) => {
    const passed: ReplyEvent[] = []
    for (const event of events) {
      if (event.type === 'reasoning') {
        if (event.text !== '') thoughts.push(event.text)
        continue
      }
      if (event.type === 'text' || event.type === 'call-start') hasAnswer = true
      if (event.type === 'finish' && thoughts.length > 0) append(passed, settle(event, thoughts.join(''), hasAnswer))
      passed.push(event)
    }
    return passed
  }
}

/** Yields a reply whose text must be JSON as the JSON value that is in it. */
export async function* asJson(format: ResponseFormat, reply: ReplyStream): ReplyStream {
  const answer = new JsonAnswer(format)
  for await (const events of reply) {
    const read = answer.read(events)
    if (read.length > 0) yield read
  }
}
