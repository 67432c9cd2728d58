import { isJsonObject, type JsonObject } from '../../conversation/index.ts'

/** Returns the opaque form of a reasoning item: the item and its upstream; undefined for one that is not encrypted. */
export function opaqueReasoning(upstream: string, item: JsonObject): string | undefined {
  const { id, summary, content, encrypted_content: encrypted } = item
  if (typeof encrypted !== 'string' || encrypted === '') return undefined
  const kept = {
    ...(id !== undefined && { id }),
    type: 'reasoning',
    summary: summary ?? [],
    ...(content && { content }),
  }
  return JSON.stringify({ upstream, item: { ...kept, encrypted_content: encrypted } })
}

/** Returns the item of an opaque form; undefined for one of another upstream, which cannot decrypt it. */
export function itemOfReasoning(upstream: string, opaque: string): JsonObject | undefined {
  const value: unknown = JSON.parse(opaque)
  return isJsonObject(value) && value.upstream === upstream && isJsonObject(value.item) ? value.item : undefined
}
