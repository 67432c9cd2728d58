import {
  callIdPrefix,
  decodeCountTokens,
  encodeTokenCount,
  type GeminiTarget,
  gemini,
} from '../../protocols/gemini/index.ts'
import { type GatewayResponse, queryParameter } from '../http/http.ts'
import { json } from '../http/json-answer.ts'
import type { Route, RouteContext } from './context.ts'
import { listModels, showModel } from './models.ts'
import { decodePath, google, oneModel } from './paths.ts'
import { countTokens, readBody, reply } from './reply.ts'

async function generate(context: RouteContext): Promise<GatewayResponse> {
  return reply(gemini(targetOf(context)), await readBody(context), context)
}

/** A stream of events is asked for in the query; else the reply is an array, written as it comes. */
async function stream(context: RouteContext): Promise<GatewayResponse> {
  const form = queryParameter(context.request, 'alt') === 'sse' ? 'events' : 'array'
  return reply(gemini({ ...targetOf(context), stream: form }), await readBody(context), context)
}

async function count(context: RouteContext): Promise<GatewayResponse> {
  const { conversation } = await decodeCountTokens(await readBody(context), targetOf(context))
  return json(encodeTokenCount(await countTokens(conversation, callIdPrefix, context)))
}

function targetOf({ request: { path }, seals }: RouteContext): GeminiTarget {
  const start = path.indexOf('/models/') + '/models/'.length
  return { model: decodePath(path.slice(start, path.lastIndexOf(':'))), seals }
}

/**
 * The routes of the Gemini API. Its newer libraries use paths below /v1, where models are listed for other APIs as
 * well.
 */
export const geminiRoutes: readonly Route[] = [
  { method: 'POST', path: RegExp(`^${google}/models/.+:generateContent$`), isExchange: true, handle: generate },
  { method: 'POST', path: RegExp(`^${google}/models/.+:streamGenerateContent$`), isExchange: true, handle: stream },
  { method: 'POST', path: RegExp(`^${google}/models/.+:countTokens$`), handle: count },
  { method: 'GET', path: /^\/v1(?:beta\d?|alpha)\/models$/, handle: listModels },
  { method: 'GET', path: RegExp(`^/v1(?:beta\\d?|alpha)${oneModel}`), handle: showModel },
]
