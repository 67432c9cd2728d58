import type {
  AssistantTurn,
  Conversation,
  ImagePart,
  JsonObject,
  TextPart,
  ToolChoice,
  Turn,
  UserTurn,
} from '../../conversation/index.ts'
import { argumentsTextOf, parametersOf, resultText, splitUserTurn, systemReminder } from '../conversation-parts.ts'
import type { ChatMessage, MessagesRequest, ToolsRequest } from '../upstream.ts'

/** Encodes a request in the GENERIC format: `messages`, and the tools if it has any. */
export function encodeGeneric(request: MessagesRequest | ToolsRequest): JsonObject {
  return request.type === 'messages'
    ? { messages: request.messages.map(encodeMessage) }
    : encodeConversation(request.conversation)
}

const roles: Readonly<Record<ChatMessage['role'], string>> = { system: 'SYSTEM', user: 'USER', assistant: 'ASSISTANT' }

function encodeMessage({ role, parts, reasoning }: ChatMessage): JsonObject {
  const message: JsonObject = { role: roles[role], content: encodeContent(parts) }
  if (reasoning !== undefined) message.reasoningContent = reasoning
  return message
}

function encodeConversation({ system, turns, tools, toolChoice, parallelCalls }: Conversation): JsonObject {
  const messages: JsonObject[] = system === '' ? [] : [textMessage('SYSTEM', system)]
  messages.push(...turns.flatMap(encodeTurn))
  const body: JsonObject = { messages }
  if (tools.length === 0) return body
  body.tools = tools.map(({ name, description, schema }) => ({
    type: 'FUNCTION',
    name,
    ...(description !== '' && { description }),
    parameters: parametersOf(schema),
  }))
  if (toolChoice.type !== 'auto') body.toolChoice = encodeToolChoice(toolChoice)
  if (!parallelCalls) body.isParallelToolCalls = false
  return body
}

function encodeToolChoice(choice: ToolChoice): JsonObject {
  return choice.type === 'named' ? { type: 'FUNCTION', name: choice.name } : { type: choice.type.toUpperCase() }
}

function encodeTurn(turn: Turn): JsonObject[] {
  switch (turn.role) {
    case 'system':
      return [textMessage('USER', systemReminder(turn.text))]
    case 'user':
      return encodeUserTurn(turn)
    case 'assistant':
      return encodeAssistantTurn(turn)
  }
}

function encodeUserTurn(turn: UserTurn): JsonObject[] {
  const { results, rest } = splitUserTurn(turn)
  const messages = results.map((part): JsonObject => {
    return { ...textMessage('TOOL', resultText(part)), toolCallId: part.callId }
  })
  if (rest.length > 0) messages.push({ role: 'USER', content: encodeContent(rest) })
  return messages
}

function encodeAssistantTurn({ parts }: AssistantTurn): JsonObject[] {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const thoughts = parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('\n')
  const toolCalls = parts.flatMap((part) =>
    part.type === 'call'
      ? [{ id: part.id, type: 'FUNCTION', name: part.name, arguments: argumentsTextOf(part.arguments) }]
      : [],
  )
  if (text === '' && toolCalls.length === 0 && thoughts === '') return []
  const message = textMessage('ASSISTANT', text)
  if (thoughts !== '') message.reasoningContent = thoughts
  if (toolCalls.length > 0) message.toolCalls = toolCalls
  return [message]
}

function textMessage(role: string, text: string): JsonObject {
  return { role, content: [{ type: 'TEXT', text }] }
}

function encodeContent(parts: readonly (TextPart | ImagePart)[]): JsonObject[] {
  if (parts.length === 0) return [{ type: 'TEXT', text: '' }]
  return parts.map((part) => {
    if (part.type === 'text') return { type: 'TEXT', text: part.text }
    const detail = part.detail === undefined ? {} : { detail: part.detail.toUpperCase() }
    return { type: 'IMAGE', imageUrl: { url: part.url, ...detail } }
  })
}
