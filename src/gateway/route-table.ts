import { AnycallError } from '../conversation/index.ts'
import { anthropicMessages, decodeCountTokens, encodeTokenCount } from '../protocols/anthropic/index.ts'
import { type SynchronousProtocol, withSealedReasoning } from '../protocols/index.ts'
import { openaiChat } from '../protocols/openai-chat/index.ts'
import type { GatewayRequest, GatewayResponse } from './http/http.ts'
import { json } from './http/json-answer.ts'
import { pageRoutes } from './inspector/page.ts'
import { inspectorRoutes } from './inspector/routes.ts'
import type { Route, RouteContext } from './routes/context.ts'
import { conversationRoutes } from './routes/conversations.ts'
import { forwardRoutes } from './routes/forward.ts'
import { geminiRoutes } from './routes/gemini.ts'
import { listModels, showModel } from './routes/models.ts'
import { greeting, ollamaRoutes } from './routes/ollama.ts'
import { operationRoutes } from './routes/operation.ts'
import { oneModel, v1 } from './routes/paths.ts'
import { countTokens, readBody, reply } from './routes/reply.ts'
import { responsesRoutes } from './routes/responses.ts'
import { refuseUnserved } from './routes/unserved.ts'

const routes: readonly Route[] = [
  { method: 'GET', path: /^\/$/, isOpen: true, handle: async (context) => greeting(context) },
  ...operationRoutes,
  // Claude Code asks for it when it starts, to have a connection open.
  { method: 'GET', path: /^\/api\/hello$/, isOpen: true, handle: async () => json({ status: 'ok' }) },
  {
    method: 'POST',
    path: RegExp(`^${v1}/messages$`),
    isExchange: true,
    handle: (context) => answerSealed(anthropicMessages, context),
  },
  { method: 'POST', path: RegExp(`^${v1}/messages/count_tokens$`), handle: countMessages },
  {
    method: 'POST',
    path: RegExp(`^${v1}/chat/completions$`),
    isExchange: true,
    handle: (context) => answerSealed(openaiChat, context),
  },
  ...responsesRoutes,
  ...conversationRoutes,
  ...geminiRoutes,
  ...ollamaRoutes,
  ...forwardRoutes,
  ...inspectorRoutes,
  ...pageRoutes,
  { method: 'GET', path: RegExp(`^${v1}/models$`), handle: listModels },
  { method: 'GET', path: RegExp(`^${v1}${oneModel}`), handle: showModel },
]

const askedByBrowsers =
  ' Browsers ask so whether a web page may use the gateway: list the origins of those that may in "cors" of its configuration.'

/** Answers in a protocol whose clients keep the reasoning of upstreams, sealed. */
async function answerSealed<Options>(
  protocol: SynchronousProtocol<Options>,
  context: RouteContext,
): Promise<GatewayResponse> {
  return await reply(withSealedReasoning(protocol, context.seals), await readBody(context), context)
}

async function countMessages(context: RouteContext): Promise<GatewayResponse> {
  const { conversation } = decodeCountTokens(await readBody(context))
  return json(encodeTokenCount(await countTokens(conversation, anthropicMessages.ids.call, context)))
}

/** The route of a request. Throws `not-found` or `method-not-allowed`. */
export function findRoute(request: GatewayRequest): Route {
  const { method, path } = request
  const wanted = method === 'HEAD' ? 'GET' : method
  const route = routes.find(
    (candidate) => candidate.method === wanted && candidate.path.test(path) && (candidate.matches?.(request) ?? true),
  )
  if (route) return route
  refuseUnserved(path)
  const allowed = methodsAt(path)
  if (allowed.length > 0) {
    const advice = method === 'OPTIONS' ? askedByBrowsers : ''
    throw new AnycallError(
      'method-not-allowed',
      `${path.slice(0, 200)} takes ${allowed.join(', ')}, not ${method}.${advice}`,
    )
  }
  throw new AnycallError(
    'not-found',
    `There is nothing at ${path.slice(0, 200)}. The APIs are at /v1/messages, /v1/chat/completions, /v1/responses, /v1beta/models and /api/chat; a base URL for OpenAI's clients ends with /v1, the others do not.`,
  )
}

/** Returns the methods that a path has. */
export function methodsAt(path: string): string[] {
  const methods = routes.filter((route) => !route.matches && route.path.test(path)).map(({ method }) => method)
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
}
