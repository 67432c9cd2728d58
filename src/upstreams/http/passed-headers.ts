import type { Asker } from './api.ts'

/** No id and no trace context is longer. */
const mostCharacters = 1024

/** Returns the headers of a client that an upstream passes on. A value that no header can carry is left out. */
export function passedHeaders(
  names: readonly string[] | undefined,
  { clientHeader }: Pick<Asker, 'clientHeader'>,
): Record<string, string> {
  const headers: Record<string, string> = {}
  if (!clientHeader || !names) return headers
  for (const name of names) {
    const value = clientHeader(name)
    if (value !== undefined && value.length <= mostCharacters && /^[\x20-\x7e]+$/.test(value)) headers[name] = value
  }
  return headers
}
