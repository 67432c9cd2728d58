import type {
  AssistantTurn,
  Conversation,
  ImagePart,
  JsonObject,
  ReasoningWish,
  Sampling,
  TextPart,
  Tool,
  UserTurn,
} from '../../conversation/index.ts'
import { withFormatInstructions } from '../../dialects/index.ts'
import { argumentsOf, dataOf, parametersOf, resultText, splitUserTurn, systemReminder } from '../conversation-parts.ts'
import type { ChatMessage, GenerationRequest, MessagesRequest, PromptRequest, ToolsRequest } from '../upstream.ts'

const samplingOptions: readonly [keyof Sampling, string][] = [
  ['temperature', 'temperature'],
  ['topP', 'top_p'],
  ['topK', 'top_k'],
  ['presencePenalty', 'presence_penalty'],
  ['frequencyPenalty', 'frequency_penalty'],
  ['seed', 'seed'],
]

/** The values of `think` that a model of Ollama accepts: levels (gpt-oss), true or false, or no value at all. */
export type Thinking = 'levels' | 'switch' | 'none'

export interface OllamaSettings {
  /** The context to load the model with, in tokens; absent: the server's default. */
  contextLength?: number
  thinking: Thinking
}

/**
 * By default Ollama cuts a prompt that is longer than the context at its beginning, where the tools are, without a
 * message. With these fields, versions that support them answer with an error that contains both lengths.
 */
const uncut = { truncate: false, shift: false } as const

/** The body of `POST /api/chat`, streamed. */
export function encodeChatBody(request: MessagesRequest | ToolsRequest, settings: OllamaSettings): JsonObject {
  const body: JsonObject = { model: request.model, stream: true, ...uncut }
  if (request.type === 'messages') body.messages = request.messages.map(encodeMessage)
  else {
    // The server does not describe the format to the model; it only applies a grammar.
    Object.assign(body, encodeConversation(withFormatInstructions(request.conversation)))
    const { responseFormat } = request.conversation
    // The grammar holds all of the reply, so that no call could be written.
    if (responseFormat && body.tools === undefined) {
      body.format = responseFormat.type === 'json' ? 'json' : responseFormat.schema
    }
  }
  const think = encodeThink(request.reasoning, settings.thinking)
  if (think !== undefined) body.think = think
  return withOptions(body, encodeOptions(request, settings))
}

/**
 * The body of `POST /api/generate` for a whole prompt, streamed. `beginning`: the text that the engine adds before it.
 */
export function encodePromptBody(request: PromptRequest, settings: OllamaSettings, beginning: string): JsonObject {
  const { model, prompt, stops } = request
  const options = encodeOptions(request, settings)
  // Stops replace those of the Modelfile, which may lack the markers of the prompt's template.
  if (stops.length > 0) options.stop = [...stops]
  const body: JsonObject = {
    model,
    prompt: beginning !== '' && prompt.startsWith(beginning) ? prompt.slice(beginning.length) : prompt,
    raw: true,
    stream: true,
    ...uncut,
    // Otherwise reasoning is removed from the text even for a raw prompt, together with its markers.
    think: false,
  }
  return withOptions(body, options)
}

/** Returns true if a request has an image with an address: Ollama does not download images. */
export function hasDistantImage(request: GenerationRequest): boolean {
  if (request.type === 'prompt') return false
  const parts =
    request.type === 'messages'
      ? request.messages.flatMap((message) => message.parts)
      : request.conversation.turns.flatMap((turn) => (turn.role === 'user' ? shownParts(turn) : []))
  return parts.some((part) => part.type === 'image' && dataOf(part.url) === undefined)
}

function shownParts({ parts }: UserTurn): (TextPart | ImagePart)[] {
  return parts.flatMap((part) => (part.type === 'result' ? part.content : [part]))
}

function withOptions(body: JsonObject, options: JsonObject): JsonObject {
  return Object.keys(options).length === 0 ? body : { ...body, options }
}

function encodeOptions({ maxTokens, sampling }: GenerationRequest, { contextLength }: OllamaSettings): JsonObject {
  const options: JsonObject = {}
  if (contextLength !== undefined) options.num_ctx = contextLength
  if (maxTokens !== undefined) options.num_predict = maxTokens
  for (const [key, option] of samplingOptions) {
    const value = sampling[key]
    if (value !== undefined) options[option] = value
  }
  return options
}

/** Efforts in the three levels of Ollama. */
const levels: Readonly<Record<string, string>> = {
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
}

function encodeThink(wish: ReasoningWish | undefined, thinking: Thinking): boolean | string | undefined {
  if (wish === undefined) return undefined
  if (!wish.enabled) return false
  if (thinking === 'none') return undefined
  return (thinking === 'levels' && wish.effort !== undefined ? levels[wish.effort] : undefined) ?? true
}

function encodeMessage({ role, parts, reasoning }: ChatMessage): JsonObject {
  return { role, ...encodeContent(parts), ...(reasoning !== undefined && { thinking: reasoning }) }
}

/** Encodes content. Texts are joined by line breaks; images are in a separate field. */
function encodeContent(parts: readonly (TextPart | ImagePart)[]): JsonObject {
  const texts: string[] = []
  const images: string[] = []
  for (const part of parts) {
    const inline = part.type === 'image' ? dataOf(part.url) : undefined
    if (part.type === 'text') texts.push(part.text)
    else if (inline) images.push(inline.data)
    // Without this text, models invent the image's content.
    else texts.push('[Attached here: image. Its content is not available.]')
  }
  const content = texts.join('\n')
  return images.length === 0 ? { content } : { content, images }
}

function encodeConversation({ system, turns, tools, toolChoice }: Conversation): JsonObject {
  const messages: JsonObject[] = system === '' ? [] : [{ role: 'system', content: system }]
  for (const turn of turns) {
    if (turn.role === 'system') messages.push({ role: 'user', content: systemReminder(turn.text) })
    else if (turn.role === 'user') messages.push(...encodeUserTurn(turn))
    else messages.push(...encodeAssistantTurn(turn))
  }
  // There is no choice of tools: those that may not be called are not shown.
  const shown =
    toolChoice.type === 'none'
      ? []
      : tools.filter(({ name }) => toolChoice.type !== 'named' || toolChoice.name === name)
  return shown.length === 0 ? { messages } : { messages, tools: shown.map(encodeTool) }
}

function encodeTool({ name, description, schema }: Tool): JsonObject {
  return {
    type: 'function',
    function: { name, ...(description !== '' && { description }), parameters: parametersOf(schema) },
  }
}

function encodeUserTurn(turn: UserTurn): JsonObject[] {
  const { results, rest } = splitUserTurn(turn)
  const messages = results.map((part): JsonObject => {
    return { role: 'tool', tool_name: part.name, tool_call_id: part.callId, content: resultText(part) }
  })
  if (rest.length > 0) messages.push({ role: 'user', ...encodeContent(rest) })
  return messages
}

function encodeAssistantTurn({ parts }: AssistantTurn): JsonObject[] {
  const content = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const thinking = parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('\n')
  const calls = parts.flatMap((part) =>
    part.type === 'call'
      ? [{ id: part.id, function: { name: part.name, arguments: argumentsOf(part.arguments) } }]
      : [],
  )
  if (content === '' && thinking === '' && calls.length === 0) return []
  const message: JsonObject = { role: 'assistant', content }
  if (thinking !== '') message.thinking = thinking
  if (calls.length > 0)
    message.tool_calls = calls.map((call, index) => ({ ...call, function: { index, ...call.function } }))
  return [message]
}
