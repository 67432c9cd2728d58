import { RecentMap } from '../../conversation/index.ts'
import type { ReasoningField, Refusable } from './refusals.ts'

/** How a model of a server wants to be asked, as far as its refusals and replies have shown. */
export interface ChatManners {
  refused: ReadonlySet<Refusable>
  /** The field in which it gave its reasoning, in which it takes it back. */
  reasoningField: ReasoningField
  /** The most tokens that a reply may be allowed. */
  mostTokens: number
}

/** What one request has shown. */
export type Learned = Pick<ChatManners, 'refused' | 'mostTokens'>

const unknown: ChatManners = {
  refused: new Set(),
  reasoningField: 'reasoning_content',
  mostTokens: Number.POSITIVE_INFINITY,
}

/** What is known of the models of a server; kept for those that have shown something. */
export class KnownManners {
  readonly #byModel = new RecentMap<string, ChatManners>()

  /** How to ask a model, with what this very request has shown. */
  of(model: string, learned?: Learned): ChatManners {
    const known = this.#byModel.get(model) ?? unknown
    if (learned === undefined || showsNothing(learned)) return known
    return {
      ...known,
      refused: new Set([...known.refused, ...learned.refused]),
      mostTokens: Math.min(known.mostTokens, learned.mostTokens),
    }
  }

  learn(model: string, learned: Learned): void {
    if (!showsNothing(learned)) this.#byModel.set(model, this.of(model, learned))
  }

  reasonsIn(model: string, reasoningField: ReasoningField): void {
    const manners = this.of(model)
    if (manners.reasoningField !== reasoningField) this.#byModel.set(model, { ...manners, reasoningField })
  }
}

function showsNothing({ refused, mostTokens }: Learned): boolean {
  return refused.size === 0 && mostTokens === Number.POSITIVE_INFINITY
}
