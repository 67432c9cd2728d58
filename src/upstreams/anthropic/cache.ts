import { isJsonObject, type JsonObject, type JsonValue } from '../../conversation/index.ts'

// Prompt caching of the Messages API: https://platform.claude.com/docs/en/build-with-claude/prompt-caching. A block with
// `cache_control` is a breakpoint: the prompt up to it is written to the cache, or read from there. Of a prompt that is too short
// to be cached nothing is said. The field on the request itself would set one breakpoint in our place, but Bedrock and Vertex AI
// refuse it (inspect_ai #3851); on blocks, every server takes it that serves Claude Code.

const breakpoint: JsonObject = { cache_control: { type: 'ephemeral' } }

/**
 * Adds the four breakpoints that the API allows: after the tools and the system prompt, which conversations share, and
 * after the last two messages of the user. The previous request ended at the first of these two messages. Without a
 * breakpoint there, the API searches back only 20 blocks, which ten calls with their results fill.
 */
export function withBreakpoints(body: JsonObject): JsonObject {
  const marked: JsonObject = { ...body }
  if (Array.isArray(body.tools)) marked.tools = markLast(body.tools)
  if (typeof body.system === 'string') marked.system = markLast([{ type: 'text', text: body.system }])
  if (Array.isArray(body.messages)) {
    const users = body.messages.filter((message) => isJsonObject(message) && message.role === 'user').slice(-2)
    marked.messages = body.messages.map((message) =>
      isJsonObject(message) && Array.isArray(message.content) && users.includes(message)
        ? { ...message, content: markLast(message.content) }
        : message,
    )
  }
  return marked
}

export function hasBreakpoints({ tools, system, messages }: JsonObject): boolean {
  const turns = Array.isArray(messages) ? messages : []
  const contents = turns.map((message) => (isJsonObject(message) ? message.content : undefined))
  return [tools, system, ...contents].some((blocks) => Array.isArray(blocks) && blocks.some(isMarked))
}

function markLast(blocks: readonly JsonValue[]): JsonValue[] {
  return blocks.map((block, index) =>
    index === blocks.length - 1 && isJsonObject(block) ? { ...block, ...breakpoint } : block,
  )
}

function isMarked(block: JsonValue): boolean {
  return isJsonObject(block) && block.cache_control !== undefined
}
