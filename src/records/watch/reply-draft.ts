import type { ReplyEvent } from '../../conversation/index.ts'
import type { TimedEvent } from '../record/exchange.ts'
import { addPiece } from '../record/timed-text.ts'
import type { CharacterBudget } from './character-budget.ts'

/** The events that continue each other: text, reasoning, and the arguments of one call. */
type Growing = Extract<ReplyEvent, { type: 'reasoning' | 'text' | 'call-arguments' }>

/** Collects reply events. One that continues the event before it is added to that, with its time. */
export class ReplyDraft {
  readonly #events: TimedEvent[] = []
  readonly #budget: CharacterBudget

  constructor(budget: CharacterBudget) {
    this.#budget = budget
  }

  get events(): TimedEvent[] {
    return this.#events
  }

  push(ms: number, event: ReplyEvent): void {
    if (event.type !== 'reasoning' && event.type !== 'text' && event.type !== 'call-arguments') {
      if (this.#budget.take('reply', 64)) this.#events.push({ ms, event })
      return
    }
    const text = this.#budget.fit('reply', event.type === 'call-arguments' ? event.json : event.text)
    if (text === '') return
    const last = this.#events.at(-1)
    if (!last?.pieces || !continues(last.event, event)) {
      // A copy: it grows.
      const own = event.type === 'call-arguments' ? { ...event, json: text } : { ...event, text }
      this.#events.push({ ms, event: own, pieces: [ms, text.length] })
      return
    }
    if (last.event.type === 'call-arguments') last.event.json += text
    else if (last.event.type === 'text' || last.event.type === 'reasoning') last.event.text += text
    addPiece(last.pieces, ms, text.length)
  }
}

function continues(last: ReplyEvent, next: Growing): boolean {
  if (last.type === 'call-arguments') return next.type === 'call-arguments' && last.index === next.index
  if (last.type === 'text') return next.type === 'text' && last.refusal === next.refusal
  return last.type === 'reasoning' && next.type === 'reasoning'
}
