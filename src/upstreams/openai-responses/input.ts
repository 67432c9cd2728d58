import type {
  AssistantTurn,
  ChatMessage,
  ImagePart,
  JsonObject,
  ReasoningPart,
  TextPart,
  Turn,
  UserTurn,
} from '../../conversation/index.ts'
import { argumentsTextOf, resultText, splitUserTurn } from '../conversation-parts.ts'
import type { ToolNames } from '../tool-names.ts'
import { itemOfReasoning } from './opaque-reasoning.ts'

/** The names in a request: those of its tools, and the upstream's; undefined: tools keep theirs, and reasoning is left out. */
export interface InputNames {
  tools: ToolNames | undefined
  upstream: string | undefined
}

/** The turns of a conversation as items. Of reasoning, a server takes only its own, encrypted. */
export function encodeInput(turns: readonly Turn[], names: InputNames): JsonObject[] {
  return turns.flatMap((turn): JsonObject[] => {
    if (turn.role === 'system') return [{ type: 'message', role: 'developer', content: turn.text }]
    return turn.role === 'user' ? encodeUser(turn) : encodeAssistant(turn, names)
  })
}

/** The messages of a prompt as items. */
export function encodeMessages(messages: readonly ChatMessage[]): JsonObject[] {
  return messages.map(({ role, parts }) => ({
    type: 'message',
    role,
    content: role === 'assistant' ? parts.map(written) : encodeParts(parts),
  }))
}

function encodeUser(turn: UserTurn): JsonObject[] {
  const { results, rest } = splitUserTurn(turn)
  const items: JsonObject[] = results.map((part) => ({
    type: 'function_call_output',
    call_id: part.callId,
    output: resultText(part),
  }))
  if (rest.length > 0) items.push({ type: 'message', role: 'user', content: encodeParts(rest) })
  return items
}

function encodeAssistant({ parts }: AssistantTurn, { tools: names, upstream }: InputNames): JsonObject[] {
  // The API refuses reasoning that nothing follows.
  const last = parts.findLastIndex((part) => part.type === 'call' || (part.type === 'text' && part.text !== ''))
  return parts.flatMap((part, index): JsonObject[] => {
    if (part.type === 'reasoning') return index < last ? reasoningItem(part, upstream) : []
    if (part.type === 'text')
      return part.text === '' ? [] : [{ type: 'message', role: 'assistant', content: [written(part)] }]
    const name = names?.sent(part.name) ?? part.name
    return [{ type: 'function_call', call_id: part.id, name, arguments: argumentsTextOf(part.arguments) }]
  })
}

function reasoningItem({ opaque }: ReasoningPart, upstream: string | undefined): JsonObject[] {
  const item = opaque === undefined || upstream === undefined ? undefined : itemOfReasoning(upstream, opaque)
  return item ? [item] : []
}

function written(part: TextPart | ImagePart): JsonObject {
  return { type: 'output_text', text: part.type === 'text' ? part.text : '', annotations: [] }
}

function encodeParts(parts: readonly (TextPart | ImagePart)[]): JsonObject[] {
  return parts.map((part) => {
    if (part.type === 'text') return { type: 'input_text', text: part.text }
    const detail = part.detail === 'low' || part.detail === 'high' ? part.detail : 'auto'
    return { type: 'input_image', image_url: part.url, detail }
  })
}
