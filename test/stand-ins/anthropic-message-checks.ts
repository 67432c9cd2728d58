import { isJsonObject, type JsonObject, type JsonValue } from '../../src/conversation/index.ts'

// The errors of the Messages API for messages and the blocks in them.

/** The signature of all thinking that the stand-in writes. */
export const thinkingSignature = 'c2ln'

export interface Message {
  role: unknown
  blocks: JsonObject[]
}

export function messagesOf(body: JsonObject): Message[] {
  const messages: unknown[] = Array.isArray(body.messages) ? body.messages : []
  return messages.map((message) => {
    const { role, content }: JsonObject = isJsonObject(message) ? message : {}
    if (typeof content === 'string') return { role, blocks: [{ type: 'text', text: content }] }
    return { role, blocks: Array.isArray(content) ? content.filter(isJsonObject) : [] }
  })
}

const blockKeys: Readonly<Record<string, readonly string[]>> = {
  text: ['type', 'text', 'cache_control'],
  thinking: ['type', 'thinking', 'signature'],
  image: ['type', 'source', 'cache_control'],
  tool_use: ['type', 'id', 'name', 'input', 'cache_control'],
  tool_result: ['type', 'tool_use_id', 'content', 'is_error', 'cache_control'],
}

/** `takesAnySignature`: as servers do that are not Anthropic. */
export function againstMessages(body: JsonObject, takesAnySignature: boolean): string | undefined {
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
      if (block.type === 'thinking' && !takesAnySignature && block.signature !== thinkingSignature)
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

export function againstBlock(block: JsonObject, path: string): string | undefined {
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

export function onlyKeys(value: JsonObject, keys: readonly string[], path: string): string | undefined {
  const extra = Object.keys(value).find((key) => !keys.includes(key))
  return extra === undefined ? undefined : `${path}.${extra}: Extra inputs are not permitted`
}
