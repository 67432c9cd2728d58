import type { Conversation, ReplyEvent, ReplyStream } from '../../conversation/index.ts'
import type { ChatTemplate } from '../../templates/index.ts'
import { type GenerationContext, refuses } from '../../upstreams/index.ts'
import type { ModelRule, PlanName } from '../config/config.ts'
import type { BestOrder, ObservedVisit } from '../order/best-order.ts'
import { hasImages } from '../plans/images.ts'
import { native } from '../plans/native.ts'
import type { Plan, PlanRequest } from '../plans/plan.ts'
import { prompted } from '../plans/prompted.ts'
import { templated } from '../plans/templated.ts'
import { asJson, withNotices, withoutReasoning } from '../reply/reply-streams.ts'
import { toolSearchFor, withToolSearch } from '../tool-search/index.ts'
import { type ContextLengths, withTruncation } from '../truncation/index.ts'
import { type PlanChoice, type PlanChooser, type PlanQuestion, refusedBy } from './choose-plan.ts'
import { withCorrections } from './corrections.ts'
import { withDemandedCall } from './demanded-call.ts'
import { type Candidate, firstOf, orderFor } from './fail-over.ts'
import { retryWithoutToolChoice } from './forced-choice.ts'
import type { Health } from './health.ts'
import type { IgnoredFormats } from './ignored-formats.ts'
import { resolvePlan, supports, unsupportedReason } from './plan-fit.ts'
import { retryWithoutImages, type TextOnlyModels } from './text-only-models.ts'

const plans: Readonly<Record<PlanName, Plan>> = { native: retryWithoutToolChoice(native), prompted, templated }

/** A conversation on its way to the upstreams of its model. */
export interface ServeRequest extends Omit<PlanRequest, 'upstream' | 'model' | 'continuations' | 'template'> {
  rule: ModelRule
  template?: ChatTemplate
  /** The id that the client gives the conversation. */
  session?: string
  /** In the order of the rule. */
  candidates: readonly Candidate[]
}

/** The knowledge of upstreams that requests share. */
export interface Knowledge {
  chooser: PlanChooser
  health: Health
  textOnly: TextOnlyModels
  ignoredFormats: IgnoredFormats
  lengths: ContextLengths
  /** The results of requests to upstreams, for rules with `order: best`. */
  best: BestOrder
}

/** Receives events about the reply. */
export interface Receiver {
  /** True if nothing is sent before the reply is complete: until then another upstream can be asked. */
  isWhole: boolean
  /** Called with the upstream and the plan that serve. */
  chosen(upstream: string, plan: PlanName): void
  /** Called when an upstream has begun to answer. */
  begun(): void
}

/** A reply that has begun. */
export interface ServedReply {
  /** The batches of the reply; a list if nothing is sent before all of them are there, which takes no promise for each. */
  stream: ReplyStream | ReplyEvent[][]
  /** To be called with each batch of events; absent if nobody observes them. */
  saw?(events: readonly ReplyEvent[]): void
  /** To be called when it has ended: with an error, or else by its finish. */
  ended(error?: unknown): void
}

/** Serves a conversation by the first of its upstreams that begins to answer, or that answers all of it. */
export async function serve(
  serving: ServeRequest,
  knowledge: Knowledge,
  context: GenerationContext,
  receiver: Receiver,
): Promise<ServedReply> {
  const { conversation } = serving
  const { chooser, health, textOnly, lengths, best } = knowledge
  const attempt = async (
    candidate: Candidate,
    own: GenerationContext,
    observed?: ObservedVisit,
  ): Promise<ServedReply['stream']> => {
    const { upstream, model, configured } = candidate
    own.observation?.emit({
      type: 'candidate',
      upstream: upstream.name,
      upstreamType: upstream.type,
      model,
      configured,
    })
    const serveOne = async (request: PlanRequest): Promise<ReplyStream> => {
      const { plan, why } = await planOf(serving, request, chooser, own)
      receiver.chosen(request.upstream.name, plan)
      own.observation?.emit({ type: 'plan', upstream: request.upstream.name, model: request.model, plan, why })
      const reply = await withTruncation(
        request,
        {
          lengths,
          count: (shown) => countBy(plan, serving, { ...request, conversation: shown }, knowledge, own),
          serve: (shown) =>
            plan === 'native'
              ? serveNative(serving, shown, knowledge, own, receiver)
              : serveBy(plans[plan], serving, shown, own, receiver),
        },
        own,
      )
      const { rule } = serving
      if (rule.plan === 'auto' || supports(candidate.upstream, rule.plan)) return reply
      const message = `${unsupportedReason(candidate.upstream, rule.plan)} It was served by plan ${plan}.`
      return withNotices([{ code: 'plan-unsupported', message }], reply)
    }
    const reply = await retryWithoutImages(requestOf(serving, candidate), textOnly, serveOne, own)
    receiver.begun()
    observed?.began()
    return receiver.isWhole ? await held(reply) : reply
  }
  const ordered = orderOf(serving, knowledge, context)
  const observe = serving.rule.order && ((candidate: Candidate) => best.asked(candidate, serving))
  const { result, observed, ended } = await firstOf(ordered, attempt, context, health, observe)
  const stream = conversation.reasoning?.enabled === false ? withoutReasoning(result) : result
  return observed ? { stream, ended, saw: observed.saw } : { stream, ended }
}

