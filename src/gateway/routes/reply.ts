import {
  AnycallError,
  type Conversation,
  charactersOf,
  type Reply,
  ReplyCollector,
  type ReplyEvent,
} from '../../conversation/index.ts'
import { type Dialect, dialectOf as dialectNamed } from '../../dialects/index.ts'
import { pause } from '../../json/index.ts'
import type { Protocol } from '../../protocols/index.ts'
import type { ExchangeListener } from '../../records/index.ts'
import { Attempts, type GenerationContext, type Log } from '../../upstreams/index.ts'
import type { ModelRule } from '../config/config.ts'
import { dialectOfRule } from '../config/schema/own-objects.ts'
import { withPromptTemplate } from '../config/schema/prompt-template.ts'
import { secretsOf } from '../config/secrets.ts'
import { clientKeyOf, secretKeyOf } from '../http/access/access.ts'
import { answer } from '../http/answer.ts'
import { type BodyBounds, readJsonBody } from '../http/body/body.ts'
import { checkStops } from '../http/check-stops.ts'
import { checkTools } from '../http/check-tools.ts'
import type { GatewayResponse } from '../http/http.ts'
import { sessionOf } from '../order/affinity.ts'
import { withCachedDescriptions } from '../plans/descriptions.ts'
import { estimateConversation } from '../plans/tokens.ts'
import { beginningOf, mostCharacters, type OwnReplies, WrittenReply } from '../replies/index.ts'
import { checkingInputs, unreadableInputs } from '../reply/input-grammar.ts'
import { hidingReasoning } from '../reply/reply-streams.ts'
import type { ModelRoute } from '../serve/models.ts'
import { countTokens as count, type ServeRequest, serve } from '../serve/serve.ts'
import type { RouteContext } from './context.ts'

/** A conversation's reply: the path of a request, step by step. */
export async function reply<Options>(
  protocol: Protocol<Options>,
  body: unknown,
  context: RouteContext,
): Promise<GatewayResponse> {
  const { config, requestLog, signal } = context
  const decoded = await protocol.decode(body)
  const sent = decoded.conversation
  const own = await repliesOf(sent, context)
  const { conversation, hasAllReasoning } = own?.restored(sent) ?? { conversation: sent, hasAllReasoning: false }
  const writtenReply = new WrittenReply()
  // A large request takes its time to decode, and again to be made a prompt.
  if (context.hold.isLarge) await pause()
  checkTools(conversation, config.limits)
  checkStops(conversation)
  Object.assign(requestLog.fields, {
    protocol: protocol.name,
    model: conversation.model.slice(0, 200),
    stream: decoded.stream,
  })
  requestLog.emit({ type: 'decoded', protocol: protocol.name, stream: decoded.stream, conversation })
  const session = sessionOf((name) => context.request.header(name), decoded.session)
  const serving = servingOf(conversation, protocol.ids.call, context)
  serving.writtenReply = writtenReply
  if (session) serving.session = session
  const estimateInputTokens = (): number => estimateConversation(conversation)
  if (requestLog.meter) requestLog.meter.estimateInput = estimateInputTokens
  // Reasoning that the client cannot send back is not lost if the reply is remembered.
  const said = decoded.notices.filter(({ code }) => code !== 'reasoning-dropped' || !hasAllReasoning)
  decoded.notices = [...said, ...unreadableInputs(conversation.tools)]
  for (const notice of decoded.notices) requestLog.notice(notice)

  const started = serve(serving, context.knowledge, generationContext(context, session), {
    isWhole: !decoded.stream,
    chosen: (upstream, plan) => void Object.assign(requestLog.fields, { upstream, plan }),
    begun: () => requestLog.begin(),
  })
  const keep =
    own &&
    remembering((whole) => own.keep(sent, whole, { written: writtenReply.text, searched: writtenReply.searchedReply }))
  const showsReasoning = serving.rule.showReasoning === 'always'
  const hide = decoded.hidesReasoning && !showsReasoning ? hidingReasoning() : undefined
  const check = checkingInputs(conversation.tools)
  // The failure is thrown to the reader of the reply; until then it must not count as unhandled.
  started.catch(() => {})
  return await answer({
    protocol,
    request: decoded,
    reply: started,
    pass: (events) => {
      keep?.(events)
      const shown = hide ? hide(events) : events
      return check ? check(shown) : shown
    },
    showsReasoning,
    estimateInputTokens,
    startMs: config.limits.startSeconds * 1000,
    signal,
    requestLog,
  })
}

