import type { JsonObject, OpenAISettings } from '../conversation/index.ts'
import type { MessagesRequest, ToolsRequest } from './upstream.ts'

/** Returns the settings that a request has for OpenAI's APIs. Messages of plan `prompted` have the key of their cache alone. */
export function openaiSettingsOf(request: MessagesRequest | ToolsRequest): OpenAISettings {
  if (request.type === 'tools') return request.conversation.openai ?? {}
  const { promptCacheKey } = request
  return promptCacheKey === undefined ? {} : { promptCacheKey }
}

/** Encodes the settings that both APIs have under one name. */
export function encodeSettings({ promptCacheKey, serviceTier, safetyIdentifier }: OpenAISettings): JsonObject {
  return {
    ...(promptCacheKey !== undefined && { prompt_cache_key: promptCacheKey }),
    ...(serviceTier !== undefined && { service_tier: serviceTier }),
    ...(safetyIdentifier !== undefined && { safety_identifier: safetyIdentifier }),
  }
}
