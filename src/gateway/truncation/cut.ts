import type { Conversation, Tool, Turn } from '../../conversation/index.ts'
import { removableSteps, type Step } from './steps.ts'

/** A conversation that loses its oldest steps until it is short enough. */
export class Cut {
  readonly #whole: Conversation
  readonly #steps: readonly Step[]
  #count = 0

  constructor(whole: Conversation) {
    this.#whole = whole
    this.#steps = removableSteps(whole.turns)
  }

  /** The number of items that were left out. */
  get items(): number {
    return this.#left().reduce((items, step) => items + step.items, 0)
  }

  /** Removes at least this many tokens, as estimated, or everything that may be removed. False if nothing may be removed any more. */
  shorten(tokens: number): boolean {
    if (this.#count === this.#steps.length) return false
    let gone = 0
    do gone += this.#steps[this.#count++]?.tokens ?? 0
    while (gone < tokens && this.#count < this.#steps.length)
    return true
  }

  /** The conversation without the steps that were left out. */
  get conversation(): Conversation {
    if (this.#count === 0) return this.#whole
    const left = new Set(this.#left().flatMap(({ parts }) => parts))
    const turns = this.#whole.turns.flatMap((turn) => without(turn, left))
    const { listedTools } = this.#whole
    // A tool that a result describes is described at the beginning once the result is gone.
    const found = [...left].flatMap((part) => (part.type === 'result' ? (part.tools ?? []) : []))
    return { ...this.#whole, turns, ...(listedTools && { listedTools: withTools(listedTools, found) }) }
  }

  #left(): readonly Step[] {
    return this.#steps.slice(0, this.#count)
  }
}

/** Returns the turn itself if it keeps all its parts, and no turn if it keeps none. */
function without(turn: Turn, left: ReadonlySet<unknown>): Turn[] {
  if (turn.role === 'system') return [turn]
  if (turn.role === 'assistant')
    return turn.parts.length > 0 && turn.parts.every((part) => left.has(part)) ? [] : [turn]
  const parts = turn.parts.filter((part) => !left.has(part))
  if (parts.length === turn.parts.length) return [turn]
  return parts.length === 0 ? [] : [{ ...turn, parts }]
}

function withTools(listed: readonly Tool[], found: readonly Tool[]): readonly Tool[] {
  if (found.length === 0) return listed
  const names = new Set(listed.map(({ name }) => name))
  return [...listed, ...found.filter(({ name }) => !names.has(name))]
}
