import type {
  AssistantTurn,
  Conversation,
  ImagePart,
  JsonObject,
  ReasoningWish,
  TextPart,
  Turn,
  UserTurn,
} from '../../conversation/index.ts'
import { argumentsTextOf, parametersOf, resultText, splitUserTurn, systemReminder } from '../conversation-parts.ts'
import { cohereName, ToolNames } from '../tool-names.ts'
import type { ChatMessage, MessagesRequest, ToolsRequest } from '../upstream.ts'
import type { EncodedChat } from './formats.ts'

// The COHEREV2 format, after the models CohereChatRequestV2 and CohereMessageV2 of Oracle's SDK.

const roles: Readonly<Record<ChatMessage['role'], string>> = { system: 'SYSTEM', user: 'USER', assistant: 'ASSISTANT' }

/** A message without text is refused. */
const noText = ' '

export function encodeCohereV2(request: MessagesRequest | ToolsRequest): EncodedChat {
  const thinking = encodeThinking(request.reasoning)
  if (request.type === 'tools') {
    const { fields, ...encoded } = encodeConversation(request.conversation)
    return { ...encoded, fields: { ...fields, ...thinking } }
  }
  return {
    fields: { messages: request.messages.map(encodeMessage), ...thinking },
    notices: [],
    toolName: (sent) => sent,
  }
}

/** Only the models that reason take it; others refuse it, and are asked without. */
function encodeThinking(wish: ReasoningWish | undefined): JsonObject {
  if (wish === undefined) return {}
  if (!wish.enabled) return { thinking: { type: 'DISABLED' } }
  const budget = wish.budgetTokens === undefined ? {} : { tokenBudget: wish.budgetTokens }
  return { thinking: { type: 'ENABLED', ...budget } }
}

function encodeMessage({ role, parts, reasoning }: ChatMessage): JsonObject {
  return { role: roles[role], content: [...thought(reasoning ?? ''), ...encodeContent(parts)] }
}

function encodeConversation(conversation: Conversation): EncodedChat {
  const { system, turns, tools, toolChoice } = conversation
  const names = new ToolNames(conversation, cohereName)
  const messages: JsonObject[] = system === '' ? [] : [{ role: 'SYSTEM', content: encodeText(system) }]
  messages.push(...turns.flatMap((turn) => encodeTurn(turn, names)))
  const fields: JsonObject = { messages }
  // A tool cannot be demanded by its name, but be the only one.
  const offered = toolChoice.type === 'named' ? tools.filter(({ name }) => name === toolChoice.name) : tools
  if (offered.length > 0) {
    fields.tools = offered.map(({ name, description, schema }) => ({
      type: 'FUNCTION',
      function: {
        name: names.sent(name),
        ...(description !== '' && { description }),
        parameters: parametersOf(schema),
      },
    }))
    if (toolChoice.type !== 'auto') fields.toolsChoice = toolChoice.type === 'none' ? 'NONE' : 'REQUIRED'
  }
  return { fields, notices: [], toolName: (sent) => names.original(sent) }
}

function encodeTurn(turn: Turn, names: ToolNames): JsonObject[] {
  switch (turn.role) {
    case 'system':
      return [{ role: 'USER', content: encodeText(systemReminder(turn.text)) }]
    case 'user':
      return encodeUserTurn(turn)
    case 'assistant':
      return encodeAssistantTurn(turn, names)
  }
}

function encodeUserTurn(turn: UserTurn): JsonObject[] {
  const { results, rest } = splitUserTurn(turn)
  const messages = results.map((part): JsonObject => {
    return { role: 'TOOL', content: encodeText(resultText(part)), toolCallId: part.callId }
  })
  if (rest.length > 0) messages.push({ role: 'USER', content: encodeContent(rest) })
  return messages
}

/**
 * Encodes a turn of the assistant. Reasoning before calls is the field for the plan; before an answer it is part of the
 * content.
 */
function encodeAssistantTurn({ parts }: AssistantTurn, names: ToolNames): JsonObject[] {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const thoughts = parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('\n')
  const toolCalls = parts.flatMap((part) =>
    part.type === 'call'
      ? [
          {
            id: part.id,
            type: 'FUNCTION',
            function: { name: names.sent(part.name), arguments: argumentsTextOf(part.arguments) },
          },
        ]
      : [],
  )
  if (text === '' && thoughts === '' && toolCalls.length === 0) return []
  if (toolCalls.length === 0) return [{ role: 'ASSISTANT', content: [...thought(thoughts), ...encodeText(text)] }]
  const plan = thoughts === '' ? {} : { toolPlan: thoughts }
  return [{ role: 'ASSISTANT', content: encodeText(text), ...plan, toolCalls }]
}

function thought(thinking: string): JsonObject[] {
  return thinking === '' ? [] : [{ type: 'THINKING', thinking }]
}

function encodeText(text: string): JsonObject[] {
  return [{ type: 'TEXT', text: text === '' ? noText : text }]
}

function encodeContent(parts: readonly (TextPart | ImagePart)[]): JsonObject[] {
  if (parts.length === 0) return encodeText('')
  return parts.flatMap((part): JsonObject[] => {
    if (part.type === 'text') return encodeText(part.text)
    const detail = part.detail === undefined ? {} : { detail: part.detail.toUpperCase() }
    return [{ type: 'IMAGE_URL', imageUrl: { url: part.url, ...detail } }]
  })
}
