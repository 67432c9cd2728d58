import { isJsonObject, type JsonObject } from '../../src/conversation/index.ts'
import {
  againstBlock,
  againstMessages,
  type Message,
  messagesOf,
  onlyKeys,
  thinkingSignature,
} from './anthropic-message-checks.ts'

/** Fields that some models refuse and others accept. */
export interface AnthropicQuirks {
  /** Claude Opus 4.7 and later: thinking is adaptive or off. */
  adaptiveOnly?: boolean
  /** Claude Opus 5.5: thinking is adaptive. */
  alwaysThinks?: boolean
  /** Claude Opus 5: high efforts go with thinking alone. */
  cappedEffort?: boolean
  /** Servers with an older `adaptive`. */
  noDisplay?: boolean
  /** Claude Haiku 4.5 and earlier. */
  noEffort?: boolean
  noThinking?: boolean
  /** DeepSeek: reasons by default, and requires its reasoning beside each call; with its own signature, or with any. */
  wantsReasoning?: 'signed' | 'any'
  noForcedChoice?: boolean
  /** Servers with strict fields that cache nothing. */
  noCacheControl?: boolean
  /** `temperature` and `top_p` together. */
  oneOfTemperatureAndTopP?: boolean
  /** The most output tokens of the model. */
  mostTokens?: number
  /** The context, which the prompt fills with so many tokens. */
  context?: { tokens: number; prompt: number }
}

