import type { AssistantTurn, Conversation, ImagePart, TextPart, Turn, UserTurn } from '../conversation/index.ts'
import type { Dialect, Voice } from '../dialects/index.ts'
import type { ChatMessage } from '../upstreams/upstream.ts'

/** How a conversation is written as a prompt. */
export interface PromptOptions {
  dialect: Dialect
  voice: Voice
  /** What becomes of earlier reasoning: sent beside the text, or dropped. */
  reasoning: 'field' | 'drop'
}

/**
 * A conversation as messages for a model that only takes prompts: the tools are described in the system message, calls
 * and results stand in the text as the dialect writes them. Nothing in it depends on anything but the conversation, so
 * the prompt of a turn is the beginning of the next turn's.
 */
export function writePrompt(conversation: Conversation, options: PromptOptions): ChatMessage[] {
  const messages: ChatMessage[] = []
  const system = writeSystem(conversation, options)
  if (system !== '') messages.push({ role: 'system', parts: [{ type: 'text', text: system }] })
  for (const turn of conversation.turns) append(messages, writeTurn(turn, options))
  return messages
}

function writeSystem(conversation: Conversation, { dialect, voice }: PromptOptions): string {
  const { system, tools, toolChoice, parallelCalls } = conversation
  const texts = [dialect.neutralise(system, voice)]
  if (tools.length > 0) texts.push(dialect.describe({ tools, toolChoice, parallelCalls }, voice))
  return texts.filter((text) => text !== '').join('\n\n')
}

function writeTurn(turn: Turn, options: PromptOptions): ChatMessage {
  switch (turn.role) {
    case 'system': {
      // Few templates take a system message between the turns; the tag is the one that Claude Code itself uses.
      const text = options.dialect.neutralise(turn.text, options.voice)
      return { role: 'user', parts: [{ type: 'text', text: `<system-reminder>\n${text}\n</system-reminder>` }] }
    }
    case 'user':
      return writeUserTurn(turn, options)
    case 'assistant':
      return writeAssistantTurn(turn, options)
  }
}

function writeUserTurn(turn: UserTurn, { dialect, voice }: PromptOptions): ChatMessage {
  const parts: (TextPart | ImagePart)[] = []
  for (const part of turn.parts) {
    switch (part.type) {
      case 'image':
        parts.push(part)
        break
      case 'text':
        addText(parts, dialect.neutralise(part.text, voice))
        break
      case 'result':
        addText(parts, dialect.renderResult(part, voice))
        parts.push(...part.content.filter((content) => content.type === 'image'))
    }
  }
  return { role: 'user', parts }
}

function writeAssistantTurn(turn: AssistantTurn, { dialect, voice, reasoning }: PromptOptions): ChatMessage {
  const text = dialect.renderAssistant(turn.parts, voice)
  const thoughts = turn.parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('\n')
  return {
    role: 'assistant',
    parts: text === '' ? [] : [{ type: 'text', text }],
    ...(reasoning === 'field' && thoughts !== '' && { reasoning: thoughts }),
  }
}

/** Adds a message; one of the same role as the last continues it, since many templates want the roles to take turns. */
function append(messages: ChatMessage[], message: ChatMessage): void {
  if (message.parts.length === 0 && message.reasoning === undefined) return
  const last = messages.at(-1)
  if (last?.role !== message.role) {
    messages.push(message)
    return
  }
  for (const part of message.parts) {
    if (part.type === 'text') addText(last.parts, part.text)
    else last.parts.push(part)
  }
  const thoughts = [last.reasoning, message.reasoning].filter((text) => text !== undefined)
  if (thoughts.length > 0) last.reasoning = thoughts.join('\n')
}

function addText(parts: (TextPart | ImagePart)[], text: string): void {
  if (text === '') return
  const last = parts.at(-1)
  if (last?.type === 'text') last.text += `\n${text}`
  else parts.push({ type: 'text', text })
}
