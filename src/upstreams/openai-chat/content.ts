import type { ImagePart, JsonObject, JsonValue, TextPart } from '../../conversation/index.ts'
import type { ChatMessage } from '../upstream.ts'

/**
 * The content of a message. Text alone goes as a string, since many chat templates take nothing else: of others each part begins a
 * line, as one that goes on in the midst of another reads as a part of it; what a model wrote is one text.
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