/** Returns the candidates in the order in which they are tried. */
function orderOf(serving: ServeRequest, { health, best }: Knowledge, { log }: GenerationContext): Candidate[] {
  const { rule, candidates } = serving
  const ordered = orderFor(candidates, serving, health)
  if (!rule.order || ordered.length === 1) return ordered
  const window = { ms: rule.order.window * 1000, floor: rule.order.floor }
  // Those that are out of order stay last, however good their calls were.
  const ready = ordered.filter(({ upstream }) => health.isReady(upstream.name))
  const others = ordered.filter((candidate) => !ready.includes(candidate))
  return [...best.withProbe(best.ranked(ready, window, log), window, serving), ...others]
}

/** Resolves with the batches of a reply when it is complete. */
async function held(reply: ReplyStream): Promise<ReplyEvent[][]> {
  const batches: ReplyEvent[][] = []
  for await (const batch of reply) batches.push(batch)
  return batches
}

/** Returns the tokens of a conversation's prompt, as the upstream that would serve it counts them. */
export async function countTokens(
  serving: ServeRequest,
  knowledge: Knowledge,
  context: GenerationContext,
): Promise<number> {
  const { conversation, candidates } = serving
  const { chooser, health, textOnly } = knowledge
  const count = async (candidate: Candidate): Promise<number> => {
    const request = requestOf({ ...serving, conversation: textOnly.shown(conversation, candidate) }, candidate)
    const { plan } = await planOf(serving, request, chooser, context)
    return countBy(plan, serving, request, knowledge, context)
  }
  // Most counts are estimates made here, which succeed even if an upstream is down.
  return (await firstOf(orderFor(candidates, serving, health), count, context)).result
}

async function countBy(
  plan: PlanName,
  { rule }: ServeRequest,
  request: PlanRequest,
  { ignoredFormats }: Knowledge,
  context: GenerationContext,
): Promise<number> {
  const { conversation, callIdPrefix } = request
  const shown = plan === 'native' ? ignoredFormats.shown(conversation, request) : conversation
  const search = toolSearchFor(shown, rule.toolSearch, plan, callIdPrefix)
  const counted = { ...request, conversation: search?.listed(shown) ?? shown }
  return Math.ceil(await plans[plan].countTokens(counted, context))
}

function requestOf(serving: ServeRequest, { upstream, model }: Candidate): PlanRequest {
  const { rule, candidates: _, session: _session, ...request } = serving
  return { upstream, model, continuations: rule.continuations, ...request }
}

async function planOf(
  { rule }: ServeRequest,
  request: PlanRequest,
  chooser: PlanChooser,
  context: GenerationContext,
): Promise<PlanChoice> {
  const plan = rule.plan === 'auto' ? 'auto' : resolvePlan(request.upstream, rule.plan)
  const question = questionOf(request)
  if (plan === 'native' && (await chooser.refused(question)))
    return { plan: 'prompted', why: 'the rule says native, and the upstream takes no tools' }
  if (plan !== 'auto') return { plan, why: plan === rule.plan ? 'the rule says so' : whyOther(request, rule) }
  // A rule that names a dialect, or writes its own prompt, wants it used.
  if ((rule.dialect !== undefined || rule.promptTemplate !== undefined) && takesMessages(request))
    return { plan: 'prompted', why: 'the rule names a dialect or a prompt' }
  // Without tools and without a format any known plan will do: the model is not probed for this request.
  const { conversation } = request
  if (!usesTools(conversation) && !conversation.responseFormat && takesMessages(request) && !chooser.knows(question))
    return { plan: 'prompted', why: 'the request has no tools and no format' }
  return chooser.choose(question, context)
}

