import type { Conversation, Notice, ReplyStream } from '../../conversation/index.ts'
import { type GenerationContext, UpstreamError } from '../../upstreams/index.ts'
import type { PlanRequest } from '../plans/plan.ts'
import { withNotices } from '../reply/reply-streams.ts'
import type { ContextLengths } from './context-lengths.ts'
import { Cut } from './cut.ts'

/** The most exact counts of one prompt: between them, the tokens of removed parts are estimated. */
const mostCounts = 4

/** A server that refuses a prompt reports its length, and the prompt is shortened accordingly: a second refusal should be the last. */
const mostRefusals = 2

export interface TruncationOptions {
  lengths: ContextLengths
  /** Counts the tokens of a prompt. */
  count(conversation: Conversation): Promise<number>
  serve(request: PlanRequest): Promise<ReplyStream>
}

/**
 * Serves a request, if it allows that without the oldest steps of its conversation: so many that its prompt and `maxTokens` fit
 * the model's context. A notice tells how many items were left out, or that the length of the context is not known.
 */
export function withTruncation(
  request: PlanRequest,
  options: TruncationOptions,
  context: GenerationContext,
): Promise<ReplyStream> {
  return request.conversation.truncation === 'auto' ? truncated(request, options, context) : options.serve(request)
}

async function truncated(
  request: PlanRequest,
  { lengths, count, serve }: TruncationOptions,
  context: GenerationContext,
): Promise<ReplyStream> {
  const cut = new Cut(request.conversation)
  let length = await lengths.of(request, context)
  /** The tokens that the server counts, for each that is counted here. */
  let scale = 1
  const shorten = (to: number): Promise<boolean> => shortened(cut, promptLimit(request.conversation, to) / scale, count)
  if (length !== undefined) await shorten(length)
  for (let refusals = 0; ; refusals++) {
    const { conversation, items } = cut
    try {
      const reply = await serve({ ...request, conversation })
      const notices = noticesOf(items, length)
      return notices.length === 0 ? reply : withNotices(notices, reply)
    } catch (error) {
      const overflow = overflowOf(error)
      if (overflow === undefined || refusals === mostRefusals) throw error
      length = overflow.length
      lengths.learn(request, length)
      scale = Math.max(scale, overflow.tokens / Math.max(1, await count(conversation)))
      if (!(await shorten(length))) throw error
    }
  }
}

/** Returns the tokens that a prompt may have. A reply is left half of the context at most: clients ask for more than models have. */
function promptLimit({ maxTokens = 0 }: Conversation, length: number): number {
  return length - Math.min(maxTokens, Math.floor(length / 2))
}

/** Shortens a conversation until its prompt has room. False if nothing had to be left out, or may be. */
async function shortened(cut: Cut, room: number, count: TruncationOptions['count']): Promise<boolean> {
  let isShorter = false
  for (let counts = 0; counts < mostCounts; counts++) {
    const excess = (await count(cut.conversation)) - room
    if (excess <= 0 || !cut.shorten(excess)) break
    isShorter = true
  }
  return isShorter
}

/** Returns the lengths of the context and of the prompt, if an error tells that the prompt is too long for it. */
function overflowOf(error: unknown): { length: number; tokens: number } | undefined {
  if (!(error instanceof UpstreamError) || error.overflow === undefined) return undefined
  const { overflow } = error
  const tokens = overflow.type === 'prompt' ? overflow.tokens : overflow.prompt
  return overflow.maximum === undefined || tokens === undefined ? undefined : { length: overflow.maximum, tokens }
}

function noticesOf(items: number, length: number | undefined): Notice[] {
  if (length === undefined) {
    const message =
      'The conversation was sent whole: the upstream does not tell how long a prompt its model takes, so "truncation": "auto" has no effect.'
    return [{ code: 'truncation-unknown', message }]
  }
  if (items === 0) return []
  const message = `The ${items === 1 ? 'oldest item of the conversation was' : `${items} oldest items of the conversation were`} left out: the model's context has ${length} tokens.`
  return [{ code: 'conversation-truncated', message }]
}
