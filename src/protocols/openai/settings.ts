import type { JsonObject, OpenAISettings } from '../../conversation/index.ts'
import { defined } from '../fields.ts'

/** Reads the settings for upstreams with OpenAI's APIs; undefined if there are none. `verbosity` is checked elsewhere. */
export function readSettings(body: JsonObject, verbosity: unknown): OpenAISettings | undefined {
  const settings = defined<OpenAISettings>({
    verbosity: textOf(verbosity),
    promptCacheKey: textOf(body.prompt_cache_key),
    serviceTier: textOf(body.service_tier),
    safetyIdentifier: textOf(body.safety_identifier),
  })
  return Object.keys(settings).length === 0 ? undefined : settings
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
