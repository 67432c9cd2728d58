import {
  type AssistantPart,
  type Conversation,
  freezeOnlyList,
  type JsonObject,
  type JsonValue,
  ListMemo,
  memoize,
  type Tool,
  type Turn,
  type UserPart,
} from '../../conversation/index.ts'
import type { Marks } from '../../dialects/index.ts'
import { perStep, type Steps } from '../../json/index.ts'

/** The markers that only the template may write into a prompt. */
export interface PromptMarks {
  /** For text of others (users, tools, the system prompt): every marker of the template. */
  others: Marks
  /**
   * For the model's text: the markers that open and close turns. Markers of its reasoning are kept; templates look for
   * them.
   */
  own: Marks
  /** Calls are written by the dialect, which breaks its marks in them itself. */
  leavesCalls?: boolean
}

/** The tools as prompts contain them, by the marks of the template. */
const quotedTools = memoize((_: Marks) => new ListMemo<Tool[]>())

/**
 * A conversation that neutralises markers in its texts: engines tokenize a marker as a special token anywhere in a
 * prompt, so a web page or a user could end a turn, begin another, or call. The reader restores markers that the model
 * repeats.
 */
export function* quotedConversation(conversation: Conversation, marks: PromptMarks): Steps<Conversation> {
  const others = (text: string): string => marks.others.neutralise(text)
  const own = (text: string): string => marks.own.neutralise(text)
  const { listedTools } = conversation
  const ownParts = (part: AssistantPart): AssistantPart =>
    part.type === 'call' && marks.leavesCalls ? part : ownPart(part, own)
  const tools = toolsQuoted(conversation.tools, marks.others)
  yield
  const listed = listedTools && toolsQuoted(listedTools, marks.others)
  yield
  const turns: Turn[] = []
  for (const turn of conversation.turns) {
    turns.push(quotedTurn(turn, others, ownParts))
    if (turns.length % perStep === 0) yield
  }
  return { ...conversation, system: others(conversation.system), tools, ...(listed && { listedTools: listed }), turns }
}

function toolsQuoted(tools: readonly Tool[], marks: Marks): Tool[] {
  return quotedTools(marks).of(tools, () => {
    const quoted = tools.map((tool) => quotedTool(tool, (text) => marks.neutralise(text)))
    // Whatever is derived from them is cached by the list of tools.
    return Object.isFrozen(tools) ? freezeOnlyList(quoted) : quoted
  })
}

function quotedTurn(turn: Turn, others: Quote, ownParts: (part: AssistantPart) => AssistantPart): Turn {
  switch (turn.role) {
    case 'system':
      return { ...turn, text: others(turn.text) }
    case 'user':
      return { ...turn, parts: turn.parts.map((part) => quotedPart(part, others)) }
    case 'assistant':
      return { ...turn, parts: turn.parts.map(ownParts) }
  }
}

type Quote = (text: string) => string

function quotedTool(tool: Tool, quote: Quote): Tool {
  return { ...tool, description: quote(tool.description), schema: quotedObject(tool.schema, quote) }
}

function quotedObject(object: JsonObject, quote: Quote): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, value === undefined ? value : quotedValue(value, quote)]),
  )
}

/** Names stay as they are: calls go by them. */
function quotedValue(value: JsonValue, quote: Quote): JsonValue {
  if (typeof value === 'string') return quote(value)
  if (Array.isArray(value)) return value.map((item) => quotedValue(item, quote))
  return typeof value === 'object' && value !== null ? quotedObject(value, quote) : value
}

function quotedPart(part: UserPart, quote: Quote): UserPart {
  switch (part.type) {
    case 'image':
      return part
    case 'text':
      return { ...part, text: quote(part.text) }
    case 'result':
      return {
        ...part,
        content: part.content.map((content) =>
          content.type === 'text' ? { ...content, text: quote(content.text) } : content,
        ),
      }
  }
}

function ownPart(part: AssistantPart, quote: Quote): AssistantPart {
  return part.type === 'call' ? { ...part, arguments: quote(part.arguments) } : { ...part, text: quote(part.text) }
}
