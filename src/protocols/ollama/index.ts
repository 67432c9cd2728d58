import type { SynchronousProtocol } from '../protocol.ts'
import { decode, type Endpoint, type OllamaOptions } from './decode.ts'
import { encodeReply } from './encode.ts'
import { encodeError } from './error.ts'
import { createEncoder } from './stream.ts'

export { asksForLoadOnly, type Endpoint, type OllamaOptions, readModel, readStream } from './decode.ts'
export { asEmbedRequest, encodeEmbeddings } from './embeddings.ts'
export { encodeSaid } from './encode.ts'
export { encodeError } from './error.ts'
export { encodeLoaded, encodePulled, encodeRunning, encodeShow, encodeTags, encodeVersion } from './models.ts'

/** Response headers of a stream of lines; they tell proxies not to buffer it. */
export const lineHeaders: Readonly<Record<string, string>> = {
  'content-type': 'application/x-ndjson',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

/** Ollama's API: `POST /api/chat` and `POST /api/generate`. */
export function ollama(endpoint: Endpoint): SynchronousProtocol<OllamaOptions> {
  return {
    name: 'ollama',
    ids: { reply: '', call: 'call_' },
    decode: (body) => decode(body, endpoint),
    encodeReply,
    createEncoder,
    streamHeaders: lineHeaders,
    encodeError,
  }
}
