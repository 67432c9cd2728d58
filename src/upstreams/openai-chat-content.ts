import type { ImagePart, JsonObject, JsonValue, TextPart } from '../conversation/index.ts'

/** The content of a message. Text alone goes as a string: many chat templates take nothing else. */
export function encodeContent(parts: readonly (TextPart | ImagePart)[]): JsonValue {
  let text = ''
  for (const part of parts) {
    if (part.type === 'image') return parts.map(encodePart)
    text += part.text
  }
  return text
}

function encodePart(part: TextPart | ImagePart): JsonObject {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const image: JsonObject = { url: part.url }
  if (part.detail !== undefined) image.detail = part.detail
  return { type: 'image_url', image_url: image }
}
