import type {
  AssistantTurn,
  Conversation,
  JsonObject,
  JsonValue,
  ToolChoice,
  Turn,
  UserTurn,
} from '../../conversation/index.ts'
import { argumentsTextOf, parametersOf, resultText, splitUserTurn, systemReminder } from '../conversation-parts.ts'
import { encodeContent } from './content.ts'
import type { ReasoningField } from './parts.ts'

/**
 * A conversation with its tools, calls and results, as OpenAI's Chat Completions API takes it. Without a field for it,
 * reasoning is left out.
 */
export function encodeConversation(conversation: Conversation, reasoningField: ReasoningField | undefined): JsonObject {
  const { system, turns, tools, toolChoice, parallelCalls } = conversation
  const messages: JsonObject[] = system === '' ? [] : [{ role: 'system', content: system }]
  messages.push(...turns.flatMap((turn) => encodeTurn(turn, reasoningField)))
  const body: JsonObject = { messages }
  if (tools.length === 0) return body
  body.tools = tools.map(({ name, description, schema }) => ({
    type: 'function',
    function: { name, ...(description !== '' && { description }), parameters: parametersOf(schema) },
  }))
  // What is the API's own default is left out: older servers refuse what they do not know.
  if (toolChoice.type !== 'auto') body.tool_choice = encodeToolChoice(toolChoice)
  if (!parallelCalls) body.parallel_tool_calls = false
  return body
}

function encodeToolChoice(choice: ToolChoice): JsonValue {
  return choice.type === 'named' ? { type: 'function', function: { name: choice.name } } : choice.type
}

function encodeTurn(turn: Turn, reasoningField: ReasoningField | undefined): JsonObject[] {
  switch (turn.role) {
    case 'system':
      return [{ role: 'user', content: systemReminder(turn.text) }]
    case 'user':
      return encodeUserTurn(turn)
    case 'assistant':
      return encodeAssistantTurn(turn, reasoningField)
  }
}

function encodeUserTurn(turn: UserTurn): JsonObject[] {
  const { results, rest } = splitUserTurn(turn)
  const messages = results.map((part): JsonObject => {
    return { role: 'tool', tool_call_id: part.callId, content: resultText(part) }
  })
  if (rest.length > 0) messages.push({ role: 'user', content: encodeContent(rest) })
  return messages
}

function encodeAssistantTurn({ parts }: AssistantTurn, reasoningField: ReasoningField | undefined): JsonObject[] {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const thoughts =
    reasoningField === undefined
      ? ''
      : parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('\n')
  const calls = parts.flatMap((part) =>
    part.type === 'call'
      ? [{ id: part.id, type: 'function', function: { name: part.name, arguments: argumentsTextOf(part.arguments) } }]
      : [],
  )
  if (text === '' && calls.length === 0 && thoughts === '') return []
  const message: JsonObject = { role: 'assistant', content: text === '' && calls.length > 0 ? null : text }
  if (reasoningField !== undefined && thoughts !== '') message[reasoningField] = thoughts
  if (calls.length > 0) message.tool_calls = calls
  return [message]
}
