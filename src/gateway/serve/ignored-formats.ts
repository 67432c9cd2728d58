import type { Conversation, ReplyStream } from '../../conversation/index.ts'
import { withFormatInstructions } from '../../dialects/index.ts'
import { type GenerationContext, LearnedLimits } from '../../upstreams/index.ts'
import type { Target } from './fail-over.ts'

/**
 * Notices about a reply that an upstream would not have sent if it held its model to the format. A reply that was cut has
 * others.
 */
const signs: ReadonlySet<string> = new Set(['response-missing', 'response-invalid'])

/**
 * The models whose upstreams accept the format of a reply and ignore it. The prompt describes the format for them as well;
 * it is still requested, because a model may also refuse an answer whose format is enforced.
 */
export class IgnoredFormats {
  readonly #learned: LearnedLimits<'response-format'>

  /** `now` is in milliseconds since 1970. */
  constructor(now?: () => number) {
    this.#learned = new LearnedLimits(undefined, now)
  }

  has(candidate: Target): boolean {
    return this.#learned.of(keyOf(candidate)).refused.has('response-format')
  }

  /** Returns the conversation as the model is to be shown it. */
  shown(conversation: Conversation, candidate: Target): Conversation {
    return this.has(candidate) ? withFormatInstructions(conversation) : conversation
  }

  /** Yields a reply that must have a format, and remembers the model if it does not have it. */
  async *watch(reply: ReplyStream, { upstream, model }: Target, context: GenerationContext): ReplyStream {
    let hasSign = false
    for await (const events of reply) {
      for (const event of events) {
        if (event.type === 'notice') hasSign ||= signs.has(event.notice.code)
        else if (event.type === 'finish' && event.reason === 'stop' && hasSign) this.#add({ upstream, model }, context)
      }
      yield events
    }
  }

  #add(candidate: Target, { requestId, log }: GenerationContext): void {
    const { upstream, model } = candidate
    // Without the ability, the plan has said the format already.
    if (!upstream.abilities.responseFormat || this.has(candidate)) return
    this.#learned.add(keyOf(candidate), { refused: new Set(['response-format'] as const) })
    log('info', 'response-format-ignored', { requestId, upstream: upstream.name, model })
  }
}

function keyOf({ upstream, model }: Target): string {
  return JSON.stringify([upstream.name, model])
}
