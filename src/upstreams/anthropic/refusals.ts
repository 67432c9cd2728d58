import { isJsonObject, type JsonObject, type JsonValue } from '../../conversation/index.ts'
import { hasBreakpoints } from './cache.ts'

/** Parts of a request that some models and servers refuse, and that a request can do without. */
export type Refusable =
  /** Calls of the assistant without its reasoning, where the model thinks; that it thinks, where the reasoning is refused as well. */
  | 'missing-reasoning'
  | 'thinking-on'
  /** `thinking` of any kind; with a budget; where the turn goes on from results; switched off by name. */
  | 'thinking'
  | 'thinking-budget'
  | 'thinking-after-results'
  | 'thinking-disabled'
  /** How `adaptive` thinking is shown. */
  | 'thinking-display'
  /** Any; a high one where the model does not think. */
  | 'effort'
  | 'effort-without-thinking'
  | 'forced-choice'
  | 'disable_parallel_tool_use'
  | 'cache_control'
  | 'temperature'
  | 'top_p'
  | 'top_k'

interface Refusal {
  what: Refusable
  /** What the server says. */
  says: RegExp
  /** Whether the body has it. */
  isIn(body: JsonObject): boolean
}

/** Efforts that Claude Opus 5 takes only where it thinks. */
export const highEfforts: ReadonlySet<unknown> = new Set(['xhigh', 'max'])

const thinkingType = ({ thinking }: JsonObject): unknown => (isJsonObject(thinking) ? thinking.type : undefined)
const choice = ({ tool_choice: choice }: JsonObject): JsonObject => (isJsonObject(choice) ? choice : {})

/** DeepSeek: ``The `content[].thinking` in the thinking mode must be passed back``; Kimi: `… reasoning_content is missing in assistant …`. */
const lostReasoning = /(?:\.thinking|reasoning_content)\b.*\b(?:must be passed back|is missing)\b/is

/** Whether a message of the assistant calls, and has no reasoning. */
export function lacksReasoning(message: JsonValue): boolean {
  if (!isJsonObject(message) || message.role !== 'assistant' || !Array.isArray(message.content)) return false
  const types = message.content.map((block) => (isJsonObject(block) ? block.type : undefined))
  return types.includes('tool_use') && !types.includes('thinking')
}

/** What refusals look like; the first that fits counts. */
const refusals: readonly Refusal[] = [
  {
    what: 'missing-reasoning',
    says: lostReasoning,
    isIn: (body) =>
      thinkingType(body) !== 'disabled' && Array.isArray(body.messages) && body.messages.some(lacksReasoning),
  },
  { what: 'thinking-on', says: lostReasoning, isIn: (body) => thinkingType(body) !== 'disabled' },
  // Claude Opus 4.7 and later: `"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" …`; the
  // migration guide of Opus 5.5 has the first sentence alone.
  {
    what: 'thinking-budget',
    says: /adaptive|thinking\.type\.enabled/i,
    isIn: (body) => thinkingType(body) === 'enabled',
  },
  // Anthropic: ``Expected `thinking` or `redacted_thinking`, but found `tool_use` ``
  {
    what: 'thinking-after-results',
    says: /expected `?thinking|start with a thinking block/i,
    isIn: (body) => thinkingType(body) === 'enabled',
  },
  {
    what: 'thinking-display',
    says: /\bdisplay\b/i,
    isIn: ({ thinking }) => isJsonObject(thinking) && thinking.display !== undefined,
  },
  // Claude Opus 5: `output_config.effort 'xhigh' is not supported when thinking is disabled on this model. Use effort 'high' or below …`
  {
    what: 'effort-without-thinking',
    says: /effort\b.*\bthinking is disabled/is,
    isIn: ({ output_config: config }) => isJsonObject(config) && highEfforts.has(config.effort),
  },
  // Claude Opus 5.5: `"thinking.type.disabled" is not supported for this model.`
  {
    what: 'thinking-disabled',
    says: /thinking/i,
    isIn: (body) => thinkingType(body) === 'disabled',
  },
  // Claude Haiku 4.5: `This model does not support the effort parameter.`
  { what: 'effort', says: /effort|output_config/i, isIn: ({ output_config: config }) => config !== undefined },
  { what: 'thinking', says: /thinking|budget_tokens/i, isIn: (body) => thinkingType(body) !== undefined },
  {
    what: 'disable_parallel_tool_use',
    says: /disable_parallel_tool_use/,
    isIn: (body) => 'disable_parallel_tool_use' in choice(body),
  },
  // Servers with strict fields: `messages.0.content.0.text.cache_control: Extra inputs are not permitted`
  { what: 'cache_control', says: /cache_control/, isIn: hasBreakpoints },
  // Claude Mythos and Fable: `tool_choice: type "tool" and "any" are not supported for this model.`
  {
    what: 'forced-choice',
    says: /tool_choice.*(?:not supported|unsupported|not available)/i,
    isIn: (body) => ['any', 'tool'].includes(String(choice(body).type)),
  },
  // Claude Opus 4.1 and later: `temperature` and `top_p` cannot both be specified; the rarer one goes first.
  { what: 'top_p', says: /top_p/, isIn: ({ top_p: value }) => value !== undefined },
  { what: 'top_k', says: /top_k/, isIn: ({ top_k: value }) => value !== undefined },
  { what: 'temperature', says: /temperature/, isIn: ({ temperature: value }) => value !== undefined },
]

/** Which part of a body a server's refusal is about; undefined where it is about none that can be spared. */
export function refusedPart(body: JsonObject, status: number, text: string): Refusable | undefined {
  if (status !== 400 && status !== 422) return undefined
  return refusals.find(({ says, isIn }) => isIn(body) && says.test(text))?.what
}
