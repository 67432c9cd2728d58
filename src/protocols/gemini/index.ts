import type { Protocol } from '../protocol.ts'
import { sseHeaders } from '../sse.ts'
import { decode, type GeminiOptions, type GeminiTarget } from './decode.ts'
import { encodeReply } from './encode.ts'
import { encodeError } from './error.ts'
import { createEncoder } from './stream.ts'

export { decodeCountTokens, type GeminiOptions, type GeminiTarget } from './decode.ts'
export { encodeError } from './error.ts'
export { encodeModel, encodeModelList, encodeTokenCount } from './models.ts'

export const callIdPrefix = 'call_'

/**
 * Google's Gemini API: `POST /v1beta/models/{model}:generateContent` and `:streamGenerateContent`. `target` has the
 * parameters in the path of a request.
 */
export function gemini(target: GeminiTarget): Protocol<GeminiOptions> {
  return {
    name: 'gemini',
    ids: { reply: '', call: callIdPrefix },
    decode: (body) => decode(body, target),
    encodeReply,
    createEncoder,
    streamHeaders: target.stream === 'array' ? { ...sseHeaders, 'content-type': 'application/json' } : sseHeaders,
    encodeError,
  }
}
