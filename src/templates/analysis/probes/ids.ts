import type { AssistantPart, Turn } from '../../../conversation/index.ts'

/** Makes the ids for a template that writes the id of a call in place of its name: `functions.get_weather:0`. */
export type IdPattern = (name: string, index: number) => string

/** Templates that write the id of a call in place of its name expect ids of this kind: Kimi K2. */
export const idPatterns: Readonly<Record<string, IdPattern>> = {
  'functions.NAME:INDEX': (name, index) => `functions.${name}:${index}`,
}

/** Calls with the ids that a template needs in order to name their tools. */
export function withIds(parts: readonly AssistantPart[], idOf: IdPattern | undefined): AssistantPart[] {
  let count = 0
  return parts.map((part) => (part.type === 'call' && idOf ? { ...part, id: idOf(part.name, count++) } : part))
}

const ownId = /^functions\.[^:]+:\d+$/

/** The turns of a conversation with such ids, which count the calls of all of it, as Kimi K2 has them. */
export function turnsWithIds(turns: readonly Turn[], idOf: IdPattern): Turn[] {
  const ids = new Map<string, string>()
  let count = 0
  return turns.map((turn): Turn => {
    if (turn.role === 'assistant') {
      const parts = turn.parts.map((part): AssistantPart => {
        if (part.type !== 'call') return part
        const id = ownId.test(part.id) ? part.id : idOf(part.name, count)
        count++
        ids.set(part.id, id)
        return { ...part, id }
      })
      return { ...turn, parts }
    }
    if (turn.role === 'system') return turn
    const parts = turn.parts.map((part) =>
      part.type === 'result' ? { ...part, callId: ids.get(part.callId) ?? part.callId } : part,
    )
    return { ...turn, parts }
  })
}
