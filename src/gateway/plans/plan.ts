import type { Conversation, ReplyStream, Turn } from '../../conversation/index.ts'
import type { AcceptOptions, Delivery, Dialect } from '../../dialects/index.ts'
import type { ChatTemplate } from '../../templates/index.ts'
import type { GenerationContext, Upstream } from '../../upstreams/index.ts'
import type { PlanName } from '../config/config.ts'
import type { WrittenReply } from '../replies/index.ts'

/** A way to serve a conversation: the requests to the upstream, and the reading of its answer. */
export interface Plan {
  name: PlanName
  /** Resolves once the reply has begun; earlier failures are thrown before anything is sent. */
  generate(request: PlanRequest, context: GenerationContext): Promise<ReplyStream>
  /** The tokens of the prompt: counted by the engine if it can, otherwise estimated. */
  countTokens(request: PlanRequest, context: GenerationContext): Promise<number>
}

/** One conversation on its way to one upstream. */
export interface PlanRequest {
  conversation: Conversation
  upstream: Upstream
  /** The model as the upstream names it. */
  model: string
  /** The prefix of call ids in the client's protocol. */
  callIdPrefix: string
  delivery: Delivery
  /** Plan `prompted`: how calls are written. */
  dialect: Dialect
  /** Plan `prompted`: returns the conversation's trigger line, for dialects that need one. Computed on first use. */
  trigger(): Promise<string>
  /** The uncertain calls that are accepted in the model's text. */
  accept?: AcceptOptions
  /** `field`: earlier reasoning is sent along; `drop`: it is left out. */
  reasoning: 'field' | 'drop'
  /** Plan `templated`: the configured template; absent: the upstream is asked. */
  template?: ChatTemplate
  /** The most times that a reply is continued that the token limit cut in the middle of a call. */
  continuations: number
  /** Receives what the model writes. */
  writtenReply?: WrittenReply
}

/** Returns the conversation for the upstream: without earlier reasoning if the rule drops that. */
export function conversationOf({ conversation, reasoning }: PlanRequest): Conversation {
  if (reasoning === 'field' || !conversation.turns.some(changesWithoutReasoning)) return conversation
  return { ...conversation, turns: conversation.turns.flatMap(withoutReasoning) }
}

/** True for a turn with reasoning, and for one without parts, whose reasoning was left out before. */
function changesWithoutReasoning(turn: Turn): boolean {
  return turn.role === 'assistant' && (turn.parts.length === 0 || turn.parts.some(({ type }) => type === 'reasoning'))
}

/** Returns no turn if it holds nothing but reasoning. */
function withoutReasoning(turn: Turn): Turn[] {
  if (turn.role !== 'assistant') return [turn]
  const parts = turn.parts.filter(({ type }) => type !== 'reasoning')
  return parts.length === 0 ? [] : [{ ...turn, parts }]
}

/** Returns the members of a conversation that every kind of generation request takes unchanged. */
export function limitsOf({ conversation, model }: PlanRequest): {
  model: string
  sampling: Conversation['sampling']
  maxTokens?: number
  reasoning?: NonNullable<Conversation['reasoning']>
} {
  const { maxTokens, sampling, reasoning } = conversation
  return {
    model,
    sampling,
    ...(maxTokens !== undefined && { maxTokens }),
    ...(reasoning !== undefined && { reasoning }),
  }
}

/** The ids of the conversation's calls so far. */
export function callIdsOf({ turns }: Conversation): string[] {
  return turns.flatMap((turn) =>
    turn.role === 'assistant' ? turn.parts.flatMap((part) => (part.type === 'call' ? [part.id] : [])) : [],
  )
}
