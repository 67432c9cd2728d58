import { RecentMap } from '../../conversation/index.ts'
import { refuses } from '../http/upstream-error.ts'
import type { Constraint, GenerationContext, PromptRequest, UpstreamEvent } from '../upstream.ts'

/** The number of constraints of a model that are known to be refused, and that are tried with a model that never took one. */
const mostRefused = 8

/**
 * Returns the texts that end a reply, beside its constraint. A constraint of the whole reply already ends it, and an engine that still
 * looked for stop texts could find one in an argument: models that edit chat templates write `<|im_end|>` there.
 */
export function stopsBeside({ stops, constraint }: PromptRequest): readonly string[] {
  const isWhole = constraint?.type === 'structural-tag' ? constraint.tag.isWhole : isWholeLark(constraint)
  return isWhole ? [] : stops
}

/** True if all of the reply is held, and not as text that may end anywhere. */
function isWholeLark(constraint: PromptRequest['constraint']): boolean {
  return constraint?.type === 'lark' && !constraint.grammar.isText && constraint.grammar.triggers.length === 0
}

type Generation = Promise<AsyncIterable<UpstreamEvent[]>>

interface ModelConstraints {
  /** The server's words, by the constraint's digest: its text may have megabytes. */
  refused: RecentMap<string, string>
  /** True once the model accepted a constraint. */
  hasAccepted: boolean
}

/**
 * Sends prompts with their constraints, and again without if the engine refuses one: an unconstrained reply is read as
 * well. A refused constraint is not sent again. A model that refused several and never accepted one gets no more
 * constraints.
 */
export class Constraints {
  readonly #upstream: string
  readonly #models = new RecentMap<string, ModelConstraints>(100)

  constructor(upstream: string) {
    this.#upstream = upstream
  }

  /** Starts a generation by `send` and emits the events of its `before` first. */
  async generate(
    request: PromptRequest,
    context: GenerationContext,
    send: (request: PromptRequest, before: UpstreamEvent[]) => Generation,
  ): Generation {
    if (!request.constraint) return send(request, [])
    const { constraint, ...free } = request
    const model = this.#models.of(request.model, () => ({ refused: new RecentMap(mostRefused), hasAccepted: false }))
    const before = model.refused.size === 0 ? undefined : knownRefusal(model, await digestOf(constraint))
    if (before !== undefined) return send(free, [refusedNotice(before)])
    try {
      const events = await send(request, [])
      model.hasAccepted = true
      return events
    } catch (error) {
      if (!refuses(error, 'constraint') || error.code === 'not-found') throw error
      const { message } = error
      model.refused.set(await digestOf(constraint), message)
      context.log('warn', 'upstream.constraint-refused', {
        upstream: this.#upstream,
        model: request.model,
        error: message,
      })
      return send(free, [refusedNotice(message)])
    }
  }
}

/** A model that accepted a constraint is tried with new ones: only a few schemas are too much for it. */
function knownRefusal({ refused, hasAccepted }: ModelConstraints, digest: string): string | undefined {
  const [any] = refused.values()
  return refused.get(digest) ?? (hasAccepted || refused.size < mostRefused ? undefined : any)
}

function refusedNotice(said: string): UpstreamEvent {
  const message = `The reply is not held to the tools' schemas: the engine refused the constraint. ${said}`
  return { type: 'notice', notice: { code: 'constraint-refused', message } }
}

async function digestOf(constraint: Constraint): Promise<string> {
  const bytes = new TextEncoder().encode(textOf(constraint))
  return Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)), (byte) => byte.toString(16)).join('.')
}

function textOf(constraint: Constraint): string {
  if (constraint.type === 'structural-tag') return JSON.stringify(constraint.tag.tag)
  if (constraint.type === 'lark') return constraint.grammar.grammar
  const { grammar, isLazy, triggers } = constraint.grammar
  return isLazy ? `${JSON.stringify(triggers)}\n${grammar}` : grammar
}
