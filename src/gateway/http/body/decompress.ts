import { AnycallError } from '../../../conversation/index.ts'

/** The content codings that are read. Brotli and Zstandard are not among them: Web standards unpack neither. */
export const contentCodings: readonly string[] = ['gzip', 'deflate']

const formats: ReadonlyMap<string, CompressionFormat> = new Map([
  ['gzip', 'gzip'],
  // Its older name, with the same meaning (RFC 9110, 8.4.1.3).
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
])

/**
 * Returns the compression of a body with this `content-encoding`. Undefined if it is not compressed. Throws an
 * AnycallError `unsupported-encoding`.
 */
export function compressionOf(contentEncoding: string | undefined): CompressionFormat | undefined {
  if (contentEncoding === undefined) return undefined
  const coding = contentEncoding.trim().toLowerCase()
  if (coding === '' || coding === 'identity') return undefined
  const format = formats.get(coding)
  if (format) return format
  throw new AnycallError(
    'unsupported-encoding',
    `The request's body has the content-encoding ${JSON.stringify(coding.slice(0, 60))}, which is not supported. Send it uncompressed, or as ${contentCodings.join(' or ')}.`,
  )
}

/**
 * Yields the decompressed bytes in pieces, when fewer than `mostAtOnce` others are decompressed. Only as much is decompressed
 * as is read, so that a small body cannot expand without limit. Throws an AnycallError `invalid-request` if the bytes are not in the format.
 */
export async function* decompress(bytes: readonly Uint8Array[], format: CompressionFormat): AsyncGenerator<Uint8Array> {
  await slots.take()
  const reader = new Blob(bytes.map((chunk) => new Uint8Array(chunk)))
    .stream()
    .pipeThrough(new DecompressionStream(format))
    .getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw new AnycallError(
          'invalid-request',
          `The request's body is not valid ${format}, as its content-encoding says it is. Compress all of it once, or send it without content-encoding.`,
          { cause },
        )
      })
      if (done) return
      yield value
    }
  } finally {
    // A reader that has failed rejects again.
    await reader.cancel().catch(() => {})
    slots.release()
  }
}

/**
 * Node decompresses in threads, which compete with the one that serves requests: of 40 bombs at once, another request waited
 * 290 ms with all of them in work and 70 ms with two, in 960 and 390 MB.
 */
const mostAtOnce = 2

/** Admits a number of users at a time; the others wait in their order. */
class Slots {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(most: number) {
    this.#free = most
  }

  async take(): Promise<void> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  release(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free++
  }
}

// Cloudflare's runtime ends a cancelled request without its `finally`: a slot would be lost.
const isCloudflare = globalThis.navigator?.userAgent === 'Cloudflare-Workers'
const slots = new Slots(isCloudflare ? Number.POSITIVE_INFINITY : mostAtOnce)