/** Returns the remembered replies of a conversation; undefined if none are remembered. */
async function repliesOf(conversation: Conversation, context: RouteContext): Promise<OwnReplies | undefined> {
  if (context.config.limits.repliesMegabytes === 0) return undefined
  // Signed, so that neither the key is kept nor another client finds the replies.
  return context.replies.of(await context.triggerOf(beginningOf(conversation, clientKeyOf(context.request))))
}

/** Returns a listener to the batches of a reply, which calls `keep` with the whole when it has ended. */
function remembering(keep: (reply: Reply) => void): (events: readonly ReplyEvent[]) => void {
  // Undefined once the reply is too long to be remembered.
  let collector: ReplyCollector | undefined = new ReplyCollector()
  let characters = 0
  return (events) => {
    for (const event of events) characters += charactersOf(event)
    if (characters > mostCharacters) collector = undefined
    collector?.push(events)
    if (collector?.finish) keep(collector.reply)
  }
}

/** Counts the tokens of a conversation's prompt. */
export async function countTokens(
  conversation: Conversation,
  callIdPrefix: string,
  context: RouteContext,
): Promise<number> {
  checkTools(conversation, context.config.limits)
  const session = sessionOf((name) => context.request.header(name))
  const serving = servingOf(conversation, callIdPrefix, context)
  if (session) serving.session = session
  return count(serving, context.knowledge, generationContext(context, session))
}

/** The depth to which any part beside schemas may nest, and schemas together with the parts around them. */
const bodyDepth = 200
const aroundSchemas = 20

/** Reads the body of a request as JSON. */
export async function readBody({ request, config, hold, knownTools, requestLog }: RouteContext): Promise<unknown> {
  const { bodyMegabytes, bodyValues, schemaDepth } = config.limits
  const bounds: BodyBounds = {
    bytes: bodyMegabytes * 1024 ** 2,
    values: bodyValues,
    depth: Math.max(bodyDepth, schemaDepth + aroundSchemas),
    take: hold.take,
    parse: (text) => knownTools.parse(text),
    ...(requestLog.observer?.needsBody && { seen: (text) => requestLog.emit({ type: 'received', text }) }),
  }
  const body = await readJsonBody(request, bounds)
  // A large body takes its time to parse, and its tools to be compared with known ones.
  if (hold.isLarge) await pause()
  return knownTools.adopt(body)
}

/** Returns the context of requests to upstreams. */
export function generationContext(
  { request, signal, requestLog, log, clientKey, traceHeaders, config }: RouteContext,
  session?: string,
): GenerationContext {
  const isDebug = config.log.level === 'debug'
  const ownKey = secretKeyOf(config.keys, request)
  const { observer } = requestLog
  return {
    signal,
    requestId: requestLog.requestId,
    clientHeader: (name) => request.header(name),
    ...(session !== undefined && { session }),
    log: observer ? withListener(log, observer.onEvent) : log,
    ...(observer && { observation: { emit: observer.onEvent, wantsSpans: observer.needsTexts, attempts: 0 } }),
    attempts: new Attempts(config.limits.attempts),
    ...(clientKey !== undefined && { clientKey }),
    ...(traceHeaders && { traceHeaders }),
    ...(isDebug && { secrets: [...secretsOf(config), ...(ownKey === undefined ? [] : [ownKey])] }),
  }
}

/** Returns a log that passes its lines to a listener as well. */
function withListener(log: Log, listener: ExchangeListener): Log {
  return (level, event, fields = {}) => {
    log(level, event, fields)
    listener({ type: 'log', level, event, fields })
  }
}

/** Finds the rule, upstreams and dialect for a conversation. */
function servingOf(conversation: Conversation, callIdPrefix: string, context: RouteContext): ServeRequest {
  const { rule, candidates } = overridden(context.models.route(conversation.model), context)
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

/** Returns a route with the parts that a replayed request replaces. Throws `invalid-request` for names that there are not. */
function overridden(route: ModelRoute, { request: { replay }, upstreams }: RouteContext): ModelRoute {
  if (!replay) return route
  const { upstream: name, plan, dialect } = replay
  if (dialect !== undefined) dialectNamed(dialect)
  const rule: ModelRule = { ...route.rule, ...(plan && { plan }), ...(dialect !== undefined && { dialect }) }
  if (name === undefined) return { rule, candidates: route.candidates }
  const upstream = upstreams.get(name)
  if (!upstream)
    throw new AnycallError('invalid-request', `upstream: there is no upstream "${name}".`, { param: 'upstream' })
  const { model = '', configured = '' } = route.candidates[0] ?? {}
  return { rule, candidates: [{ upstream, model, configured }] }
}

function dialectOf(rule: ModelRule): Dialect {
  const found = dialectOfRule(rule)
  if (!found) throw new Error(`no dialect "${rule.dialect}", although the configuration was checked`)
  return found
}
