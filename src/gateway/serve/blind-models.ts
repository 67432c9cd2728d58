import { type Conversation, RecentMap, type ReplyStream } from '../../conversation/index.ts'
import type { GenerationContext } from '../../upstreams/index.ts'
import { hasImages, withImageNotes } from '../plans/images.ts'
import type { PlanRequest } from '../plans/plan.ts'
import { withNotices } from '../reply/reply-streams.ts'
import type { Candidate } from './fail-over.ts'
import { refusesImages } from './image-refusals.ts'

/** Servers are started anew with other models: so long one counts as blind. */
const blindMs = 600_000

/** The models that were found to see no images. */
export class BlindModels {
  readonly #until = new RecentMap<string, number>()
  readonly #now: () => number

  /** `now` is in milliseconds since 1970. */
  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  add(candidate: Candidate): void {
    this.#until.set(keyOf(candidate), this.#now() + blindMs)
  }

  has(candidate: Candidate): boolean {
    return (this.#until.get(keyOf(candidate)) ?? 0) > this.#now()
  }

  /** The conversation as the model may be shown it. */
  shown(conversation: Conversation, candidate: Candidate): Conversation {
    return this.has(candidate) ? withImageNotes(conversation) : conversation
  }
}

function keyOf({ upstream, model }: Candidate): string {
  return JSON.stringify([upstream.name, model])
}

/**
 * Serves a request with images; where the model turns out to see none, with a note for each. An agent sends the image that it once
 * looked at with each request to come, so a refusal would end its work.
 */
export async function sparingImages(
  request: PlanRequest,
  blind: BlindModels,
  serve: (request: PlanRequest) => Promise<ReplyStream>,
  context: GenerationContext,
): Promise<ReplyStream> {
  const { conversation, upstream, model } = request
  if (!hasImages(conversation)) return serve(request)
  if (!blind.has(request)) {
    try {
      return await serve(request)
    } catch (error) {
      if (!refusesImages(error)) throw error
      blind.add(request)
      const { requestId } = context
      context.log('warn', 'images-refused', { requestId, upstream: upstream.name, model, why: error.message })
    }
  }
  const message = `The model "${model}" of upstream "${upstream.name}" sees no images: it was told that they are missing.`
  const reply = await serve({ ...request, conversation: withImageNotes(conversation) })
  return withNotices([{ code: 'image-left-out', message }], reply)
}
