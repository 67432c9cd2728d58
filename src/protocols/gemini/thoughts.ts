import { isJsonObject } from '../../conversation/index.ts'
import type { Seals } from '../seals.ts'

/** The reasoning in the signatures of a history, by the signature. */
export type OpenedThoughts = ReadonlyMap<string, string>

/** Opens the signatures of all parts. Those that cannot be opened are not in the result. */
export async function openThoughts(contents: readonly unknown[], seals: Seals): Promise<OpenedThoughts> {
  const opened = new Map<string, string>()
  for (const content of contents) {
    const parts = isJsonObject(content) ? content.parts : undefined
    for (const part of Array.isArray(parts) ? parts : []) {
      if (!isJsonObject(part)) continue
      const signature = part.thoughtSignature ?? part.thought_signature
      if (typeof signature !== 'string' || opened.has(signature)) continue
      const text = await seals.open(signature)
      if (text !== undefined) opened.set(signature, text)
    }
  }
  return opened
}

/** Values that clients put in the place of a signature they do not have; the API documents them. */
const placeholders: ReadonlySet<string> = new Set([
  'skip_thought_signature_validator',
  'context_engineering_is_the_way_to_go',
])

/** True for a signature that holds the reasoning of another model. */
export function isForeign(signature: string): boolean {
  return !placeholders.has(signature)
}
