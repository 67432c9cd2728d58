import type { AssistantTurn, Conversation, ToolChoice, Turn, UserTurn } from '../../conversation/index.ts'
import {
  argumentsTextOf,
  type ObjectSchema,
  parametersOf,
  resultText,
  splitUserTurn,
  systemReminder,
} from '../conversation-parts.ts'
import { type ChatContent, encodeContent } from './content.ts'
import type { ReasoningField } from './parts.ts'

// Aliases and no interfaces: bodies are JSON objects, to which TypeScript assigns aliases alone.

/** A message of the API. */
export type ChatMessageParam =
  | { role: 'system'; content: string }
  | { role: 'user'; content: ChatContent }
  | { role: 'tool'; tool_call_id: string; content: string }
  | ChatAssistantParam

/** A message of the assistant. */
export type ChatAssistantParam = {
  role: 'assistant'
  content: string | null
  tool_calls?: ChatCallParam[]
  reasoning_content?: string
  reasoning?: string
}

export type ChatCallParam = { id: string; type: 'function'; function: { name: string; arguments: string } }

/** The fields of a request that a conversation fills. */
export type ChatConversation = {
  messages: ChatMessageParam[]
  tools?: { type: 'function'; function: ChatFunctionParam }[]
  tool_choice?: ChatToolChoice
  parallel_tool_calls?: boolean
}

export type ChatFunctionParam = { name: string; description?: string; parameters: ObjectSchema; strict?: boolean }

export type ChatToolChoice = 'none' | 'auto' | 'required' | { type: 'function'; function: { name: string } }

/**
 * A conversation with its tools, calls and results, as OpenAI's Chat Completions API takes it. Without a field for it,
 * reasoning is left out.
 */
export function encodeConversation(
  conversation: Conversation,
  reasoningField: ReasoningField | undefined,
): ChatConversation {
  const { system, turns, tools, toolChoice, parallelCalls } = conversation
  const messages: ChatMessageParam[] = system === '' ? [] : [{ role: 'system', content: system }]
  messages.push(...turns.flatMap((turn) => encodeTurn(turn, reasoningField)))
  const body: ChatConversation = { messages }
  if (tools.length === 0) return body
  body.tools = tools.map(({ name, description, schema, strict }) => ({
    type: 'function',
    function: {
      name,
      ...(description !== '' && { description }),
      parameters: parametersOf(schema),
      ...(strict !== undefined && { strict }),
    },
  }))
  // The API's own default is left out, because older servers refuse unknown fields.
  if (toolChoice.type !== 'auto') body.tool_choice = encodeToolChoice(toolChoice)
  if (!parallelCalls) body.parallel_tool_calls = false
  return body
}

function encodeToolChoice(choice: ToolChoice): ChatToolChoice {
  return choice.type === 'named' ? { type: 'function', function: { name: choice.name } } : choice.type
}

function encodeTurn(turn: Turn, reasoningField: ReasoningField | undefined): ChatMessageParam[] {
  switch (turn.role) {
    case 'system':
      return [{ role: 'user', content: systemReminder(turn.text) }]
    case 'user':
      return encodeUserTurn(turn)
    case 'assistant':
      return encodeAssistantTurn(turn, reasoningField)
  }
}

function encodeUserTurn(turn: UserTurn): ChatMessageParam[] {
  const { results, rest } = splitUserTurn(turn)
  const messages = results.map((part): ChatMessageParam => {
    return { role: 'tool', tool_call_id: part.callId, content: resultText(part) }
  })
  if (rest.length > 0) messages.push({ role: 'user', content: encodeContent(rest) })
  return messages
}

function encodeAssistantTurn(
  { parts }: AssistantTurn,
  reasoningField: ReasoningField | undefined,
): ChatAssistantParam[] {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const thoughts =
    reasoningField === undefined
      ? ''
      : parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('\n')
  const calls = parts.flatMap((part): ChatCallParam[] =>
    part.type === 'call'
      ? [{ id: part.id, type: 'function', function: { name: part.name, arguments: argumentsTextOf(part.arguments) } }]
      : [],
  )
  if (text === '' && calls.length === 0 && thoughts === '') return []
  const message: ChatAssistantParam = { role: 'assistant', content: text === '' && calls.length > 0 ? null : text }
  if (reasoningField !== undefined && thoughts !== '') message[reasoningField] = thoughts
  if (calls.length > 0) message.tool_calls = calls
  return [message]
}
