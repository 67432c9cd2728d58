import type { UpstreamError } from '../../upstreams/index.ts'
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
  // vLLM that was started for text alone: `At most 0 image(s) may be provided in one prompt.`
  /\bat most 0 images?\b/i,
  // Zhipu, code 1210: `messages.content.type` and the words for a wrong parameter, then `['text']`
  /\bmessages\.content\.type\b.*\[\s*['"]text['"]\s*\]/i,
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
