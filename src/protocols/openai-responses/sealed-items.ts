import { isJsonObject, type JsonObject, type ReasoningPart } from '../../conversation/index.ts'
import { readEnvelope } from '../sealed-reasoning.ts'
import type { Seals } from '../seals.ts'
import { isCompaction } from './compaction.ts'

/** The sealed texts of items by their envelopes. */
export type OpenedTexts = ReadonlyMap<string, string>

/** Opens the envelopes of all reasoning items and compactions. Those that cannot be opened are not in the result. */
export async function openItems(items: readonly unknown[], seals: Seals): Promise<OpenedTexts> {
  const opened = new Map<string, string>()
  for (const item of items) {
    if (!isJsonObject(item) || !(item.type === 'reasoning' || isCompaction(item))) continue
    if (typeof item.encrypted_content !== 'string') continue
    const text = await seals.open(item.encrypted_content)
    if (text !== undefined) opened.set(item.encrypted_content, text)
  }
  return opened
}

/** Returns the reasoning of an item: sealed, in full, or its summary. None if it has no words and cannot be opened. */
export function reasoningOf(item: JsonObject, opened: OpenedTexts): ReasoningPart[] {
  const sealed = typeof item.encrypted_content === 'string' ? opened.get(item.encrypted_content) : undefined
  if (sealed) return readEnvelope(sealed)
  const text = textsOf(item.content, '') || textsOf(item.summary, '\n\n')
  return text === '' ? [] : [{ type: 'reasoning', text }]
}

function textsOf(value: unknown, between: string): string {
  if (!Array.isArray(value)) return ''
  return value
    .map((part) => (isJsonObject(part) && typeof part.text === 'string' ? part.text : ''))
    .filter((text) => text !== '')
    .join(between)
}
