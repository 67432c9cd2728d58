import type { Conversation, ImagePart, TextPart, Turn } from '../../conversation/index.ts'

/** True if a user or a result shows an image. */
export function hasImages({ turns }: Conversation): boolean {
  return turns.some(
    (turn) =>
      turn.role === 'user' && turn.parts.some((part) => (part.type === 'result' ? part.content : [part]).some(isImage)),
  )
}

/** The conversation with a note for each image. */
export function withImageNotes(conversation: Conversation): Conversation {
  if (!hasImages(conversation)) return conversation
  return { ...conversation, turns: conversation.turns.map(noted) }
}

function noted(turn: Turn): Turn {
  if (turn.role !== 'user') return turn
  return {
    ...turn,
    parts: turn.parts.map((part) =>
      part.type === 'result' ? { ...part, content: part.content.map(noteFor) } : noteFor(part),
    ),
  }
}

function noteFor(part: TextPart | ImagePart): TextPart {
  return isImage(part) ? { type: 'text', text: '[image]' } : part
}

function isImage(part: TextPart | ImagePart): part is ImagePart {
  return part.type === 'image'
}
