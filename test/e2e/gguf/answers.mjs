// @ts-check
// The calls of an answer, in both protocols, whole and streamed; and the errors in them.
import { tools } from './requests.mjs'

/**
 * @typedef {object} Answer
 * @property {{ name: string, json: string }[]} calls
 * @property {boolean} isCut the token limit ended it
 * @property {number} reasoning its length
 */

/** @param {Response} response @param {import('./requests.mjs').Ask} ask @returns {Promise<Answer>} */
export async function answerOf(response, { protocol, stream }) {
  if (response.status !== 200) throw new Error(`status ${response.status}: ${await response.text()}`)
  if (!stream) {
    const body = await response.json()
    return protocol === 'openai' ? openaiAnswer(body) : anthropicAnswer(body)
  }
  const events = (await response.text())
    .split('\n\n')
    .flatMap((block) => block.split('\n').filter((line) => line.startsWith('data: ')))
    .map((line) => line.slice('data: '.length))
    .filter((data) => data !== '[DONE]')
    .map((data) => JSON.parse(data))
  const error = events.find((event) => event.error)
  if (error) throw new Error(`error in the stream: ${JSON.stringify(error)}`)
  return protocol === 'openai' ? openaiStream(events) : anthropicStream(events)
}

/** @param {any} body @returns {Answer} */
function openaiAnswer({ choices: [{ message, finish_reason: reason }] }) {
  const calls = (message.tool_calls ?? []).map((/** @type {any} */ { function: { name, arguments: json } }) => ({
    name,
    json,
  }))
  return { calls, isCut: reason === 'length', reasoning: message.reasoning_content?.length ?? 0 }
}

/** @param {any[]} chunks @returns {Answer} */
function openaiStream(chunks) {
  /** @type {Answer} */
  const answer = { calls: [], isCut: false, reasoning: 0 }
  for (const { choices } of chunks) {
    for (const { delta, finish_reason: reason } of choices) {
      if (reason === 'length') answer.isCut = true
      answer.reasoning += delta.reasoning_content?.length ?? 0
      for (const { index, function: piece } of delta.tool_calls ?? []) {
        answer.calls[index] ??= { name: '', json: '' }
        const call = answer.calls[index]
        call.name += piece.name ?? ''
        call.json += piece.arguments ?? ''
      }
    }
  }
  return answer
}

/** @param {any} body @returns {Answer} */
function anthropicAnswer({ content, stop_reason: reason }) {
  /** @type {Answer} */
  const answer = { calls: [], isCut: reason === 'max_tokens', reasoning: 0 }
  for (const block of content) {
    if (block.type === 'tool_use') answer.calls.push({ name: block.name, json: JSON.stringify(block.input) })
    if (block.type === 'thinking') answer.reasoning += block.thinking.length
  }
  return answer
}

/** @param {any[]} events @returns {Answer} */
function anthropicStream(events) {
  /** @type {Answer} */
  const answer = { calls: [], isCut: false, reasoning: 0 }
  for (const event of events) {
    if (event.type === 'content_block_start' && event.content_block.type === 'tool_use')
      answer.calls.push({ name: event.content_block.name, json: '' })
    const last = answer.calls.at(-1)
    if (event.type === 'content_block_delta' && event.delta.type === 'input_json_delta' && last)
      last.json += event.delta.partial_json
    if (event.type === 'content_block_delta' && event.delta.type === 'thinking_delta')
      answer.reasoning += event.delta.thinking.length
    if (event.type === 'message_delta' && event.delta.stop_reason === 'max_tokens') answer.isCut = true
  }
  return answer
}

/**
 * Returns the error in an answer that was not cut; undefined if there is none.
 * @param {Answer} answer
 * @param {import('./requests.mjs').Ask} ask
 * @param {(schema: unknown, value: unknown) => string | undefined} schemaFault
 * @returns {string | undefined}
 */
export function faultOf({ calls }, { choice, parallel }, schemaFault) {
  if (choice === 'none' && calls.length > 0) return 'a call where none was allowed'
  if (choice !== 'none' && choice !== 'auto' && calls.length === 0) return 'no call'
  if (!parallel && calls.length > 1) return 'several calls where one was allowed'
  for (const { name, json } of calls) {
    if (typeof choice === 'object' && name !== choice.name) return `a call of ${name}`
    const tool = tools.find((one) => one.name === name)
    if (!tool) return `a call of an unknown tool: ${name}`
    let value
    try {
      // Anthropic streams nothing for a call without arguments.
      value = JSON.parse(json === '' ? '{}' : json)
    } catch {
      return `arguments of ${name} that are no JSON: ${json}`
    }
    const fault = schemaFault(tool.schema, value)
    if (fault !== undefined) return `arguments of ${name} that do not fit: ${fault}`
  }
  return undefined
}
