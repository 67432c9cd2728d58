import { AnycallError, isJsonObject, type JsonObject } from '../../conversation/index.ts'
import { asEmbedRequest, encodeEmbeddings } from '../../protocols/ollama/index.ts'
import { type Forwarded, type ForwardedEndpoint, maxAnswerBytes, parseAnswer, readText } from '../../upstreams/index.ts'
import type { GatewayResponse } from '../http/http.ts'
import { json } from '../http/json-answer.ts'
import { Abandonment, ReplyChunks } from '../http/reply-chunks.ts'
import { estimateTextTokens } from '../plans/tokens.ts'
import { type Candidate, firstOf } from '../serve/fail-over.ts'
import type { Route, RouteContext } from './context.ts'
import { api, v1 } from './paths.ts'
import { generationContext, readBody } from './reply.ts'

/** Passes a request on to the first upstream of its model that has the endpoint. */
async function forward(endpoint: ForwardedEndpoint, context: RouteContext): Promise<GatewayResponse> {
  const body = readObject(await readBody(context))
  const { candidates } = route(body, context)
  return asResponse(await sendTo(having(endpoint, candidates, context), endpoint, body, context), context)
}

/** Answers a request for embeddings in Ollama's form: from its own API, or else from OpenAI's. */
async function embed(endpoint: 'ollama-embed' | 'ollama-embeddings', context: RouteContext): Promise<GatewayResponse> {
  const body = readObject(await readBody(context))
  const { candidates } = route(body, context)
  if (candidates.some((candidate) => has(candidate, endpoint))) {
    return asResponse(await sendTo(having(endpoint, candidates, context), endpoint, body, context), context)
  }
  const asked = asEmbedRequest(body)
  const able = having('embeddings', candidates, context)
  const answer = await sendTo(able, 'embeddings', asked, context)
  const encoded = encodeEmbeddings(
    parseAnswer(await readText(answer, maxAnswerBytes)),
    asked,
    endpoint === 'ollama-embed',
  )
  if (encoded) return json(encoded)
  throw new AnycallError(
    'upstream',
    'The upstream answered a request for embeddings with something else. Check its url.',
  )
}

function readObject(value: unknown): JsonObject {
  if (isJsonObject(value)) return value
  throw new AnycallError('invalid-request', 'body: expected an object', { param: 'body' })
}

function route(body: JsonObject, { models, requestLog }: RouteContext): { candidates: Candidate[] } {
  const { model } = body
  if (typeof model !== 'string' || model === '') {
    throw new AnycallError('invalid-request', 'model: expected the name of a model', { param: 'model' })
  }
  requestLog.fields.model = model.slice(0, 200)
  const estimateInput = (): number => estimateTextTokens(JSON.stringify(body))
  if (requestLog.meter) requestLog.meter.estimateInput = estimateInput
  return models.route(model)
}

function has({ upstream }: Candidate, endpoint: ForwardedEndpoint): boolean {
  return upstream.forwarding?.endpoints.has(endpoint) === true
}

/** Returns the candidates that have an endpoint. Throws `not-found` if none has. */
function having(endpoint: ForwardedEndpoint, candidates: readonly Candidate[], { request }: RouteContext): Candidate[] {
  const able = candidates.filter((candidate) => has(candidate, endpoint))
  if (able.length > 0) return able
  const names = candidates.map(({ upstream }) => `"${upstream.name}" (${upstream.type})`).join(', ')
  throw new AnycallError(
    'not-found',
    `${request.path.slice(0, 200)} is passed on to upstreams that support it; none of this model's upstreams (${names}) does. Name a model of an upstream of type openai-chat, ollama, llama-server, vllm or sglang.`,
  )
}

async function sendTo(
  candidates: readonly Candidate[],
  endpoint: ForwardedEndpoint,
  body: JsonObject,
  context: RouteContext,
): Promise<Forwarded> {
  const { requestLog, knowledge } = context
  const attempt = async ({ upstream, model }: Candidate, own: ReturnType<typeof generationContext>) => {
    requestLog.fields.upstream = upstream.name
    if (!upstream.forwarding) throw new Error(`upstream "${upstream.name}" passes nothing on`)
    return upstream.forwarding.send(endpoint, { ...body, model }, own)
  }
  const { result, ended } = await firstOf(candidates, attempt, generationContext(context), knowledge.health)
  requestLog.begin()
  ended()
  return result
}

/** Answers with the bytes as they come. */
function asResponse({ contentType, body }: Forwarded, { requestLog, signal }: RouteContext): GatewayResponse {
  const abandonment = new Abandonment(() => requestLog.abandon())
  async function* written(): AsyncGenerator<string, void, undefined> {
    const decoder = new TextDecoder()
    try {
      for await (const bytes of body) {
        const text = decoder.decode(bytes, { stream: true })
        if (text !== '') yield text
      }
    } finally {
      requestLog.end(200)
      abandonment.over()
    }
  }
  const chunks = new ReplyChunks(written(), abandonment)
  // The form of the answer is the upstream's, and so nothing can be put into it.
  return {
    status: 200,
    headers: { 'content-type': contentType },
    body: { chunks, ping: () => '', pingMs: 60_000, signal },
  }
}

/** The routes whose requests are passed on. */
export const forwardRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: RegExp(`^${v1}/embeddings$`),
    isCounted: true,
    handle: (context) => forward('embeddings', context),
  },
  {
    method: 'POST',
    path: RegExp(`^${v1}/completions$`),
    isCounted: true,
    handle: (context) => forward('completions', context),
  },
  {
    method: 'POST',
    path: RegExp(`^${api}/embed$`),
    isCounted: true,
    handle: (context) => embed('ollama-embed', context),
  },
  {
    method: 'POST',
    path: RegExp(`^${api}/embeddings$`),
    isCounted: true,
    handle: (context) => embed('ollama-embeddings', context),
  },
]
