import {
  type Conversation,
  type JsonValue,
  OncePerList,
  type Tool,
  type Turn,
  toolsText,
} from '../../conversation/index.ts'
import { builtinModule } from '../../upstreams/index.ts'

/** Gives each conversation its trigger. */
export type TriggerSource = (conversation: Conversation) => Promise<string>

/**
 * Triggers derived from a server secret and the conversation's beginning (system, tools, first turn): unguessable from
 * outside, so no text from there can set off a call, and the same in each turn, so engines keep their prompt caches.
 * `secret` absent: a random one, which lasts as long as the process.
 */
export function createTriggers(secret: string | undefined): TriggerSource {
  // With the first request: a Worker refuses random values while it loads.
  let signer: Signer | undefined
  const sign: Signer = (text) => {
    signer ??= createSigner(
      secret === undefined ? crypto.getRandomValues(new Uint8Array(32)) : new TextEncoder().encode(secret),
    )
    return signer(text)
  }
  /** An agent's tools are the same in all its conversations, and the longest that is signed of them. */
  const signatures = new OncePerList<Promise<string>>()
  const signatureOf = (tools: readonly Tool[]): Promise<string> =>
    signatures.of(tools, async () => sign(toolsText(tools)))
  return async ({ system, tools, turns }) => {
    const first = turns.find((turn) => turn.role === 'user')
    const signature = await sign(JSON.stringify([system, textOf(first), await signatureOf(tools)]))
    // 48 bits: guessing one in a reply is hopeless, and a model copies 12 characters without slips.
    return `<<CALL_${signature.slice(0, 12)}>>`
  }
}

function hexOf(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** HMAC with SHA-256, in hexadecimal digits. */
type Signer = (text: string) => string | Promise<string>

function createSigner(secret: Uint8Array<ArrayBuffer>): Signer {
  // Web Crypto passes every text to another thread: 0.05 ms, for work of 0.004 ms.
  const node = builtinModule('node:crypto')
  if (node) return (text) => node.createHmac('sha256', secret).update(text).digest('hex')
  const key = crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return async (text) => hexOf(await crypto.subtle.sign('HMAC', await key, new TextEncoder().encode(text)))
}

/** Returns the texts of the first turn, which identify it: clients move and re-encode the rest. */
function textOf(turn: Turn | undefined): JsonValue {
  if (turn?.role !== 'user') return null
  return turn.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
}
