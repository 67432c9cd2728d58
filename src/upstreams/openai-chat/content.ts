import type { ImagePart, JsonObject, JsonValue, TextPart } from '../../conversation/index.ts'
import type { ChatMessage } from '../upstream.ts'

/**
 * Encodes the content of a message. Text alone becomes a string, since many chat templates accept only strings. Each
 * part of a user's text begins a line, so that parts do not run into each other; the model's own text is joined as it
 * is.
 */
export function encodeContent(parts: readonly (TextPart | ImagePart)[], role: ChatMessage['role'] = 'user'): JsonValue {
  const texts: string[] = []
  for (const part of parts) {
    if (part.type === 'image') return parts.map(encodePart)
    texts.push(part.text)
  }
  return texts.join(role === 'assistant' ? '' : '\n')
}

function encodePart(part: TextPart | ImagePart): JsonObject {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const image: JsonObject = { url: part.url }
  if (part.detail !== undefined) image.detail = part.detail
  return { type: 'image_url', image_url: image }
}
