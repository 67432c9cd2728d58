import type { GatewayResponse } from './http.ts'

/** Returns a value as the body of an answer. */
export function json(value: unknown): GatewayResponse {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) }
}
