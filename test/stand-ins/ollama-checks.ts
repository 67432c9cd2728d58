import { isJsonObject, type JsonObject, type JsonValue } from '../../src/conversation/index.ts'

// Ollama is written in Go: it ignores an unknown field, and a field of the wrong type is an error of Go's JSON.

const requestFields: Readonly<Record<string, readonly string[]>> = {
  '/api/chat': [
    'model',
    'messages',
    'tools',
    'stream',
    'format',
    'options',
    'think',
    'keep_alive',
    'truncate',
    'shift',
  ],
  '/api/generate': [
    'model',
    'prompt',
    'suffix',
    'system',
    'template',
    'context',
    'stream',
    'raw',
    'format',
    'options',
    'think',
    'keep_alive',
    'images',
    'truncate',
    'shift',
  ],
}
const messageFields = ['role', 'content', 'thinking', 'images', 'tool_calls', 'tool_name', 'tool_call_id']
const optionFields = [
  ...['num_ctx', 'num_predict', 'temperature', 'top_p', 'top_k', 'min_p', 'seed', 'stop', 'num_keep'],
  ...['presence_penalty', 'frequency_penalty', 'repeat_penalty', 'repeat_last_n'],
]
const wholeOptions = new Set(['num_ctx', 'num_predict', 'top_k', 'seed', 'num_keep', 'repeat_last_n'])
/** The levels that a version accepts in addition to true and false. */
const levels = ['high', 'medium', 'low']

export interface CheckedRequest {
  /** The error that Ollama would answer with status 400. */
  wrong?: string
  /** Paths of fields that it would pass over. */
  ignored: string[]
}

/** Checks the body of a generation as Ollama reads it. */
export function checkRequest(path: string, body: JsonObject): CheckedRequest {
  const ignored = unknown(body, requestFields[path] ?? [], '')
  const options: JsonObject = isJsonObject(body.options) ? body.options : {}
  ignored.push(...unknown(options, optionFields, 'options.'))
  const messages: JsonValue[] = Array.isArray(body.messages) ? body.messages : []
  for (const [index, message] of messages.entries()) {
    if (isJsonObject(message)) ignored.push(...unknown(message, messageFields, `messages[${index}].`))
  }
  const wrong =
    wrongThink(body.think) ?? wrongOption(options) ?? messages.map(wrongMessage).find((said) => said !== undefined)
  return wrong === undefined ? { ignored } : { ignored, wrong }
}

function unknown(value: JsonObject, known: readonly string[], path: string): string[] {
  return Object.keys(value).flatMap((key) => (known.includes(key) ? [] : [path + key]))
}

function wrongThink(think: JsonValue | undefined): string | undefined {
  if (think === undefined || typeof think === 'boolean' || levels.includes(String(think))) return undefined
  return `invalid think value: "${think}" (must be "high", "medium", "low", true, or false)`
}

function wrongOption(options: JsonObject): string | undefined {
  for (const [key, value] of Object.entries(options)) {
    if (key === 'stop') {
      if (!Array.isArray(value)) return 'option "stop" must be of type array'
    } else if (wholeOptions.has(key) && !Number.isInteger(value)) return `option "${key}" must be of type integer`
    else if (typeof value !== 'number') return `option "${key}" must be of type float32`
  }
  return undefined
}

function wrongMessage(message: JsonValue): string | undefined {
  if (!isJsonObject(message))
    return 'json: cannot unmarshal into Go struct field ChatRequest.messages of type api.Message'
  if (typeof message.content !== 'string') {
    return 'json: cannot unmarshal array into Go struct field ChatRequest.messages.content of type string'
  }
  if (!['system', 'user', 'assistant', 'tool'].includes(String(message.role))) return `invalid role: ${message.role}`
  for (const image of Array.isArray(message.images) ? message.images : []) {
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(String(image))) return 'illegal base64 data at input byte 4'
  }
  for (const call of Array.isArray(message.tool_calls) ? message.tool_calls : []) {
    const told: JsonObject = isJsonObject(call) && isJsonObject(call.function) ? call.function : {}
    if (typeof told.name !== 'string')
      return 'json: cannot unmarshal into Go struct field ChatRequest.messages.tool_calls.function.name'
    if (!isJsonObject(told.arguments)) {
      return 'json: cannot unmarshal string into Go struct field ChatRequest.messages.tool_calls.function.arguments of type api.ToolCallFunctionArguments'
    }
  }
  return undefined
}
