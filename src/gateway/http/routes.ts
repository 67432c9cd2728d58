import { AnycallError, type Conversation } from '../../conversation/index.ts'
import { type Dialect, dialects, getDialect, type TriggerSource } from '../../dialects/index.ts'
import { pause } from '../../json/index.ts'
import { anthropicMessages, decodeCountTokens, encodeTokenCount } from '../../protocols/anthropic/index.ts'
import type { Protocol } from '../../protocols/index.ts'
import { openaiChat } from '../../protocols/openai-chat/index.ts'
import { encodeInputTokens, openaiResponses, type Seals } from '../../protocols/openai-responses/index.ts'
import type { ChatTemplate } from '../../templates/index.ts'
import { Attempts, type GenerationContext, type Log } from '../../upstreams/index.ts'
import type { GatewayConfig, ModelRule } from '../config/config.ts'
import { withPromptTemplate } from '../config/prompt-template.ts'
import { withCachedDescriptions } from '../plans/descriptions.ts'
import { estimateConversation } from '../plans/tokens.ts'

import type { ModelTable } from '../serve/models.ts'
import { countTokens as count, type Knowledge, type Serving, serve } from '../serve/serve.ts'
import { clientName } from './access.ts'
import { answer } from './answer.ts'
import { type BodyBounds, readJsonBody } from './body.ts'
import { checkStops } from './check-stops.ts'
import { checkTools } from './check-tools.ts'
import type { BodyHold } from './held-bytes.ts'
import type { GatewayRequest, GatewayResponse } from './http.ts'
import { json } from './json-answer.ts'
import type { KeptResponses } from './kept-responses.ts'
import type { KnownTools } from './known-tools.ts'
import { listModels, showModel } from './models.ts'
import type { RequestLog } from './request-log.ts'
import { isWebSocket, keptResponse, refuseWebSocket, responsesServices } from './responses.ts'

/** Everything that a route needs to handle a request. */
export interface RouteContext {
  config: GatewayConfig
  log: Log
  models: ModelTable
  knowledge: Knowledge
  /** The templates of the rules, by the names that those have for them. */
  templates: ReadonlyMap<string, ChatTemplate>
  triggerOf: TriggerSource
  knownTools: KnownTools
  /** Seal what clients keep of the reasoning. */
  seals: Seals
  kept: KeptResponses
  request: GatewayRequest
  requestLog: RequestLog
  /** Counts the bytes of the body. */
  hold: BodyHold
  /** Aborts when the client is gone or the time is over. */
  signal: AbortSignal
  /** The client's key, if it is passed through to the upstream. */
  clientKey?: string
}

export interface Route {
  /** A route for GET answers HEAD too. */
  method: 'GET' | 'POST' | 'DELETE'
  path: RegExp
  /** Limits the route to some requests. What it refuses is answered as if the route did not exist. */
  takes?(request: GatewayRequest): boolean
  /** True if no key is needed. */
  isOpen?: boolean
  handle(context: RouteContext): Promise<GatewayResponse>
}

/**
 * The beginning of an API's paths. Clients differ in whether their base URL ends with /v1 (the AI SDK's provider for
 * Anthropic wants one that does, Anthropic's own SDK one that does not), so none and one too many are taken as well.
 */
const v1 = '(?:/v1){0,2}'

const responsePath = RegExp(`^${v1}/responses/([\\w-]+)$`)

const routes: readonly Route[] = [
  { method: 'GET', path: /^\/$/, isOpen: true, handle: async () => json({ name: 'anycall', status: 'ok' }) },
  { method: 'GET', path: /^\/health$/, isOpen: true, handle: async () => json({ status: 'ok' }) },
  { method: 'POST', path: RegExp(`^${v1}/messages$`), handle: (context) => reply(anthropicMessages, context) },
  { method: 'POST', path: RegExp(`^${v1}/messages/count_tokens$`), handle: countTokens },
  { method: 'POST', path: RegExp(`^${v1}/chat/completions$`), handle: (context) => reply(openaiChat, context) },
  { method: 'POST', path: RegExp(`^${v1}/responses$`), handle: respond },
  { method: 'GET', path: RegExp(`^${v1}/responses$`), takes: isWebSocket, handle: refuseWebSocket },
  { method: 'POST', path: RegExp(`^${v1}/responses/input_tokens$`), handle: countInputTokens },
  { method: 'GET', path: responsePath, handle: showResponse },
  { method: 'DELETE', path: responsePath, handle: deleteResponse },
  { method: 'GET', path: RegExp(`^${v1}/models$`), handle: listModels },
  { method: 'GET', path: RegExp(`^${v1}/models/(.+)$`), handle: showModel },
]

const askedByBrowsers =
  ' Browsers ask so whether a web page may use the gateway: list the origins of those that may in "cors" of its configuration.'

/** The route of a request. Throws `not-found` or `method-not-allowed`. */
export function findRoute(request: GatewayRequest): Route {
  const { method, path } = request
  const wanted = method === 'HEAD' ? 'GET' : method
  const route = routes.find(
    (candidate) => candidate.method === wanted && candidate.path.test(path) && (candidate.takes?.(request) ?? true),
  )
  if (route) return route
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
    `There is nothing at ${path.slice(0, 200)}. The APIs are at /v1/messages, /v1/chat/completions and /v1/responses; a base URL for OpenAI's clients ends with /v1, one for Anthropic's does not.`,
  )
}

