import type { Conversation } from '../../../src/conversation/index.ts'

/** A part of a turn, as it is shown. */
export interface Said {
  kind: string
  label: string
  text: string
}

type Turn = Conversation['turns'][number]

/** Returns the parts of a turn. */
export function saidIn(turn: Turn): Said[] {
  if (turn.role === 'system') return [{ kind: 'text', label: '', text: turn.text }]
  return turn.parts.map((part): Said => {
    if (part.type === 'text') return { kind: 'text', label: '', text: part.text }
    if (part.type === 'reasoning') return { kind: 'reasoning', label: '', text: part.text }
    if (part.type === 'image') return { kind: 'image', label: '', text: part.url.slice(0, 300) }
    if (part.type === 'call') return { kind: 'call', label: `${part.name} (${part.id})`, text: part.arguments }
    const text = part.content.map((one) => (one.type === 'text' ? one.text : one.url.slice(0, 300))).join('\n')
    return { kind: part.isError ? 'error' : 'result', label: `${part.name} (${part.callId})`, text }
  })
}
