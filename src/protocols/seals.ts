/** Seals texts that a client keeps and sends back. */
export interface Seals {
  /** Returns the text, encrypted. */
  seal(text: string): Promise<string>
  /** Returns the text of an envelope; undefined if it was not sealed with this secret, or changed since. */
  open(envelope: string): Promise<string | undefined>
}

/** Begins every envelope, and names its form. Eight letters of base64: some clients decode an envelope and encode it again. */
const head = 'anycall1'

const ivLength = 12

/** True for a text that seals of any secret made. */
export function isEnvelope(text: unknown): text is string {
  return typeof text === 'string' && text.startsWith(head)
}

/**
 * Returns seals of a secret: AES-GCM with a key derived from it. Gateways with the same secret open each other's envelopes.
 * `secret` undefined: a random one, which lasts as long as the process.
 */
export function createSeals(secret: string | undefined): Seals {
  // Made with the first use: a Worker refuses random values while it loads.
  let key: Promise<CryptoKey> | undefined
  const keyOf = (): Promise<CryptoKey> => {
    key ??= deriveKey(
      secret === undefined ? crypto.getRandomValues(new Uint8Array(32)) : new TextEncoder().encode(secret),
    )
    return key
  }
  return {
    async seal(text) {
      const iv = crypto.getRandomValues(new Uint8Array(ivLength))
      const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await keyOf(), new TextEncoder().encode(text))
      const bytes = new Uint8Array(ivLength + sealed.byteLength)
      bytes.set(iv)
      bytes.set(new Uint8Array(sealed), ivLength)
      return head + toBase64(bytes)
    },
    async open(envelope) {
      const bytes = envelope.startsWith(head) ? fromBase64(envelope.slice(head.length)) : undefined
      if (bytes === undefined || bytes.length <= ivLength) return undefined
      const iv = bytes.subarray(0, ivLength)
      try {
        const text = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, await keyOf(), bytes.subarray(ivLength))
        return new TextDecoder('utf-8', { fatal: true }).decode(text)
      } catch {
        // It has another secret or was changed: the caller reports that it leaves it out.
        return undefined
      }
    },
  }
}

/** The use of the key, so that no other use of the same secret gets the same key. */
const purpose = 'anycall reasoning'

async function deriveKey(secret: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey'])
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: new TextEncoder().encode(purpose) }
  return crypto.subtle.deriveKey(derivation, base, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}

/** The number of characters that are made at once: functions take a limited number of arguments. */
const pieceLength = 0x8000

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += pieceLength) {
    text += String.fromCharCode(...bytes.subarray(at, at + pieceLength))
  }
  return btoa(text)
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
