import { type Conversation, newId, type ReplyEvent, type ReplyStream, type Usage } from '../conversation/index.ts'
import type { CallPolicy, Delivery, Dialect } from '../dialects/index.ts'
import { missingCallRequest } from '../dialects/index.ts'
import type { ChatMessage, GenerationContext, GenerationRequest, Upstream } from '../upstreams/upstream.ts'
import { writePrompt } from './prompt.ts'
import { readReply } from './read-reply.ts'

/** One request on its way to a model that only takes prompts. */
export interface PromptedRequest {
  conversation: Conversation
  dialect: Dialect
  trigger: string
  reasoning: 'field' | 'drop'
  delivery: Delivery
  upstream: Upstream
  /** The model as the upstream names it. */
  model: string
  /** What ids of calls begin with, in the client's protocol. */
  callIdPrefix: string
}

/** The prompt that a request becomes. */
export function promptOf(
  request: Pick<PromptedRequest, 'conversation' | 'dialect' | 'trigger' | 'reasoning'>,
): ChatMessage[] {
  const { conversation, dialect, trigger, reasoning } = request
  return writePrompt(conversation, { dialect, voice: { trigger }, reasoning })
}

/**
 * Serves a conversation by plan `prompted`: the tools are described in the prompt, and calls are read out of the text.
 * Resolves once the reply has begun; what fails before that throws with nothing sent. A call that the request demands
 * and that does not come is asked for once more, before anything of the reply goes out.
 */
export async function servePrompted(
  request: PromptedRequest,
  messages: ChatMessage[],
  context: GenerationContext,
): Promise<ReplyStream> {
  const { toolChoice } = request.conversation
  const reply = await generate(request, messages, context)
  if (toolChoice.type !== 'required' && toolChoice.type !== 'named') return reply
  const first = await untilCall(reply)
  if (first.type === 'call') return first.reply

  context.log('warn', 'required-call-missing', { requestId: context.requestId })
  const second = await askAgain(request, messages, first.events, context)
  if (second.type === 'call') return withUsageOf(first.events, second.reply)
  return withUsageOf(second.events, whole([missingCallNotice, ...first.events]))
}

async function generate(
  request: PromptedRequest,
  messages: ChatMessage[],
  context: GenerationContext,
): Promise<AsyncGenerator<ReplyEvent[], void, undefined>> {
  const { conversation, dialect, trigger, delivery, upstream, model, callIdPrefix } = request
  const { tools, toolChoice, parallelCalls, maxTokens, sampling, reasoning, stopSequences } = conversation
  const generation: GenerationRequest = {
    type: 'messages',
    model,
    messages,
    sampling,
    ...(maxTokens !== undefined && { maxTokens }),
    ...(reasoning !== undefined && { reasoning }),
  }
  const policy: CallPolicy = { tools, toolChoice, parallelCalls }
  const reader = dialect.createReader({
    ...policy,
    ...(dialect.usesTrigger && { trigger }),
    delivery,
    newCallId: () => newId(callIdPrefix),
  })
  return readReply(await upstream.generate(generation, context), reader, stopSequences)
}

type Beginning = { type: 'call'; reply: ReplyStream } | { type: 'no-call'; events: ReplyEvent[] }

/** Reads a reply up to its first call; a reply that has none is read to its end. */
async function untilCall(reply: AsyncGenerator<ReplyEvent[], void, undefined>): Promise<Beginning> {
  const events: ReplyEvent[] = []
  for (let next = await reply.next(); !next.done; next = await reply.next()) {
    events.push(...next.value)
    if (next.value.some((event) => event.type === 'call-start')) return { type: 'call', reply: resumed(events, reply) }
  }
  return { type: 'no-call', events }
}

async function* resumed(begun: ReplyEvent[], rest: AsyncGenerator<ReplyEvent[], void, undefined>): ReplyStream {
  try {
    yield begun
    yield* rest
  } finally {
    await rest.return()
  }
}

async function* whole(events: ReplyEvent[]): ReplyStream {
  yield events
}

/** Asks once more for the call. When even asking fails, the first reply is still there to be given. */
async function askAgain(
  request: PromptedRequest,
  messages: readonly ChatMessage[],
  events: readonly ReplyEvent[],
  context: GenerationContext,
): Promise<Beginning> {
  try {
    return await untilCall(await generate(request, withRequest(request.conversation, messages, events), context))
  } catch (error) {
    if (context.signal.aborted) throw error
    const why = error instanceof Error ? error.message : String(error)
    context.log('warn', 'required-call-failed', { requestId: context.requestId, error: why })
    return { type: 'no-call', events: [] }
  }
}

/** The prompt with the reply that lacked the call, and a plain request for it. */
function withRequest(
  conversation: Conversation,
  messages: readonly ChatMessage[],
  events: readonly ReplyEvent[],
): ChatMessage[] {
  const text = events.map((event) => (event.type === 'text' ? event.text : '')).join('')
  const reply: ChatMessage[] = text.trim() === '' ? [] : [{ role: 'assistant', parts: [{ type: 'text', text }] }]
  const request = missingCallRequest(conversation)
  const last = messages.at(-1)
  if (reply.length > 0 || last?.role !== 'user') {
    return [...messages, ...reply, { role: 'user', parts: [{ type: 'text', text: request }] }]
  }
  // Servers are sent the parts as one text.
  return [...messages.slice(0, -1), { ...last, parts: [...last.parts, { type: 'text', text: `\n\n${request}` }] }]
}

const missingCallNotice: ReplyEvent = {
  type: 'notice',
  notice: {
    code: 'required-call-missing',
    message: 'The request demands a tool call; the model made none, and none when it was asked once more.',
  },
}

/** The reply with the tokens of the other attempt counted in: both were paid for. */
async function* withUsageOf(other: readonly ReplyEvent[], reply: ReplyStream): ReplyStream {
  const spent = other.find((event) => event.type === 'finish')?.usage
  for await (const events of reply) {
    yield events.map((event) =>
      event.type === 'finish' && spent ? { ...event, usage: sum(spent, event.usage ?? {}) } : event,
    )
  }
}

function sum(one: Usage, other: Usage): Usage {
  const total: Usage = {}
  for (const key of ['inputTokens', 'outputTokens', 'cachedTokens', 'reasoningTokens'] as const) {
    if (one[key] !== undefined || other[key] !== undefined) total[key] = (one[key] ?? 0) + (other[key] ?? 0)
  }
  return total
}
