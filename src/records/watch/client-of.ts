import type { ClientRequest } from '../record/exchange.ts'
import type { ExchangeStart } from './hooks.ts'

/** Headers that are kept: they say who asks, and in which form. None of them can be a key. */
const keptHeaders = ['user-agent', 'content-type', 'accept', 'anthropic-version', 'anthropic-beta', 'x-stainless-lang']
const longestHeader = 500
const longestPath = 500

/** Returns the part of a client's request that is known before its body is read, as a record has it. */
export function clientOf({ method, path, keyName, header }: ExchangeStart): Omit<ClientRequest, 'body'> {
  const headers: Record<string, string> = {}
  for (const name of keptHeaders) {
    const value = header(name)
    if (value !== undefined) headers[name] = value.slice(0, longestHeader)
  }
  return { method, path: path.slice(0, longestPath), ...(keyName !== undefined && { keyName }), headers }
}
