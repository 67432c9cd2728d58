import { AnycallError } from '../../conversation/index.ts'

/** The credentials that a kind of API requires. */
export interface CredentialsStyle {
  /** The headers that carry the key; a bearer token by default. */
  keyHeaders?(key: string): Record<string, string>
  /** Headers that the API requires in every request. Configured headers override them. */
  headers?: Readonly<Record<string, string>>
}

/** The key of an upstream and its own headers: requests carry them, and no error may show them. */
export class HttpCredentials {
  readonly #style: CredentialsStyle
  readonly #key: string | undefined
  readonly #headers: Record<string, string>
  /** Those of a request without a key of its client's. */
  readonly #own: Readonly<Record<string, string>>

  /** Throws an AnycallError for a key that no header can carry; `name` is the upstream's. */
  constructor(
    name: string,
    { key, headers = {} }: { key?: string; headers?: Record<string, string> },
    style: CredentialsStyle,
  ) {
    this.#style = style
    this.#key = readKey(name, key)
    this.#headers = Object.fromEntries(Object.entries(headers).map(([header, value]) => [header.toLowerCase(), value]))
    this.#own = this.#headersFor(this.#key)
  }

  /** The headers of a request; a client's own key goes in place of the upstream's. */
  headers(clientKey?: string): Readonly<Record<string, string>> {
    return clientKey === undefined ? this.#own : this.#headersFor(clientKey)
  }

  #headersFor(key: string | undefined): Record<string, string> {
    const { keyHeaders = bearer, headers } = this.#style
    return { ...headers, ...(key !== undefined && keyHeaders(key)), ...this.#headers }
  }

  /** Returns the values that messages must not show. */
  secrets(clientKey?: string): string[] {
    return [this.#key ?? '', clientKey ?? '', ...Object.values(this.#headers)].filter(isSecret)
  }
}

function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` }
}

/** Shorter values are placeholders (`x`, `key`), and replacing them would make messages unreadable. */
function isSecret(value: string): boolean {
  return value.length >= 6
}

function readKey(name: string, key: string | undefined): string | undefined {
  const trimmed = key?.trim()
  if (trimmed === undefined || trimmed === '') return undefined
  // Refused here, without showing it, before HTTP libraries show it in their errors.
  if (!/^[\x21-\x7e]+$/.test(trimmed)) {
    throw new AnycallError(
      'invalid-request',
      `The key of upstream "${name}" has characters that are not allowed in a header (spaces, line breaks or non-ASCII letters). Copy it again.`,
      { param: 'key' },
    )
  }
  return trimmed
}
