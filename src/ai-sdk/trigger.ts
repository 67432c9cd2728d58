import type { LanguageModelV3Prompt } from '@ai-sdk/provider'
import type { Tool } from '../conversation/index.ts'

/** Makes the trigger of the conversation that begins so. */
export type TriggerSource = (prompt: LanguageModelV3Prompt, tools: readonly Tool[]) => Promise<string>

/** Without a secret the trigger is a plain fingerprint: the same in every process, as functions in the cloud need it. */
const noSecret = 'anycall'

/**
 * Triggers derived from the conversation's beginning (system, tools, first user message): the same in each of its turns,
 * so engines keep their prompt caches. With a secret no one outside can work them out.
 */
export function createTriggers(secret: string = noSecret): TriggerSource {
  const encoder = new TextEncoder()
  let key: Promise<CryptoKey> | undefined
  return async (prompt, tools) => {
    key ??= crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
    const beginning = encoder.encode(JSON.stringify([beginningOf(prompt), tools]))
    const signature = new Uint8Array(await crypto.subtle.sign('HMAC', await key, beginning))
    // 48 bits: guessing one in a reply is hopeless, and a model copies 12 characters without slips.
    const hex = Array.from(signature.subarray(0, 6), (byte) => byte.toString(16).padStart(2, '0')).join('')
    return `<<CALL_${hex}>>`
  }
}

/** The texts that stay the same throughout a conversation. */
function beginningOf(prompt: LanguageModelV3Prompt): string[] {
  const texts: string[] = []
  for (const message of prompt) {
    if (message.role === 'system') {
      texts.push(message.content)
      continue
    }
    if (message.role === 'user') {
      for (const part of message.content) if (part.type === 'text') texts.push(part.text)
    }
    break
  }
  return texts
}
