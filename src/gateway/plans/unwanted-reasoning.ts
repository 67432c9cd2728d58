import type { ReplyEvent, ReplyStream } from '../../conversation/index.ts'

const notice: ReplyEvent = {
  type: 'notice',
  notice: { code: 'reasoning-withheld', message: 'The model reasoned although it was told not to; that was left out.' },
}

/**
 * A reply to a client that wants no reasoning: many models cannot be kept from it, and such a client takes the first thing that it is given
 * for the answer. A model that says all of its answer as reasoning (vLLM's parsers, where thinking is off) has its say as text.
 */
export async function* withoutReasoning(reply: ReplyStream): ReplyStream {
  let said = ''
  let hasAnswer = false
  for await (const events of reply) {
    const given: ReplyEvent[] = []
    for (const event of events) {
      if (event.type === 'reasoning') {
        said += event.text
        continue
      }
      if (event.type === 'text' || event.type === 'call-start') hasAnswer = true
      if (event.type === 'finish' && said !== '') given.push(hasAnswer ? notice : { type: 'text', text: said })
      given.push(event)
    }
    if (given.length > 0) yield given
  }
}
