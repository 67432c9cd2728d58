import { RecentMap } from '../../conversation/index.ts'
import { UpstreamError } from '../http/upstream-error.ts'
import type { Constraint, GenerationContext, PromptRequest, UpstreamEvent } from '../upstream.ts'

/** What engines call the thing that they refuse: a grammar, its triggers, or structured output. */
const refusal = / and said .*(?:grammar|sampler|structural|structured|guided|guidance|trigger|preserved token)/is

/** So many different constraints are tried with a model that never took one. */
const maxRefused = 8

/**
 * The texts that end a reply, beside its constraint. One of the whole reply ends it by itself, and an engine that still looked for a text would
 * find it in an argument: models that edit chat templates write `<|im_end|>` there.
 */
export function stopsBeside({ stops, constraint }: PromptRequest): readonly string[] {
  return constraint?.type === 'structural-tag' && constraint.tag.isWhole ? [] : stops
}

type Generation = Promise<AsyncIterable<UpstreamEvent[]>>

interface ModelConstraints {
  /** What was said, by the constraint's digest: its text may have megabytes. */
  refused: Map<string, string>
  /** True once it took one. */
  takes: boolean
}

/**
 * Sends prompts with their constraints, and again without where the engine refuses one: an unconstrained reply is read all
 * the same. What was refused is not sent again; a model that refused several and never took one is sent none.
 */
export class Constraints {
  readonly #upstream: string
  readonly #models: Map<string, ModelConstraints> = new RecentMap(100)

  constructor(upstream: string) {
    this.#upstream = upstream
  }

  /** `send` starts a generation; `before` is to be given out before its own events. */
  async generate(
    request: PromptRequest,
    context: GenerationContext,
    send: (request: PromptRequest, before: UpstreamEvent[]) => Generation,
  ): Generation {
    if (!request.constraint) return send(request, [])
    const { constraint, ...free } = request
    const model = this.#of(request.model)
    const before = model.refused.size === 0 ? undefined : this.#saidBefore(model, await digestOf(constraint))
    if (before !== undefined) return send(free, [this.#notice(before)])
    try {
      const events = await send(request, [])
      model.takes = true
      return events
    } catch (error) {
      if (!isRefusal(error)) throw error
      model.refused.set(await digestOf(constraint), error.message)
      context.log('warn', 'upstream.constraint-refused', {
        upstream: this.#upstream,
        model: request.model,
        error: error.message,
      })
      return send(free, [this.#notice(error.message)])
    }
  }

  #of(name: string): ModelConstraints {
    const known = this.#models.get(name)
    if (known) return known
    const model: ModelConstraints = { refused: new Map(), takes: false }
    this.#models.set(name, model)
    return model
  }

  #saidBefore({ refused, takes }: ModelConstraints, digest: string): string | undefined {
    const said = refused.get(digest)
    if (said !== undefined || refused.size < maxRefused) return said
    const [oldest] = refused
    if (!takes) return oldest?.[1]
    // It takes most: a few schemas are too much for it, and which they are need not be known for ever.
    if (oldest) refused.delete(oldest[0])
    return undefined
  }

  #notice(said: string): UpstreamEvent {
    const message = `The reply is not held to the tools' schemas: the engine refused the constraint. ${said}`
    return { type: 'notice', notice: { code: 'constraint-refused', message } }
  }
}

function isRefusal(error: unknown): error is UpstreamError {
  // Mostly a 400; some engines fail inside, with a 500 that tells why.
  return (
    error instanceof UpstreamError &&
    (error.code === 'invalid-request' || error.code === 'upstream') &&
    refusal.test(error.message)
  )
}

async function digestOf(constraint: Constraint): Promise<string> {
  const bytes = new TextEncoder().encode(textOf(constraint))
  return Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)), (byte) => byte.toString(16)).join('.')
}

function textOf(constraint: Constraint): string {
  if (constraint.type === 'structural-tag') return JSON.stringify(constraint.tag.tag)
  const { grammar, isLazy, triggers } = constraint.grammar
  return isLazy ? `${JSON.stringify(triggers)}\n${grammar}` : grammar
}
