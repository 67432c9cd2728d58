import type { JSONObject, LanguageModelV3StreamPart, SharedV3ProviderMetadata } from '@ai-sdk/provider'
import { isJsonObject, type JsonObject, type JsonValue, type Notice } from '../../conversation/index.ts'

export type FinishPart = Extract<LanguageModelV3StreamPart, { type: 'finish' }>

/** A finish part with anycall's findings among the metadata; nothing is added if there are none. */
export function withMetadata(part: FinishPart, findings: JSONObject): FinishPart {
  if (Object.keys(findings).length === 0) return part
  const anycall = { ...part.providerMetadata?.anycall, ...findings }
  return { ...part, providerMetadata: { ...part.providerMetadata, anycall } }
}

/** A finish part with one more notice. */
export function withNotice(part: FinishPart, notice: Notice): FinishPart {
  const known = part.providerMetadata?.anycall?.notices
  return withMetadata(part, { notices: [...(Array.isArray(known) ? known : []), noticeObject(notice)] })
}

/** The metadata of a text that a model wrote instead of the requested JSON value. */
export const refusalMark: SharedV3ProviderMetadata = { anycall: { refusal: true } }

export function isRefusalMark(metadata: SharedV3ProviderMetadata | undefined): boolean {
  return metadata?.anycall?.refusal === true
}

/** A notice as plain JSON. */
export function noticeObject({ code, message, span }: Notice): JSONObject {
  return { code, message, ...(span && { span: [...span] }) }
}

/** The findings of the middleware in a reply, as `providerMetadata.anycall` has them. */
export interface ToolCallMetadata {
  /** The notices: everything that was repaired, refused or degraded. */
  notices: Pick<Notice, 'code' | 'message' | 'span'>[]
  /** Calls that broke off, with as much of their arguments as came. */
  incomplete: { id: string; name: string; json: string }[]
}

/**
 * Returns the findings of the middleware in a reply, read from the `providerMetadata` of a result or a step; undefined
 * if there are none.
 *
 * @example
 * const { providerMetadata } = await generateText({ model, tools, prompt })
 * for (const { code, message } of toolCallMetadata(providerMetadata)?.notices ?? []) console.warn(code, message)
 */
export function toolCallMetadata(providerMetadata: unknown): ToolCallMetadata | undefined {
  const anycall = isJsonObject(providerMetadata) ? providerMetadata.anycall : undefined
  if (!isJsonObject(anycall)) return undefined
  return {
    notices: objectsOf(anycall.notices).flatMap(({ code, message, span }) => {
      if (typeof code !== 'string' || typeof message !== 'string') return []
      const [start, end] = Array.isArray(span) ? span : []
      const place: [number, number] | undefined =
        typeof start === 'number' && typeof end === 'number' ? [start, end] : undefined
      return [{ code, message, ...(place && { span: place }) }]
    }),
    incomplete: objectsOf(anycall.incomplete).flatMap(({ id, name, json }) =>
      typeof id === 'string' && typeof name === 'string' && typeof json === 'string' ? [{ id, name, json }] : [],
    ),
  }
}

function objectsOf(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
