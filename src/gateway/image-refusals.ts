import type { Conversation, ReplyStream } from '../conversation/index.ts'
import type { GenerationContext } from '../upstreams/upstream.ts'
import type { UpstreamError } from '../upstreams/upstream-error.ts'
import type { Candidate } from './fail-over.ts'
import { preceded } from './forced-choice.ts'
import { hasImages, withImageNotes } from './images.ts'
import type { PlanRequest } from './plan.ts'
import { isRefusal } from './tool-refusals.ts'

/**
 * How servers say that a model sees no images. What they say of one image (its size, its format, how many there are) is the client's to
 * mend: it must not cost the others.
 */
const refusals: readonly RegExp[] = [
  // Ollama: `this model does not support image input`; LM Studio: `Model does not support images`
  /(?:\bnot|n't|\bcannot) (?:support|accept) (?:images\b|image inputs?\b|multi-?modal\b|vision\b)/i,
  // llama-server: `image input is not supported - hint: …`; OpenAI: `image_url is only supported by certain models`
  /\b(?:image inputs?|images|image_url) (?:is|are) (?:not supported|only supported by)\b/i,
  // OpenRouter: `No endpoints found that support image input`
  /no endpoints found that support image\b/i,
  // vLLM, SGLang and hosts of them: `m is not a multimodal model`
  /\bnot a multi-?modal model\b/i,
  // DeepSeek: ``messages[1]: unknown variant `image_url`, expected `text` ``
  /unknown variant [`'"]?image_url\b/i,
  // llama-server, servers of text alone: `Unsupported content part type: "image_url"`
  /unsupported content part type\b.*\bimage_url\b/i,
  // DashScope: `Unexpected item type in content`
  /unexpected item type in content\b/i,
]

/** True for the error of an upstream whose model sees no images. */
export function refusesImages(error: unknown): error is UpstreamError {
  return isRefusal(error) && refusals.some((says) => says.test(error.message))
}

/** Servers are started anew with other models: so long one counts as blind. */
const blindMs = 600_000
/** Where names of models are passed on as they are, clients can make up as many as they like. */
const mostKnown = 1000

/** The models that were found to see no images. */
export class BlindModels {
  readonly #until = new Map<string, number>()
  readonly #now: () => number

  /** `now` is in milliseconds since 1970. */
  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  add(candidate: Candidate): void {
    this.#until.set(keyOf(candidate), this.#now() + blindMs)
    const [oldest] = this.#until.keys()
    if (this.#until.size > mostKnown && oldest !== undefined) this.#until.delete(oldest)
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
  return preceded({ type: 'notice', notice: { code: 'image-left-out', message } }, reply)
}
