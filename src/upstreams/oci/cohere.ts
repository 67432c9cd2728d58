import {
  AnycallError,
  type AssistantTurn,
  type Conversation,
  type ImagePart,
  type JsonObject,
  type Notice,
  type TextPart,
  type UserTurn,
} from '../../conversation/index.ts'
import { argumentsOf, systemReminder } from '../conversation-parts.ts'
import { cohereName, ToolNames } from '../tool-names.ts'
import type { MessagesRequest, ToolsRequest } from '../upstream.ts'
import { encodeCohereTool } from './cohere-tools.ts'
import type { EncodedChat } from './formats.ts'

interface ChatEntry {
  role: 'USER' | 'CHATBOT'
  message: string
  toolCalls?: JsonObject[]
}

interface ToolEntry {
  role: 'TOOL'
  toolResults: JsonObject[]
}

/** A message without text is refused. */
const noText = ' '
/** The user's message if the history ends with the model's own. */
const goOn = 'Continue.'

/** Encodes a request in the COHERE format. Throws an AnycallError for images, which the format does not support. */
export function encodeCohere(upstream: string, request: MessagesRequest | ToolsRequest): EncodedChat {
  return request.type === 'messages'
    ? encodeMessages(upstream, request)
    : encodeConversation(upstream, request.conversation)
}

function encodeMessages(upstream: string, { messages }: MessagesRequest): EncodedChat {
  const history = new CohereHistory()
  const system: string[] = []
  for (const { role, parts } of messages) {
    const text = textOf(upstream, parts)
    if (role === 'system') system.push(text)
    else if (role === 'user') history.addUser(text)
    else history.addChatbot(text)
  }
  return { fields: { ...preamble(system.join('\n\n')), ...history.fields }, notices: [], toolName: (sent) => sent }
}

function encodeConversation(upstream: string, conversation: Conversation): EncodedChat {
  const names = new ToolNames(conversation, cohereName)
  const history = new CohereHistory()
  const calls = new Map<string, JsonObject>()
  for (const turn of conversation.turns) {
    switch (turn.role) {
      case 'system':
        history.addUser(systemReminder(turn.text))
        break
      case 'user':
        addUserTurn(upstream, turn, history, calls, names)
        break
      case 'assistant':
        addAssistantTurn(turn, history, calls, names)
    }
  }
  const { fields, notices } = encodeTools(conversation, history.endsInResults, names)
  return {
    fields: { ...preamble(conversation.system), ...history.fields, ...fields },
    notices,
    toolName: (sent) => names.original(sent),
  }
}

/** The format has no tool choice. */
function encodeTools(
  { tools, toolChoice }: Conversation,
  endsInResults: boolean,
  names: ToolNames,
): { fields: JsonObject; notices: Notice[] } {
  const encode = (some: Conversation['tools']): JsonObject =>
    some.length === 0 ? {} : { tools: some.map((tool) => encodeCohereTool(tool, names)) }
  switch (toolChoice.type) {
    case 'auto':
      return { fields: encode(tools), notices: [] }
    case 'none':
      // Results need their tools beside them; a single step then is the answer.
      return { fields: endsInResults ? { ...encode(tools), isForceSingleStep: true } : {}, notices: [] }
    case 'required':
      return { fields: encode(tools), notices: [notForced('a call of some tool')] }
    case 'named':
      return {
        fields: encode(tools.filter(({ name }) => name === toolChoice.name)),
        notices: [notForced(`a call of "${toolChoice.name}"; it is offered alone`)],
      }
  }
}

function notForced(what: string): Notice {
  return {
    code: 'tool-choice-unsupported',
    message: `OCI's Cohere format cannot demand ${what}: the model decides by itself whether to call.`,
  }
}

function addUserTurn(
  upstream: string,
  { parts }: UserTurn,
  history: CohereHistory,
  calls: ReadonlyMap<string, JsonObject>,
  names: ToolNames,
): void {
  const rest: (TextPart | ImagePart)[] = []
  for (const part of parts) {
    if (part.type !== 'result') {
      rest.push(part)
      continue
    }
    const text = textOf(upstream, part.content)
    history.addResult({
      call: calls.get(part.callId) ?? { name: names.sent(part.name), parameters: {} },
      outputs: [part.isError ? { error: text } : { output: text }],
    })
  }
  if (rest.length > 0) history.addUser(textOf(upstream, rest))
}

function addAssistantTurn(
  { parts }: AssistantTurn,
  history: CohereHistory,
  calls: Map<string, JsonObject>,
  names: ToolNames,
): void {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const made: JsonObject[] = []
  for (const part of parts) {
    if (part.type !== 'call') continue
    const call = { name: names.sent(part.name), parameters: argumentsOf(part.arguments) }
    calls.set(part.id, call)
    made.push(call)
  }
  if (text !== '' || made.length > 0) history.addChatbot(text, made)
}

/** The conversation as a history, with the last user message or the last results outside of it. */
class CohereHistory {
  readonly #entries: (ChatEntry | ToolEntry)[] = []

  addUser(text: string): void {
    const last = this.#entries.at(-1)
    if (last?.role === 'USER') {
      last.message += `\n${text}`
      return
    }
    // "cannot specify message if the last entry in chat history contains tool results"
    if (last?.role === 'TOOL') this.addChatbot('')
    this.#entries.push({ role: 'USER', message: text === '' ? noText : text })
  }

  addChatbot(text: string, toolCalls: JsonObject[] = []): void {
    const entry: ChatEntry = { role: 'CHATBOT', message: text === '' ? noText : text }
    if (toolCalls.length > 0) entry.toolCalls = toolCalls
    this.#entries.push(entry)
  }

  /** Adds a result. Results of one turn form one message. */
  addResult(result: JsonObject): void {
    const last = this.#entries.at(-1)
    if (last?.role === 'TOOL') last.toolResults.push(result)
    else this.#entries.push({ role: 'TOOL', toolResults: [result] })
  }

  get endsInResults(): boolean {
    return this.#entries.at(-1)?.role === 'TOOL'
  }

  get fields(): JsonObject {
    const last = this.#entries.at(-1)
    if (last?.role === 'USER') return { message: last.message, ...this.#history(-1) }
    if (last?.role === 'TOOL') return { message: '', ...this.#history(-1), toolResults: last.toolResults }
    return { message: goOn, ...this.#history() }
  }

  #history(end?: number): JsonObject {
    const entries = this.#entries.slice(0, end).map((entry): JsonObject => ({ ...entry }))
    return entries.length === 0 ? {} : { chatHistory: entries }
  }
}

function preamble(system: string): JsonObject {
  return system === '' ? {} : { preambleOverride: system }
}

function textOf(upstream: string, parts: readonly (TextPart | ImagePart)[]): string {
  return parts
    .map((part) => {
      if (part.type === 'text') return part.text
      throw new AnycallError(
        'invalid-request',
        `Upstream "${upstream}" cannot send images to this model: OCI's Cohere format has none. Leave the image out, or ask a model of the Generic format.`,
      )
    })
    .join('\n')
}
