import type { Conversation, JsonValue, Turn } from '../conversation/index.ts'

/** Gives each conversation its trigger. */
export type TriggerSource = (conversation: Conversation) => Promise<string>

/**
 * Triggers derived from a server secret and the conversation's beginning (system, tools, first turn): unguessable from
 * outside, so no text from there can set off a call, and the same in each turn, so engines keep their prompt caches.
 * `secret` absent: a random one, which lasts as long as the process.
 */
export function createTriggers(secret: string | undefined): TriggerSource {
  const bytes = secret === undefined ? crypto.getRandomValues(new Uint8Array(32)) : new TextEncoder().encode(secret)
  const key = crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return async (conversation) => {
    const { system, tools, turns } = conversation
    const first = turns.find((turn) => turn.role === 'user')
    const beginning = JSON.stringify([
      system,
      tools.map(({ name, description, schema }) => [name, description, schema]),
      textOf(first),
    ])
    const signature = await crypto.subtle.sign('HMAC', await key, new TextEncoder().encode(beginning))
    // 48 bits: guessing one in a reply is hopeless, and a model copies 12 characters without slips.
    const hex = Array.from(new Uint8Array(signature, 0, 6), (byte) => byte.toString(16).padStart(2, '0')).join('')
    return `<<CALL_${hex}>>`
  }
}

/** What identifies the first turn: its texts. Clients move and re-encode the rest. */
function textOf(turn: Turn | undefined): JsonValue {
  if (turn?.role !== 'user') return null
  return turn.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
}
