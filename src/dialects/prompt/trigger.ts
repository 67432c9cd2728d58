import {
  AnycallError,
  argumentError,
  type ConversationInput,
  checkConversation,
  ListMemo,
  RecentMap,
  type ToolDefinition,
  type Turn,
  toolsError,
  toolsForReading,
  toolsText,
} from '../../conversation/index.ts'

/** The parts of a conversation that stay the same in all of its turns. */
export type ConversationBeginning = Pick<ConversationInput, 'system' | 'tools' | 'listedTools' | 'turns'>

/** Returns the trigger of each conversation. */
export type TriggerSource = (conversation: ConversationBeginning) => Promise<string>

/** Returns the HMAC with SHA-256 of a text, as hexadecimal digits. */
export type Signer = (text: string) => string | Promise<string>

/**
 * Returns a source of triggers, signed by `sign`. A trigger depends on the system text, the tools and the first user turn:
 * clients move and re-encode the rest, and an unchanged trigger keeps the prompt caches of engines valid.
 */
export function triggerSource(sign: Signer): TriggerSource {
  // The tools are the longest part of the signed text, and an agent sends the same tools in all its conversations.
  const signatures = new ListMemo<Promise<string>>()
  const signatureOf = (tools: readonly ToolDefinition[]): Promise<string> =>
    signatures.of(tools, async () => sign(toolsText(toolsForReading(tools))))
  return async ({ system = '', tools, listedTools, turns }) => {
    const first = turns.find((turn) => turn.role === 'user')
    const signature = await sign(
      [await signatureOf(listedTools ?? tools ?? []), system, ...textsOf(first)].map(withLength).join(''),
    )
    // 48 bits cannot be guessed in a reply, and a model copies 12 characters without mistakes.
    return `<<CALL_${signature.slice(0, 12)}>>`
  }
}

/** The number of secrets that are remembered with their keys; a program has one or two. */
const mostSecrets = 16
const sources = new RecentMap<string, TriggerSource>(mostSecrets)

/**
 * Returns the trigger of a conversation: a line after which alone calls count, in dialects with `usesTrigger`. It is derived
 * from the secret and the beginning of the conversation, so it is the same in each turn, and no one without the secret can
 * write it into a text that the model reads. Give it to `writePrompt` and to `createReader`.
 *
 * Throws an AnycallError (`invalid-request`) for an empty secret, and for tools that are not tools.
 *
 * @example
 * const trigger = await createTrigger(conversation, { secret: process.env.TRIGGER_SECRET })
 * const messages = writePrompt(conversation, { dialect: 'toolify', trigger })
 * const reader = createReader({ tools, dialect: 'toolify', trigger })
 */
export function createTrigger(conversation: ConversationBeginning, options: { secret: string }): Promise<string> {
  checkConversation(conversation)
  const tools: unknown = conversation.listedTools ?? conversation.tools ?? []
  if (typeof tools !== 'object') throw argumentError('tools', 'a list of tools', tools)
  const { secret }: Partial<typeof options> = { ...options }
  if (typeof secret !== 'string' || secret === '') {
    throw new AnycallError('invalid-request', 'secret: expected a secret text; it is empty.', {
      param: 'secret',
    })
  }
  const source = sources.of(secret, () => triggerSource(webSigner(new TextEncoder().encode(secret))))
  return source(conversation).catch((error: unknown) => {
    throw toolsError(tools, error)
  })
}

/** Returns a signer by Web Crypto, which every runtime has. */
export function webSigner(secret: Uint8Array<ArrayBuffer>): Signer {
  let key: Promise<CryptoKey> | undefined
  return async (text) => {
    key ??= crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
    return hexOf(await crypto.subtle.sign('HMAC', await key, new TextEncoder().encode(text)))
  }
}

function hexOf(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Returns the texts of the first turn, which identify it. */
function textsOf(turn: Turn | undefined): string[] {
  if (turn?.role !== 'user') return []
  return turn.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
}

/** Returns a text that shows where it ends. JSON would do it too, and takes three times as long as signing. */
function withLength(text: string): string {
  return `${text.length}:${text}`
}
