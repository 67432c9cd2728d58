import { isJsonObject, type JsonObject } from '../../conversation/index.ts'
import { lacks, type Mendable } from './mended.ts'

/** The fields of a message that servers have for its reasoning: DeepSeek's and llama-server's; that of Groq, Cerebras and Ollama. */
export const reasoningFields = ['reasoning_content', 'reasoning'] as const
export type ReasoningField = (typeof reasoningFields)[number]

/** The fields of a request for the most tokens of a reply. OpenAI's newer models take only the second, others only the first. */
export const maxTokensFields = ['max_tokens', 'max_completion_tokens'] as const
export type MaxTokensField = (typeof maxTokensFields)[number]

/** Efforts that few models know, and the nearest that most do. */
export const commonEfforts: ReadonlyMap<unknown, string> = new Map([
  ['minimal', 'low'],
  ['xhigh', 'high'],
  ['max', 'high'],
])

/** What some servers and models refuse, and a request can do without or can have otherwise: fields, and what `openai-chat-mended.ts` mends. */
export type Refusable =
  | Mendable
  | 'stream_options'
  | ReasoningField
  | MaxTokensField
  | 'rare-effort'
  | 'no-effort'
  | 'effort-with-tools'
  | 'reasoning_effort'
  | 'chat_template_kwargs'
  | 'parallel_tool_calls'
  | 'top_k'
  | 'top_p'
  | 'temperature'
  | 'presence_penalty'
  | 'frequency_penalty'
  | 'seed'

interface Refusal {
  what: Refusable
  /** What the server says: this, or this along with words that refuse a field. A value that is out of range stays the client's fault. */
  says: RegExp | { name: RegExp }
  /** Whether a body has it. Absent: it is a field of the body itself. */
  isIn?(body: JsonObject): boolean
}

/**
 * OpenAI: `Unsupported parameter`, `Unrecognized request argument`, `Only the default (1) value is supported`. Groq, Cerebras:
 * `property 'reasoning_content' is unsupported`. Mistral and others in Python: `body.top_k: Extra inputs are not permitted`. xAI:
 * `does not support parameter presencePenalty`. Gemini: `Unknown name "top_k"`. Moonshot: `only 1 is allowed for this model`.
 */
const refusing =
  /unsupported|not support|not permitted|not allowed|unknown|unrecogni[sz]ed|unexpected|cannot both|only \S+ is allowed/i

/** Ollama: `invalid reasoning value: 'max' (must be …)`, `think value "low" is not supported`, `"m" does not support thinking`. */
const effort = /reasoning_?effort|reasoning value|think value|not support thinking/i

const inMessages =
  (field: ReasoningField) =>
  ({ messages }: JsonObject): boolean =>
    Array.isArray(messages) && messages.some((message) => isJsonObject(message) && message[field] !== undefined)

/** DeepSeek: ``The `reasoning_content` in the thinking mode must be passed back``; Kimi: `… reasoning_content is missing in assistant …`. */
const lostReasoning = /reasoning_content\b.*\b(?:must be passed back|is missing)\b/is

/** What refusals look like; the first that fits counts. */
const refusals: readonly Refusal[] = [
  // Mistral, and vLLM for its models: `Unexpected role 'user' after role 'tool'`
  {
    what: 'user-behind-result',
    says: /role \W?user\W? after role \W?tool\b/i,
    isIn: (body) => lacks(body, 'user-behind-result'),
  },
  { what: 'missing-reasoning', says: lostReasoning, isIn: (body) => lacks(body, 'missing-reasoning') },
  { what: 'thinking-on', says: lostReasoning, isIn: ({ thinking }) => thinking === undefined },
  // Gemini 3: `Function call is missing a thought_signature in functionCall parts.`
  {
    what: 'missing-signature',
    says: /\bmissing a \W?thought_?signature\b/i,
    isIn: (body) => lacks(body, 'missing-signature'),
  },
  // Mistral: `Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9`; its templates: `Tool call IDs should be alphanumeric
  // strings with length 9!`; OpenAI: `messages[2].tool_calls[0].id': string too long`
  {
    what: 'unfit-ids',
    says: /\btool call ids? (?:was|should be)\b|\btool_calls?\b\S*id\b.*\b(?:too long|pattern)\b/is,
    isIn: (body) => lacks(body, 'unfit-ids'),
  },
  // OpenAI, DeepSeek: `'tools[0].function.name': string does not match pattern`; Mistral: `Function name was a.b but must be a-z, …`;
  // Gemini: `Invalid function name. Must start with a letter`; Moonshot: `function name is invalid, must start with a letter`
  {
    what: 'unfit-names',
    says: /\bfunction[\s.]name\b.*\b(?:pattern|too long|must|invalid)\b|\binvalid function name\b|does not match '\^\[a-zA-Z0-9_-\]/is,
    isIn: (body) => lacks(body, 'unfit-names'),
  },
  { what: 'stream_options', says: /stream_?options/i },
  // OpenAI's gpt-5.6, whether an effort was sent or not: `… or set reasoning_effort to 'none'.`
  {
    what: 'effort-with-tools',
    says: /\bset reasoning_effort to \W?none\b/i,
    isIn: ({ tools, reasoning_effort: sent }) => tools !== undefined && sent !== 'none',
  },
  { what: 'rare-effort', says: effort, isIn: (body) => commonEfforts.has(body.reasoning_effort) },
  // Not the field, for those who want an effort: most models that think know no `none`.
  { what: 'no-effort', says: effort, isIn: (body) => body.reasoning_effort === 'none' },
  { what: 'reasoning_effort', says: effort },
  // vLLM: `chat_template is not supported for Mistral tokenizers.`
  { what: 'chat_template_kwargs', says: { name: /chat_template/ } },
  { what: 'reasoning_content', says: { name: /reasoning_content/ }, isIn: inMessages('reasoning_content') },
  // As a name: the bare word may be about the model's own.
  { what: 'reasoning', says: { name: /['"`.]reasoning\b/ }, isIn: inMessages('reasoning') },
  // At most one call a reply is seen to here as well.
  { what: 'parallel_tool_calls', says: /parallel_?tool_?calls/i },
  { what: 'max_tokens', says: { name: /max_tokens/ } },
  { what: 'max_completion_tokens', says: { name: /max_completion_tokens/ } },
  { what: 'top_k', says: { name: /top_?k\b/i } },
  // Where a model takes one of `temperature` and `top_p` (Claude), the rarer one goes.
  { what: 'top_p', says: { name: /top_?p\b/i } },
  { what: 'temperature', says: { name: /\btemperature\b/i } },
  { what: 'presence_penalty', says: { name: /presence_?penalty/i } },
  { what: 'frequency_penalty', says: { name: /frequency_?penalty/i } },
  { what: 'seed', says: { name: /\bseed\b/i } },
]

/** What of a body a server's refusal is about; undefined where it is about nothing that can be spared. */
export function refusedPart(body: JsonObject, text: string): Refusable | undefined {
  return refusals.find(
    ({ what, says, isIn }) =>
      (isIn === undefined ? body[what] !== undefined : isIn(body)) &&
      (says instanceof RegExp ? says.test(text) : says.name.test(text) && refusing.test(text)),
  )?.what
}
