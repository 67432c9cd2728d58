import {
  type AssistantTurn,
  type ChatMessage,
  type Conversation,
  type ImagePart,
  listedToolsOf,
  type TextPart,
  type Tool,
  type Turn,
  type UserTurn,
  type WrittenText,
} from '../../conversation/index.ts'
import type { Dialect, PromptContext } from '../format/dialect.ts'
import { joiner } from '../marks/mark-pattern.ts'
import { withFoundTools } from './found-tools.ts'
import { standApart } from './render.ts'
import { describeResponseFormat } from './response-format.ts'

/** The parts of a conversation that its prompt is made of. */
export type WritableConversation = Pick<
  Conversation,
  'system' | 'turns' | 'tools' | 'listedTools' | 'toolChoice' | 'parallelCalls' | 'responseFormat'
>

/**
 * Returns a conversation as messages of text: the tools are described in the system message, calls and results are in
 * the text as the dialect writes them. The messages depend on nothing but the conversation, so the prompt of a turn is
 * the beginning of the next turn's.
 */
export function writeMessages(
  conversation: WritableConversation,
  dialect: Dialect,
  context: PromptContext,
): ChatMessage[] {
  const messages: ChatMessage[] = []
  const { tools } = conversation
  const { trigger, accept } = context
  const promptContext: PromptContext = accept === undefined ? { trigger, tools } : { trigger, tools, accept }
  const inputs: PromptInputs = { dialect, promptContext, tools, usesDialect: needsDialect(conversation) }
  const system = writeSystem(conversation, inputs)
  if (system !== '') messages.push({ role: 'system', parts: [{ type: 'text', text: system }] })
  for (const turn of withFoundTools(conversation.turns)) append(messages, writeTurn(turn, inputs), inputs)
  return messages
}

/** The inputs that all parts of a prompt share. */
interface PromptInputs {
  dialect: Dialect
  promptContext: PromptContext
  tools: readonly Tool[]
  /** False in a conversation without any tools: text of others is then left as it is. */
  usesDialect: boolean
}

/** True if the dialect is used: tools are offered, or calls were made before. */
export function needsDialect({ tools, turns }: Pick<Conversation, 'tools' | 'turns'>): boolean {
  return (
    tools.length > 0 ||
    turns.some((turn) => turn.role !== 'system' && turn.parts.some(({ type }) => type === 'call' || type === 'result'))
  )
}

/** Returns a text of others with the dialect's marks neutralised. */
function quoted(text: string, { dialect, promptContext, usesDialect }: PromptInputs): string {
  return usesDialect ? dialect.neutralise(text, promptContext) : text
}

function writeSystem(conversation: WritableConversation, inputs: PromptInputs): string {
  const { dialect, promptContext } = inputs
  const { system, toolChoice, parallelCalls } = conversation
  const tools = listedToolsOf(conversation)
  const texts = [quoted(system, inputs)]
  if (tools.length > 0) texts.push(dialect.describe({ tools, toolChoice, parallelCalls }, promptContext))
  texts.push(quoted(describeResponseFormat(conversation), inputs))
  return texts.filter((text) => text !== '').join('\n\n')
}

function writeTurn(turn: Turn, inputs: PromptInputs): ChatMessage {
  switch (turn.role) {
    case 'system': {
      // Few templates take a system message between the turns; the tag is the one that Claude Code itself uses.
      const text = quoted(turn.text, inputs)
      return { role: 'user', parts: [{ type: 'text', text: `<system-reminder>\n${text}\n</system-reminder>` }] }
    }
    case 'user':
      return writeUserTurn(turn, inputs)
    case 'assistant':
      return writeAssistantTurn(turn, inputs)
  }
}

function writeUserTurn(turn: UserTurn, inputs: PromptInputs): ChatMessage {
  const parts: (TextPart | ImagePart)[] = []
  for (const part of turn.parts) {
    switch (part.type) {
      case 'image':
        parts.push(part)
        break
      case 'text':
        addText(parts, quoted(part.text, inputs), inputs)
        break
      case 'result':
        addText(parts, inputs.dialect.renderResult(part, inputs.promptContext), inputs)
        parts.push(...part.content.filter((content) => content.type === 'image'))
    }
  }
  return { role: 'user', parts }
}

function writeAssistantTurn(turn: AssistantTurn, inputs: PromptInputs): ChatMessage {
  const { dialect, promptContext, tools, usesDialect } = inputs
  const rendered = usesDialect ? dialect.renderAssistant(turn.parts, promptContext, tools) : textOf(turn)
  const written = usesDialect ? writtenIn(turn, dialect, rendered) : undefined
  const text = written?.text ?? rendered
  // The model would read its reasoning twice.
  const isInText = written !== undefined && !written.hasReasoningApart
  const parts = isInText ? [] : turn.parts
  const thoughts = parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('\n')
  return {
    role: 'assistant',
    parts: text === '' ? [] : [{ type: 'text', text }],
    ...(thoughts !== '' && { reasoning: thoughts }),
  }
}

/**
 * Returns the text as the model wrote it, which an engine has in its cache; undefined if the turn must be rendered. A dialect that writes the
 * ids of calls writes those to which the results refer.
 */
function writtenIn({ parts, written }: AssistantTurn, { name }: Dialect, rendered: string): WrittenText | undefined {
  if (written?.dialect !== name) return undefined
  const showsIds = parts.some((part) => part.type === 'call' && rendered.includes(part.id))
  return showsIds ? undefined : written
}

function textOf(turn: AssistantTurn): string {
  return turn.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

/** Adds a message; one of the same role as the last continues it, since many templates want the roles to take turns. */
function append(messages: ChatMessage[], message: ChatMessage, inputs: PromptInputs): void {
  if (message.parts.length === 0 && message.reasoning === undefined) return
  const last = messages.at(-1)
  if (last?.role !== message.role) {
    messages.push(message)
    return
  }
  for (const part of message.parts) {
    if (part.type === 'text') addText(last.parts, part.text, inputs)
    else last.parts.push(part)
  }
  const thoughts = [last.reasoning, message.reasoning].filter((text) => text !== undefined)
  if (thoughts.length > 0) last.reasoning = thoughts.join('\n')
}

/** The end of a result, after which no mark continues. Text of others never contains it, as it is a mark itself. */
const resultEnd = /<\/tool_(?:result|response)>$/i

/**
 * Adds a text on its own line. If it continues a mark that the text before it has begun, a word joiner separates the
 * two: text written before is never changed, because the engine has it in its cache.
 */
function addText(
  parts: (TextPart | ImagePart)[],
  text: string,
  { dialect, promptContext, usesDialect }: PromptInputs,
): void {
  if (text === '') return
  const last = parts.at(-1)
  if (last?.type !== 'text') {
    parts.push({ type: 'text', text })
    return
  }
  const neutralise = (written: string) => dialect.neutralise(written, promptContext)
  const isApart = !usesDialect || resultEnd.test(last.text) || standApart(last.text, `\n${text}`, neutralise)
  last.text += `\n${isApart ? '' : joiner}${text}`
}