function whyOther({ upstream }: PlanRequest, { plan }: ModelRule): string {
  return plan === 'auto' ? 'the rule says so' : unsupportedReason(upstream, plan)
}

function questionOf({ upstream, model, template, conversation }: PlanRequest): PlanQuestion {
  return { upstream, model, ...(template && { template }), hasImages: hasImages(conversation) }
}

function usesTools({ tools, turns }: Conversation): boolean {
  return (
    tools.length > 0 ||
    turns.some((turn) => turn.role !== 'system' && turn.parts.some(({ type }) => type === 'call' || type === 'result'))
  )
}

function takesMessages({ upstream }: PlanRequest): boolean {
  return supports(upstream, 'prompted')
}

function serveBy(
  plan: Plan,
  { rule }: ServeRequest,
  request: PlanRequest,
  context: GenerationContext,
  { isWhole }: Receiver,
  watch: (reply: ReplyStream) => ReplyStream = (reply) => reply,
): Promise<ReplyStream> {
  const { responseFormat, reasoning } = request.conversation
  const generate = async (conversation: Conversation) => {
    const reply = await generateSearching(plan, rule, { ...request, conversation }, context)
    if (!responseFormat) return reply
    return watch(asJson(responseFormat, reasoning?.enabled === false ? withoutReasoning(reply) : reply))
  }
  const demanded = (conversation: Conversation) => withDemandedCall(conversation, generate, context)
  const { corrections } = rule
  const limits = { calls: corrections, formats: Math.max(1, corrections), holdsText: isWhole || corrections > 0 }
  return withCorrections(request.conversation, demanded, limits, context)
}

/** Starts a reply; with many tools, if the rule wants that, the model searches for those that it calls. */
function generateSearching(
  plan: Plan,
  { toolSearch }: ModelRule,
  request: PlanRequest,
  context: GenerationContext,
): Promise<ReplyStream> {
  const { conversation, callIdPrefix, writtenReply } = request
  const search = toolSearchFor(conversation, toolSearch, plan.name, callIdPrefix)
  if (!search) return plan.generate(request, context)
  const generate = (shown: Conversation) => plan.generate({ ...request, conversation: shown }, context)
  return withToolSearch(conversation, { search, generate, writtenReply, context })
}

/**
 * An upstream that turns out to take no tools is served by prompts, now and for a while; for one that ignores the format of
 * the reply, the prompt describes the format as well.
 */
async function serveNative(
  serving: ServeRequest,
  request: PlanRequest,
  { chooser, ignoredFormats }: Knowledge,
  context: GenerationContext,
  receiver: Receiver,
): Promise<ReplyStream> {
  // Chosen once: a correction must begin with the prompt that it corrects.
  const shown = { ...request, conversation: ignoredFormats.shown(request.conversation, request) }
  const watch = (reply: ReplyStream) => ignoredFormats.watch(reply, request, context)
  try {
    return await serveBy(plans.native, serving, shown, context, receiver, watch)
  } catch (error) {
    if (!refuses(error, 'tools') || !takesMessages(request)) throw error
    const choice = refusedBy(error)
    const { why } = choice
    chooser.remember(questionOf(request), choice)
    context.log('warn', 'tools-refused', { requestId: context.requestId, upstream: request.upstream.name, why })
    receiver.chosen(request.upstream.name, 'prompted')
    context.observation?.emit({
      type: 'plan',
      upstream: request.upstream.name,
      model: request.model,
      plan: 'prompted',
      why,
    })
    const reply = await serveBy(prompted, serving, request, context, receiver)
    return withNotices([{ code: 'tools-refused', message: `Tools are described in the prompt: ${why}` }], reply)
  }
}