/** Returns the methods that a path has. */
export function methodsAt(path: string): string[] {
  const methods = routes.filter((route) => !route.takes && route.path.test(path)).map(({ method }) => method)
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
}

/** A conversation's reply: the path of a request, step by step. */
async function reply<Options>(protocol: Protocol<Options>, context: RouteContext): Promise<GatewayResponse> {
  const { config, requestLog, signal } = context
  const decoded = await protocol.decode(await readBody(context))
  const { conversation } = decoded
  // A large request takes its time to decode, and again to be made a prompt.
  if (context.hold.isLarge) await pause()
  checkTools(conversation, config.limits)
  checkStops(conversation)
  Object.assign(requestLog.fields, {
    protocol: protocol.name,
    model: conversation.model.slice(0, 200),
    stream: decoded.stream,
  })
  const serving = servingOf(conversation, protocol.ids.call, context)
  for (const notice of decoded.notices) requestLog.notice(notice)

  const started = serve(serving, context.knowledge, generationContext(context), {
    isWhole: !decoded.stream,
    chosen: (upstream, plan) => void Object.assign(requestLog.fields, { upstream, plan }),
    begun: () => requestLog.begin(),
  })
  // The failure is thrown to the reader of the reply; until then it must not count as unhandled.
  started.catch(() => {})
  return answer({
    protocol,
    request: decoded,
    reply: started,
    estimateInputTokens: () => estimateConversation(conversation),
    startMs: config.limits.startSeconds * 1000,
    signal,
    requestLog,
  })
}

async function countTokens(context: RouteContext): Promise<GatewayResponse> {
  const { conversation } = decodeCountTokens(await readBody(context))
  checkTools(conversation, context.config.limits)
  const serving = servingOf(conversation, anthropicMessages.ids.call, context)
  return json(encodeTokenCount(await count(serving, context.knowledge, generationContext(context))))
}

async function respond(context: RouteContext): Promise<GatewayResponse> {
  return reply(openaiResponses(await responsesServices(context)), context)
}

async function countInputTokens(context: RouteContext): Promise<GatewayResponse> {
  const protocol = openaiResponses(await responsesServices(context))
  const { conversation } = await protocol.decode(await readBody(context))
  checkTools(conversation, context.config.limits)
  const serving = servingOf(conversation, protocol.ids.call, context)
  return json(encodeInputTokens(await count(serving, context.knowledge, generationContext(context))))
}

/** So deep may anything nest beside schemas, and those with what is around them. */
const bodyDepth = 200
const aroundSchemas = 20

async function readBody({ request, config, hold, knownTools }: RouteContext): Promise<unknown> {
  const { bodyMegabytes, bodyValues, schemaDepth } = config.limits
  const bounds: BodyBounds = {
    bytes: bodyMegabytes * 1024 ** 2,
    values: bodyValues,
    depth: Math.max(bodyDepth, schemaDepth + aroundSchemas),
    take: hold.take,
  }
  return knownTools.adopt(await readJsonBody(request, bounds))
}

function generationContext({ signal, requestLog, log, clientKey, config }: RouteContext): GenerationContext {
  const isTold = config.log.level === 'debug'
  return {
    signal,
    requestId: requestLog.requestId,
    log,
    attempts: new Attempts(config.limits.attempts),
    ...(clientKey !== undefined && { clientKey }),
    ...(isTold && { secrets: [...secretsOf(config), ...(clientKey === undefined ? [] : [clientKey])] }),
  }
}

/** All keys of a configuration. */
function secretsOf({ keys, secret, upstreams }: GatewayConfig): string[] {
  const ofUpstreams = Object.values(upstreams).flatMap((one) =>
    'headers' in one ? [...(one.key === undefined ? [] : [one.key]), ...Object.values(one.headers)] : [],
  )
  return [...(typeof keys === 'string' ? [] : keys), ...(secret === undefined ? [] : [secret]), ...ofUpstreams]
}

/** Finds the rule, upstreams and dialect for a conversation. */
function servingOf(conversation: Conversation, callIdPrefix: string, context: RouteContext): Serving {
  const { rule, candidates } = context.models.route(conversation.model)
  const named = dialectOf(rule)
  const template = rule.template === undefined ? undefined : context.templates.get(rule.template)
  const { reasoning, delivery, promptTemplate, reading } = rule
  const dialect = promptTemplate === undefined ? named : withPromptTemplate(named, promptTemplate)
  return {
    rule,
    candidates,
    conversation,
    callIdPrefix,
    dialect: withCachedDescriptions(dialect),
    trigger: () => context.triggerOf(conversation),
    reasoning,
    delivery,
    ...(reading && { accept: reading }),
    ...(template && { template }),
  }
}

function dialectOf({ dialect }: ModelRule): Dialect {
  if (typeof dialect === 'object') return dialect
  const found = dialect === undefined ? dialects[0] : getDialect(dialect)
  if (!found) throw new Error(`no dialect "${dialect}", although the configuration was checked`)
  return found
}

async function showResponse({ request, kept }: RouteContext): Promise<GatewayResponse> {
  return json(await keptResponse(request, kept))
}

async function deleteResponse({ request, kept }: RouteContext): Promise<GatewayResponse> {
  const { id } = await keptResponse(request, kept)
  kept.of(await clientName(request))?.delete(String(id))
  return json({ id, object: 'response', deleted: true })
}
