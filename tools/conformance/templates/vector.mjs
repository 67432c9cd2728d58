// @ts-check
import { now } from './templates.mjs'

/** @import { AssistantPart, Conversation, Tool, ToolChoice, Turn, UserPart } from '../../../src/index.ts' */
/** @import { ExpectedReply, Vector } from '../library/template-types.ts' */

/** @typedef {Record<string, unknown>} Fields */

/** @type {Readonly<Record<string, 'text' | 'reasoning'>>} */
const continued = { content: 'text', reasoning: 'reasoning' }

/**
 * Reads a vector from JSON.
 * @param {unknown} json
 * @returns {Vector}
 * @throws {Error} where it cannot be one: the message says why
 */
export function parseVector(json) {
  const fields = record(json, 'the vector')
  const request = record(fields.request, 'request')
  const continueReply = continued[String(request.continue_final_message)]
  return {
    id: String(fields.id),
    conversation: parseConversation(request),
    prompt: { now, ...(continueReply && { continueReply }) },
    reader: {
      ...(request.reasoning_format === 'none' && { reasoningAs: 'text' }),
      ...(isRecord(request.json_schema) && { responseFormat: 'json' }),
    },
    output: text(fields.output, 'output'),
    end: fields.truncated === true ? 'length' : 'stop',
    expected: parseExpected(record(fields.expect, 'expect'), fields.truncated === true),
  }
}

/**
 * @param {Fields} request
 * @returns {Conversation}
 */
function parseConversation(request) {
  const messages = list(request.messages).map((message) => record(message, 'a message'))
  const [first] = messages
  const system = first?.role === 'system' ? contentOf(first) : ''
  return {
    model: '',
    system,
    turns: turnsOf(first?.role === 'system' ? messages.slice(1) : messages),
    tools: list(request.tools).map(parseTool),
    toolChoice: parseToolChoice(request.tool_choice),
    parallelCalls: request.parallel_tool_calls === true,
    stopSequences: [],
    sampling: {},
    ...(typeof request.enable_thinking === 'boolean' && { reasoning: { enabled: request.enable_thinking } }),
  }
}

/**
 * @param {readonly Fields[]} messages
 * @returns {Turn[]}
 */
function turnsOf(messages) {
  /** @type {Map<string, string>} the tool of each call */
  const called = new Map()
  return messages.map((message) => {
    if (message.role === 'system') return { role: 'system', text: contentOf(message) }
    if (message.role === 'assistant') return { role: 'assistant', parts: assistantParts(message, called) }
    return { role: 'user', parts: [userPart(message, called)] }
  })
}

/**
 * @param {Fields} message
 * @param {ReadonlyMap<string, string>} called
 * @returns {UserPart}
 */
function userPart(message, called) {
  const content = contentOf(message)
  if (message.role !== 'tool') return { type: 'text', text: content }
  const callId = String(message.tool_call_id ?? '')
  const name = called.get(callId) ?? ''
  return { type: 'result', callId, name, content: [{ type: 'text', text: content }], isError: false }
}

/**
 * @param {Fields} message
 * @param {Map<string, string>} called
 * @returns {AssistantPart[]}
 */
function assistantParts(message, called) {
  /** @type {AssistantPart[]} */
  const parts = []
  const { reasoning_content: reasoning } = message
  if (typeof reasoning === 'string' && reasoning !== '') parts.push({ type: 'reasoning', text: reasoning })
  const content = contentOf(message)
  if (content !== '') parts.push({ type: 'text', text: content })
  for (const json of list(message.tool_calls ?? [])) {
    const call = record(json, 'a call')
    const { name, arguments: written } = record(call.function, 'the function of a call')
    const id = String(call.id ?? '')
    called.set(id, String(name))
    parts.push({ type: 'call', id, name: String(name), arguments: asJson(written) })
  }
  return parts
}

/** @param {Fields} message */
function contentOf({ content }) {
  if (typeof content === 'string') return content
  return list(content ?? [])
    .map((part) => (isRecord(part) && typeof part.text === 'string' ? part.text : ''))
    .join('')
}

/**
 * @param {unknown} json
 * @returns {Tool}
 */
function parseTool(json) {
  const { name, description, parameters } = record(record(json, 'a tool').function, 'the function of a tool')
  return {
    name: text(name, 'the name of a tool'),
    description: typeof description === 'string' ? description : '',
    schema: isRecord(parameters) ? /** @type {Tool['schema']} */ (parameters) : {},
  }
}

/**
 * @param {unknown} choice
 * @returns {ToolChoice}
 */
function parseToolChoice(choice) {
  if (choice === 'required' || choice === 'none') return { type: choice }
  if (!isRecord(choice)) return { type: 'auto' }
  return {
    type: 'named',
    name: text(record(choice.function, 'tool_choice.function').name, 'tool_choice.function.name'),
  }
}

/**
 * @param {Fields} expect
 * @param {boolean} isCut
 * @returns {ExpectedReply}
 */
function parseExpected(expect, isCut) {
  const calls = list(expect.tool_calls ?? []).map((json) => {
    const call = record(json, 'an expected call')
    const written = asJson(call.arguments)
    const id = typeof call.id === 'string' && call.id !== '' ? { id: call.id } : {}
    return { name: text(call.name, 'the name of an expected call'), json: written, ...parsed(written), ...id }
  })
  return { content: contentOf(expect), reasoning: String(expect.reasoning_content ?? ''), calls, isCut }
}

/**
 * @param {string} json
 * @returns {{ arguments?: unknown }} none where it is no JSON, as where it was cut
 */
function parsed(json) {
  try {
    return { arguments: JSON.parse(json) }
  } catch {
    return {}
  }
}

/** @param {unknown} value */
function asJson(value) {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** @param {unknown} value */
function list(value) {
  if (Array.isArray(value)) return /** @type {unknown[]} */ (value)
  throw new Error('messages, tools and calls must be arrays')
}

/**
 * @param {unknown} value
 * @returns {value is Fields}
 */
function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * @param {unknown} value
 * @param {string} what
 */
function record(value, what) {
  if (isRecord(value)) return value
  throw new Error(`${what} is not an object`)
}

/**
 * @param {unknown} value
 * @param {string} what
 */
function text(value, what) {
  if (typeof value === 'string') return value
  throw new Error(`${what} is not a text`)
}
