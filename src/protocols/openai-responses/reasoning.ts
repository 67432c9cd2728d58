import { isJsonObject, type JsonObject } from '../../conversation/index.ts'
import type { Seals } from '../seals.ts'

/** The texts of sealed reasoning by their envelopes. */
export type OpenedReasoning = ReadonlyMap<string, string>

/** Opens the envelopes of all reasoning items. Those that cannot be opened are not in the result. */
export async function openReasoning(items: readonly unknown[], seals: Seals): Promise<OpenedReasoning> {
  const opened = new Map<string, string>()
  for (const item of items) {
    if (!isJsonObject(item) || item.type !== 'reasoning' || typeof item.encrypted_content !== 'string') continue
    const text = await seals.open(item.encrypted_content)
    if (text !== undefined) opened.set(item.encrypted_content, text)
  }
  return opened
}

/** Returns the text of a reasoning item: sealed, in full, or its summary. */
export function reasoningOf(item: JsonObject, opened: OpenedReasoning): string {
  const sealed = typeof item.encrypted_content === 'string' ? opened.get(item.encrypted_content) : undefined
  return sealed || textsOf(item.content, '') || textsOf(item.summary, '\n\n')
}

function textsOf(value: unknown, between: string): string {
  if (!Array.isArray(value)) return ''
  return value
    .map((part) => (isJsonObject(part) && typeof part.text === 'string' ? part.text : ''))
    .filter((text) => text !== '')
    .join(between)
}
