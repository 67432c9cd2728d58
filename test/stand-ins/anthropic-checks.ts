import { isJsonObject, type JsonObject, type JsonValue } from '../../src/conversation/index.ts'

/** What some models refuse that others take. */
export interface AnthropicQuirks {
  /** Claude Opus 4.7 and later: thinking is adaptive or off. */
  adaptiveOnly?: boolean
  /** Claude Haiku 4.5 and earlier. */
  noEffort?: boolean
  noThinking?: boolean
  /** DeepSeek: thinks where it is not told otherwise, and wants its reasoning back beside each call; by its own signature, or by any. */
  wantsReasoning?: 'signed' | 'any'
  noForcedChoice?: boolean
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

/** What the Messages API would say against a request; undefined where it takes it. */
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
    againstMessages(body, quirks)
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
    case 'disabled':
    case 'adaptive':
      return onlyKeys(thinking, ['type'], `thinking.${thinking.type}`)
    case 'enabled':
      break
    default:
      return 'thinking: Input tag does not match any of the expected tags'
  }
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

/** The signature of all thinking that the stand-in writes. */
export const thinkingSignature = 'c2ln'

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
    const extra = onlyKeys(tool, ['name', 'description', 'input_schema'], `tools.${index}.custom`)
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

interface Message {
  role: unknown
  blocks: JsonObject[]
}

function messagesOf(body: JsonObject): Message[] {
  const messages: unknown[] = Array.isArray(body.messages) ? body.messages : []
  return messages.map((message) => {
    const { role, content }: JsonObject = isJsonObject(message) ? message : {}
    if (typeof content === 'string') return { role, blocks: [{ type: 'text', text: content }] }
    return { role, blocks: Array.isArray(content) ? content.filter(isJsonObject) : [] }
  })
}

const blockKeys: Readonly<Record<string, readonly string[]>> = {
  text: ['type', 'text'],
  thinking: ['type', 'thinking', 'signature'],
  image: ['type', 'source'],
  tool_use: ['type', 'id', 'name', 'input'],
  tool_result: ['type', 'tool_use_id', 'content', 'is_error'],
}

function againstMessages(body: JsonObject, quirks: AnthropicQuirks): string | undefined {
  const messages = messagesOf(body)
  if (messages.length === 0) return 'messages: at least one message is required'
  let open: JsonValue[] = []
  for (const [index, { role, blocks }] of messages.entries()) {
    const path = `messages.${index}`
    if (role !== 'user' && role !== 'assistant') return `${path}.role: Input should be 'user' or 'assistant'`
    if (index > 0 && messages[index - 1]?.role === role)
      return 'messages: roles must alternate between "user" and "assistant"'
    if (blocks.length === 0) return `${path}: all messages must have non-empty content`
    for (const [place, block] of blocks.entries()) {
      const blockPath = `${path}.content.${place}`
      const wrong = againstBlock(block, blockPath)
      if (wrong !== undefined) return wrong
      if (block.type === 'thinking' && !quirks.wantsReasoning && block.signature !== thinkingSignature)
        return `${blockPath}: Invalid \`signature\` in \`thinking\` block`
    }
    const answered = blocks.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id ?? null] : []))
    if (open.some((id) => !answered.includes(id))) {
      return `${path}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}`
    }
    if (answered.some((id) => !open.includes(id)))
      return `${path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks`
    if (blocks.slice(0, answered.length).some(({ type }) => type !== 'tool_result')) {
      return `${path}: \`tool_result\` blocks must come first`
    }
    open = blocks.flatMap(({ type, id }) => (type === 'tool_use' && id !== undefined ? [id] : []))
  }
  const end = messages.at(-1)
  const text = end?.role === 'assistant' ? end.blocks.at(-1)?.text : undefined
  return typeof text === 'string' && /\s$/.test(text)
    ? 'messages: final assistant content cannot end with trailing whitespace'
    : undefined
}

function againstBlock(block: JsonObject, path: string): string | undefined {
  const keys = blockKeys[String(block.type)]
  if (!keys) return `${path}: Input tag '${block.type}' found does not match any of the expected tags`
  const extra = onlyKeys(block, keys, `${path}.${block.type}`)
  if (extra !== undefined) return extra
  switch (block.type) {
    case 'text':
      return String(block.text).trim() === ''
        ? 'messages: text content blocks must contain non-whitespace text'
        : undefined
    case 'tool_use':
      if (!/^[\w-]+$/.test(String(block.id)))
        return `${path}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`
      return isJsonObject(block.input) ? undefined : `${path}.tool_use.input: Input should be a valid dictionary`
    case 'image': {
      const source: JsonObject = isJsonObject(block.source) ? block.source : {}
      const wanted = source.type === 'base64' ? ['type', 'media_type', 'data'] : ['type', 'url']
      return onlyKeys(source, wanted, `${path}.image.source.${source.type}`)
    }
    default:
      return undefined
  }
}

function onlyKeys(value: JsonObject, keys: readonly string[], path: string): string | undefined {
  const extra = Object.keys(value).find((key) => !keys.includes(key))
  return extra === undefined ? undefined : `${path}.${extra}: Extra inputs are not permitted`
}
