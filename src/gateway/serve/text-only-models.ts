import { type Conversation, RecentMap, type ReplyStream } from '../../conversation/index.ts'
import { type GenerationContext, refuses } from '../../upstreams/index.ts'
import { hasImages, withImageNotes } from '../plans/images.ts'
import type { PlanRequest } from '../plans/plan.ts'
import { withNotices } from '../reply/reply-streams.ts'
import type { Target } from './fail-over.ts'

/** Milliseconds for which a model counts as text-only: servers are restarted with other models. */
const knownMs = 600_000

/** The models that refused images. */
export class TextOnlyModels {
  readonly #models: RecentMap<string, true>

  /** `now` is in milliseconds since 1970. */
  constructor(now?: () => number) {
    this.#models = new RecentMap(undefined, now)
  }

  add(candidate: Target): void {
    this.#models.set(keyOf(candidate), true, knownMs)
  }

  has(candidate: Target): boolean {
    return this.#models.has(keyOf(candidate))
  }

  /** Returns the conversation as the model may be shown it. */
  shown(conversation: Conversation, candidate: Target): Conversation {
    return this.has(candidate) ? withImageNotes(conversation) : conversation
  }
}

function keyOf({ upstream, model }: Target): string {
  return JSON.stringify([upstream.name, model])
}

/**
 * Serves a request with images, and again with a note for each if the model accepts none. An agent sends an image again
 * with each later request, so a refusal would end its work.
 */
export function retryWithoutImages(
  request: PlanRequest,
  textOnly: TextOnlyModels,
  serve: (request: PlanRequest) => Promise<ReplyStream>,
  context: GenerationContext,
): Promise<ReplyStream> {
  return hasImages(request.conversation) ? withImages(request, textOnly, serve, context) : serve(request)
}

async function withImages(
  request: PlanRequest,
  textOnly: TextOnlyModels,
  serve: (request: PlanRequest) => Promise<ReplyStream>,
  context: GenerationContext,
): Promise<ReplyStream> {
  const { conversation, upstream, model } = request
  if (!textOnly.has(request)) {
    try {
      return await serve(request)
    } catch (error) {
      if (!refuses(error, 'images')) throw error
      textOnly.add(request)
      const { requestId } = context
      context.log('warn', 'images-refused', { requestId, upstream: upstream.name, model, why: error.message })
    }
  }
  const message = `The model "${model}" of upstream "${upstream.name}" sees no images: it was told that they are missing.`
  const reply = await serve({ ...request, conversation: withImageNotes(conversation) })
  return withNotices([{ code: 'image-left-out', message }], reply)
}
