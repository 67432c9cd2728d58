import {
  AnycallError,
  type ChatMessage,
  type ConversationInput,
  completeConversation,
  type ToolChoice,
  type ToolDefinition,
  toolsError,
  toolsForReading,
} from '../conversation/index.ts'
import { checkTrigger } from './dialect-reader.ts'
import type { Dialect, PromptContext } from './format/dialect.ts'
import { needsDialect, writeMessages } from './prompt/write-messages.ts'
import { dialectOf } from './registry.ts'

/** Options for writing tools, calls and results. The reader of the reply takes the same options. */
export interface WriteOptions extends Pick<PromptContext, 'accept'> {
  /** A dialect, or the name of one. Default: `universal`, as for `createReader`. */
  dialect?: string | Dialect
  /** The line after which alone calls count. Only dialects with `usesTrigger` need one; `createTrigger` makes it. */
  trigger?: string
}

/**
 * Returns the messages for a model that only takes text. The tools are described in the system message; earlier calls and
 * results are written into the text as the dialect writes them; the dialect's markers in text of others are neutralised, so
 * that only the model calls tools. The messages of a turn begin with those of the turn before it. A message whose parts are
 * texts is a message of OpenAI's API, with `parts` for `content`.
 *
 * Throws an AnycallError (`invalid-request`) for an unknown dialect, for tools that are not tools, and for a missing trigger.
 *
 * @example
 * const conversation = { turns: [{ role: 'user', parts: [{ type: 'text', text: 'Weather in Paris?' }] }], tools }
 * const messages = writePrompt(conversation, { dialect: 'hermes' }).map(({ role, parts }) => ({ role, content: parts }))
 */
export function writePrompt(conversation: ConversationInput, options: WriteOptions = {}): ChatMessage[] {
  const dialect = dialectOf(options?.dialect ?? 'universal')
  const complete = completeConversation(conversation)
  const context = contextOf(dialect, { ...options }, needsDialect(complete))
  return withTools([complete.tools, complete.listedTools], () => writeMessages(complete, dialect, context))
}

/** Options for the description of tools. */
export interface DescribeOptions extends WriteOptions {
  toolChoice?: ToolChoice
  /** False: at most one call in a reply. */
  parallelCalls?: boolean
}

/**
 * Returns the instructions that `writePrompt` adds to the system message: the tools, how to call them, and which calls the
 * next reply may make. For a prompt that a program writes itself.
 *
 * Throws an AnycallError (`invalid-request`) for an unknown dialect, for tools that are not tools, and for a missing trigger.
 *
 * @example
 * const system = `You are a weather service.\n\n${describeTools(['get_weather'], { dialect: 'hermes' })}`
 */
export function describeTools(tools: readonly ToolDefinition[], options: DescribeOptions = {}): string {
  const given: DescribeOptions = { ...options }
  const dialect = dialectOf(given.dialect ?? 'universal')
  const policy = {
    tools: toolsForReading(tools),
    toolChoice: given.toolChoice ?? { type: 'auto' },
    parallelCalls: given.parallelCalls ?? true,
  }
  const context = contextOf(dialect, given, true)
  return withTools(policy.tools, () => dialect.describe(policy, context))
}

function withTools<Written>(tools: unknown, write: () => Written): Written {
  try {
    return write()
  } catch (error) {
    throw toolsError(tools, error)
  }
}

/** `isUsed`: the dialect writes something, so that a dialect with a trigger needs it. */
function contextOf(dialect: Dialect, { trigger: given, accept }: WriteOptions, isUsed: boolean): PromptContext {
  checkTrigger(given)
  const trigger = given ?? ''
  if (isUsed && dialect.usesTrigger && !trigger.includes('<')) {
    const problem = trigger === '' ? 'is missing' : `"${trigger}" has no "<"`
    throw new AnycallError(
      'invalid-request',
      `trigger: it ${problem}; calls of the dialect ${dialect.name} count only after it. Give the result of createTrigger, or choose a dialect without a trigger.`,
      { param: 'trigger' },
    )
  }
  return { trigger, ...(accept && { accept }) }
}
