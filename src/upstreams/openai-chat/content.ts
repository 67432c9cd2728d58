import type { ImagePart, TextPart } from '../../conversation/index.ts'
import type { ChatMessage } from '../upstream.ts'

/** The content of a message: a text, or texts and images. */
export type ChatContent = string | ChatContentPart[]

type ChatContentPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string; detail?: ImageDetail } }

type ImageDetail = 'auto' | 'low' | 'high'

/**
 * Encodes the content of a message. Text alone becomes a string, since many chat templates accept only strings. Each
 * part of a user's text begins a line, so that parts do not run into each other; the model's own text is joined as it
 * is.
 */
export function encodeContent(
  parts: readonly (TextPart | ImagePart)[],
  role: ChatMessage['role'] = 'user',
): ChatContent {
  const texts: string[] = []
  for (const part of parts) {
    if (part.type === 'image') return parts.map(encodePart)
    texts.push(part.text)
  }
  return texts.join(role === 'assistant' ? '' : '\n')
}

function encodePart(part: TextPart | ImagePart): ChatContentPart {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const { url, detail } = part
  return { type: 'image_url', image_url: { url, ...(isDetail(detail) && { detail }) } }
}

/** Other words are of other APIs, and refused by this one. */
function isDetail(detail: string | undefined): detail is ImageDetail {
  return detail === 'auto' || detail === 'low' || detail === 'high'
}