const fields: Readonly<Record<string, (value: unknown) => boolean>> = {
  model: isText,
  messages: Array.isArray,
  max_tokens: isWhole,
  system: (value) => isText(value) || Array.isArray(value),
  stream: (value) => typeof value === 'boolean',
  tools: Array.isArray,
  tool_choice: isJsonObject,
  thinking: isJsonObject,
  output_config: isJsonObject,
  temperature: (value) => typeof value === 'number' && value >= 0 && value <= 1,
  top_p: (value) => typeof value === 'number' && value >= 0 && value <= 1,
  top_k: isWhole,
  stop_sequences: Array.isArray,
  metadata: isJsonObject,
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function isWhole(value: unknown): boolean {
  return Number.isInteger(value)
}

/** Returns the error of the Messages API for a request; undefined if it accepts it. */
export function complaint(body: JsonObject, quirks: AnthropicQuirks): string | undefined {
  for (const [field, value] of Object.entries(body)) {
    const check = fields[field]
    if (!check) return `${field}: Extra inputs are not permitted`
    if (!check(value)) return `${field}: Input should be a valid value`
  }
  for (const field of ['model', 'messages', 'max_tokens']) {
    if (body[field] === undefined) return `${field}: Field required`
  }
  return (
    againstLimits(body, quirks) ??
    againstThinking(body, quirks) ??
    againstSampling(body, quirks) ??
    againstTools(body, quirks) ??
    againstMessages(body, quirks.wantsReasoning !== undefined) ??
    againstCaching(body, quirks)
  )
}

function againstLimits(body: JsonObject, { mostTokens, context }: AnthropicQuirks): string | undefined {
  const maxTokens = Number(body.max_tokens)
  if (maxTokens < 1) return 'max_tokens: Input should be greater than or equal to 1'
  if (mostTokens !== undefined && maxTokens > mostTokens) {
    return `max_tokens: ${maxTokens} > ${mostTokens}, which is the maximum allowed number of output tokens for ${body.model}`
  }
  if (!context || context.prompt + maxTokens <= context.tokens) return undefined
  return context.prompt > context.tokens
    ? `prompt is too long: ${context.prompt} tokens > ${context.tokens} maximum`
    : `input length and \`max_tokens\` exceed context limit: ${context.prompt} + ${maxTokens} > ${context.tokens}, decrease input length or \`max_tokens\` and try again`
}

function againstThinking(body: JsonObject, quirks: AnthropicQuirks): string | undefined {
  if (body.output_config !== undefined && quirks.noEffort) return 'This model does not support the effort parameter.'
  const { thinking } = body
  if (quirks.wantsReasoning !== undefined) return againstLostReasoning(body, quirks.wantsReasoning)
  if (!isJsonObject(thinking)) return undefined
  if (quirks.noThinking) return `thinking: '${body.model}' does not support thinking.`
  switch (thinking.type) {
    case 'disabled': {
      if (quirks.alwaysThinks) return '"thinking.type.disabled" is not supported for this model.'
      const effort = isJsonObject(body.output_config) ? body.output_config.effort : undefined
      return quirks.cappedEffort && (effort === 'xhigh' || effort === 'max')
        ? `output_config.effort '${effort}' is not supported when thinking is disabled on this model. Use effort 'high' or below, or enable thinking.`
        : onlyKeys(thinking, ['type'], 'thinking.disabled')
    }
    case 'adaptive':
      return onlyKeys(thinking, quirks.noDisplay ? ['type'] : ['type', 'display'], 'thinking.adaptive')
    case 'enabled':
      break
    default:
      return 'thinking: Input tag does not match any of the expected tags'
  }
  if (quirks.alwaysThinks) return '"thinking.type.enabled" is not supported for this model.'
  if (quirks.adaptiveOnly) {
    return '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.'
  }
  const budget = Number(thinking.budget_tokens)
  if (!(budget >= 1024)) return 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024'
  if (budget >= Number(body.max_tokens)) return '`max_tokens` must be greater than `thinking.budget_tokens`.'
  if (isJsonObject(body.tool_choice) && ['any', 'tool'].includes(String(body.tool_choice.type))) {
    return 'Thinking may not be enabled when tool_choice forces tool use.'
  }
  const messages = messagesOf(body)
  const last = messages.at(-1)
  const before = messages.at(-2)
  if (last?.blocks.some(({ type }) => type === 'tool_result') && before?.blocks[0]?.type !== 'thinking') {
    return `messages.${messages.length - 2}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${before?.blocks[0]?.type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block.`
  }
  return undefined
}

/** DeepSeek passes over budgets, and Claude's rules for thinking. */
function againstLostReasoning(body: JsonObject, wanted: 'signed' | 'any'): string | undefined {
  if (isJsonObject(body.thinking) && body.thinking.type === 'disabled') return undefined
  const isReasoning = ({ type, signature }: JsonObject): boolean =>
    type === 'thinking' && (wanted === 'any' || signature === thinkingSignature)
  const isLost = ({ blocks }: Message): boolean =>
    blocks.some(({ type }) => type === 'tool_use') && !blocks.some(isReasoning)
  return messagesOf(body).some(isLost)
    ? 'The `content[].thinking` in the thinking mode must be passed back to the API.'
    : undefined
}

function againstSampling(body: JsonObject, quirks: AnthropicQuirks): string | undefined {
  const thinks = isJsonObject(body.thinking) && body.thinking.type !== 'disabled'
  if (thinks && (body.temperature ?? 1) !== 1) return '`temperature` may only be set to 1 when thinking is enabled.'
  if (thinks && body.top_k !== undefined) return '`top_k` must be unset when thinking is enabled.'
  if (quirks.oneOfTemperatureAndTopP && body.temperature !== undefined && body.top_p !== undefined) {
    return '`temperature` and `top_p` cannot both be specified for this model. Please use only one.'
  }
  return undefined
}

function againstTools(body: JsonObject, quirks: AnthropicQuirks): string | undefined {
  const tools: unknown[] = Array.isArray(body.tools) ? body.tools : []
  for (const [index, tool] of tools.entries()) {
    if (!isJsonObject(tool)) return `tools.${index}: Input should be a valid dictionary`
    const extra = onlyKeys(tool, ['name', 'description', 'input_schema', 'cache_control'], `tools.${index}.custom`)
    if (extra !== undefined) return extra
    if (!/^[\w-]{1,128}$/.test(String(tool.name)))
      return `tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`
    if (!isJsonObject(tool.input_schema) || tool.input_schema.type !== 'object') {
      return `tools.${index}.custom.input_schema.type: Input should be 'object'`
    }
  }
  const choice = body.tool_choice
  if (!isJsonObject(choice)) return undefined
  if (tools.length === 0) return 'tool_choice: tools must be provided'
  const keys: Readonly<Record<string, string[]>> = {
    auto: ['type', 'disable_parallel_tool_use'],
    any: ['type', 'disable_parallel_tool_use'],
    tool: ['type', 'name', 'disable_parallel_tool_use'],
    none: ['type'],
  }
  const known = keys[String(choice.type)]
  if (!known) return 'tool_choice: Input tag does not match any of the expected tags'
  if (quirks.noForcedChoice && (choice.type === 'any' || choice.type === 'tool')) {
    return 'tool_choice: type "tool" and "any" are not supported for this model.'
  }
  return onlyKeys(choice, known, `tool_choice.${choice.type}`)
}

function againstCaching(body: JsonObject, { noCacheControl }: AnthropicQuirks): string | undefined {
  const listed = (value: unknown, path: string): [string, JsonObject][] =>
    Array.isArray(value)
      ? value.filter(isJsonObject).map((block, at) => [`${path}.${at}.${block.type ?? 'custom'}`, block])
      : []
  const system = listed(body.system, 'system')
  for (const [path, block] of system) {
    const wrong = block.type === 'text' ? againstBlock(block, path) : `${path}: Input should be 'text'`
    if (wrong !== undefined) return wrong
  }
  const contents = messagesOf(body).flatMap(({ blocks }, at) => listed(blocks, `messages.${at}.content`))
  const marked = [...listed(body.tools, 'tools'), ...system, ...contents].filter(
    ([, block]) => 'cache_control' in block,
  )
  for (const [path, { cache_control: mark }] of marked) {
    if (noCacheControl) return `${path}.cache_control: Extra inputs are not permitted`
    if (!isJsonObject(mark) || mark.type !== 'ephemeral')
      return `${path}.cache_control: Input tag does not match any of the expected tags`
  }
  return marked.length > 4
    ? `A maximum of 4 blocks with cache_control may be provided. Found ${marked.length}.`
    : undefined
}
