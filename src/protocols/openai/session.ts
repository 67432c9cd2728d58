import type { JsonObject } from '../../conversation/index.ts'

/** Reads `prompt_cache_key`, by which a client names the prompts that share their beginning. */
export function sessionIn({ prompt_cache_key: key }: JsonObject): { session?: string } {
  return typeof key === 'string' && key !== '' ? { session: key } : {}
}
