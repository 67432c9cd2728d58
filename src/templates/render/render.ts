import { type Conversation, type ConversationInput, completeConversation } from '../../conversation/index.ts'
import { atOnce, type Steps } from '../../json/index.ts'
import type { BudgetLimits } from '../jinja/python/values/budget.ts'
import { constant } from '../jinja/python/values/convert.ts'
import type { Rendering } from '../jinja/template.ts'
import { type ChatTemplate, variablesRendering } from '../source/chat-template.ts'
import type { CallWriting } from './assistant-messages.ts'
import { detectCapabilities, neededVariables } from './capabilities.ts'
import { adaptConversation } from './messages.ts'
import { plainTools } from './plain-tools.ts'
import { RenderError } from './render-error.ts'

export interface RenderOptions {
  /**
   * Variables beyond the usual: `enable_thinking`, `documents` and others that a template uses. They take precedence
   * over all others.
   */
  variables?: Readonly<Record<string, unknown>>
  /** The special tokens, if the template's source did not name them. */
  specialTokens?: Readonly<Record<string, string>>
  /** The moment that the template sees as now. */
  now?: Date
  limits?: Partial<BudgetLimits>
  /** Default true for a conversation: the prompt ends with the beginning of the model's turn. */
  addGenerationPrompt?: boolean
  /** The form of calls and results for templates that have no place for them; by default as most models were taught. */
  writing?: CallWriting
}

export type Rendered =
  | {
      type: 'text'
      text: string
      /** The changes made to the conversation because the template does not accept it as it is; for people. */
      adaptations: readonly string[]
    }
  | RenderError

/** Variables for a template as they are, in the form in which Transformers takes them. */
export interface RawVariables {
  messages: readonly unknown[]
  [name: string]: unknown
}

/** The form of calls and results that most models were taught. */
const commonWriting: CallWriting = {
  writeCalls: (calls) =>
    calls
      .map(
        (call) => `<tool_call>\n{"name": ${JSON.stringify(call.name)}, "arguments": ${call.arguments}}\n</tool_call>`,
      )
      .join('\n'),
  writeResult: (_, text) => `<tool_response>\n${text}\n</tool_response>`,
}

/**
 * Returns the prompt for a conversation, adapted to the template's capabilities, or for raw variables, which are left
 * unchanged. Never throws: a template that refuses, fails or exceeds its budget gives a RenderError.
 *
 * @example
 * const rendered = safeRenderTemplate(template, { messages: [{ role: 'user', content: 'Hello' }] })
 * if (rendered.type === 'error') console.error(rendered.reason, rendered.message)
 * else console.log(rendered.text)
 */
export function safeRenderTemplate(
  template: ChatTemplate,
  input: ConversationInput | RawVariables,
  options: RenderOptions = {},
): Rendered {
  return atOnce(renderingOf(template, input, options))
}

/** The work of `safeRenderTemplate` in steps. */
export function* renderingOf(
  template: ChatTemplate,
  input: ConversationInput | RawVariables,
  options: RenderOptions,
): Steps<Rendered> {
  const { variables, specialTokens, now, limits, addGenerationPrompt } = options
  const settings = { ...(now && { now }), ...(limits && { limits }) }
  const extra = { ...specialTokens, ...variables }
  if (!isConversation(input)) {
    const ending = addGenerationPrompt === undefined ? {} : { add_generation_prompt: addGenerationPrompt }
    return withoutSteps(yield* variablesRendering(template, { ...input, ...ending, ...extra }, settings), [])
  }
  const conversation = completeConversation(input)
  const rendered = yield* renderConversation(template, conversation, options)
  if (rendered.type === 'text' || conversation.tools.length === 0) return rendered
  const { tools, listedTools } = conversation
  const plainer = { tools: plainTools(tools), ...(listedTools && { listedTools: plainTools(listedTools) }) }
  const plain = yield* renderConversation(template, { ...conversation, ...plainer }, options)
  if (plain.type === 'error') return rendered
  const why = `the template cannot list the tools as they are (${rendered.problem}): it is given simpler schemas`
  return { ...plain, adaptations: [...plain.adaptations, why] }
}

function* renderConversation(template: ChatTemplate, input: Conversation, options: RenderOptions): Steps<Rendered> {
  const { variables, specialTokens, now, limits, addGenerationPrompt } = options
  const writing = options.writing ?? commonWriting
  const found = detectCapabilities(template)
  const can = writing.replacesCalls ? { ...found, calls: false, results: false } : found
  const { adaptations, ...given } = yield* adaptConversation(input, can, writing)
  const thinking = input.reasoning ? { enable_thinking: input.reasoning.enabled } : {}
  const ending = { add_generation_prompt: addGenerationPrompt ?? true }
  const needed = neededVariables(can.needs, given.tools, now ?? new Date())
  // A value that the template cannot change is the same for all its renderings.
  const isShared = given.tools !== undefined && Object.isFrozen(given.tools) && !can.mutable
  const shared = isShared && given.tools ? { tools: constant(given.tools) } : {}
  yield
  const all = { ...needed, ...given, ...shared, ...ending, ...thinking, ...specialTokens, ...variables }
  const settings = { ...(now && { now }), ...(limits && { limits }), mutable: can.mutable }
  return withoutSteps(yield* variablesRendering(template, all, settings), adaptations)
}

function isConversation(input: ConversationInput | RawVariables): input is ConversationInput {
  return 'turns' in input && Array.isArray(input.turns)
}

function withoutSteps(rendering: Rendering, adaptations: readonly string[]): Rendered {
  return rendering.type === 'error' ? new RenderError(rendering) : { type: 'text', text: rendering.text, adaptations }
}
