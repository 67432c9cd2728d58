import type { ReasoningField, Refusable } from './openai-chat-refusals.ts'

/** How a model of a server wants to be asked, as far as its refusals and replies have shown. */
export interface ChatManners {
  refused: ReadonlySet<Refusable>
  /** The field in which it gave its reasoning, in which it takes it back. */
  reasoningField: ReasoningField
}

const unknown: ChatManners = { refused: new Set(), reasoningField: 'reasoning_content' }

/** What is known of the models of a server; kept for those that have shown something. */
export class KnownManners {
  readonly #byModel = new Map<string, ChatManners>()

  of(model: string): ChatManners {
    return this.#byModel.get(model) ?? unknown
  }

  refuses(model: string, refused: Iterable<Refusable>): void {
    const manners = this.of(model)
    this.#byModel.set(model, { ...manners, refused: new Set([...manners.refused, ...refused]) })
  }

  reasonsIn(model: string, reasoningField: ReasoningField): void {
    const manners = this.of(model)
    if (manners.reasoningField !== reasoningField) this.#byModel.set(model, { ...manners, reasoningField })
  }
}
