import { createHash, createVerify } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/conversation/index.ts'

/** The service's error for a body that does not have the form of its models. */
export const malformed = 'Please pass in correct format of request.'

type Check = (value: JsonValue | undefined) => boolean
type Shape = Readonly<Record<string, Check>>

const text: Check = (value) => typeof value === 'string'
const filled: Check = (value) => typeof value === 'string' && value !== ''
const flag: Check = (value) => typeof value === 'boolean'
const amount: Check = (value) => typeof value === 'number'
const object: Check = isJsonObject
const is = (literal: string): Check => {
  return (value) => value === literal
}
const oneOf = (...literals: string[]): Check => {
  return (value) => typeof value === 'string' && literals.includes(value)
}
const listOf = (item: Check): Check => {
  return (value) => Array.isArray(value) && value.every(item)
}
const mapOf = (item: Check): Check => {
  return (value) => isJsonObject(value) && Object.values(value).every(item)
}
const any = (...checks: Check[]): Check => {
  return (value) => checks.some((check) => check(value))
}
/** An object with these fields and no others; those of `optional` may be missing. */
const shape = (required: Shape, optional: Shape = {}): Check => {
  return (value) =>
    isJsonObject(value) &&
    Object.keys(required).every((key) => value[key] !== undefined) &&
    Object.entries(value).every(([key, field]) => (required[key] ?? optional[key])?.(field) ?? false)
}

const sampling: Shape = {
  isStream: flag,
  streamOptions: shape({}, { isIncludeUsage: flag }),
  maxTokens: amount,
  temperature: amount,
  topP: amount,
  topK: amount,
  frequencyPenalty: amount,
  presencePenalty: amount,
  seed: amount,
}

const content = listOf(
  any(
    shape({ type: is('TEXT'), text }),
    shape({ type: is('IMAGE'), imageUrl: shape({ url: filled }, { detail: oneOf('AUTO', 'HIGH', 'LOW') }) }),
  ),
)
const functionCall = shape({ id: filled, type: is('FUNCTION'), name: filled, arguments: text })

const genericRequest = shape(
  {
    apiFormat: is('GENERIC'),
    messages: listOf(
      any(
        shape({ role: oneOf('SYSTEM', 'USER'), content }),
        shape({ role: is('ASSISTANT'), content }, { toolCalls: listOf(functionCall), reasoningContent: text }),
        shape({ role: is('TOOL'), content, toolCallId: filled }),
      ),
    ),
  },
  {
    ...sampling,
    maxCompletionTokens: amount,
    reasoningEffort: oneOf('NONE', 'MINIMAL', 'LOW', 'MEDIUM', 'HIGH'),
    tools: listOf(shape({ type: is('FUNCTION'), name: filled, parameters: object }, { description: text })),
    toolChoice: any(shape({ type: oneOf('AUTO', 'NONE', 'REQUIRED') }), shape({ type: is('FUNCTION'), name: filled })),
    isParallelToolCalls: flag,
  },
)

const cohereCall = shape({ name: text, parameters: object })
const cohereResults = listOf(shape({ call: cohereCall, outputs: listOf(object) }))
const toolName: Check = (value) => typeof value === 'string' && /^[A-Za-z_]\w*$/.test(value)
const pythonType: Check = (value) =>
  typeof value === 'string' && /^(?:str|int|float|bool|Dict|List(?:\[(?:str|int|float|bool|Dict|List)\])?)$/.test(value)

const cohereRequest = shape(
  { apiFormat: is('COHERE'), message: text },
  {
    ...sampling,
    preambleOverride: text,
    chatHistory: listOf(
      any(
        shape({ role: is('USER'), message: filled }),
        shape({ role: is('CHATBOT'), message: filled }, { toolCalls: listOf(cohereCall) }),
        shape({ role: is('TOOL'), toolResults: cohereResults }),
      ),
    ),
    tools: listOf(
      shape(
        { name: toolName, description: filled },
        { parameterDefinitions: mapOf(shape({ type: pythonType }, { description: text, isRequired: flag })) },
      ),
    ),
    toolResults: cohereResults,
    isForceSingleStep: flag,
  },
)

const contentV2 = listOf(
  any(
    shape({ type: is('TEXT'), text: filled }),
    shape({ type: is('THINKING'), thinking: text }),
    shape({ type: is('IMAGE_URL'), imageUrl: shape({ url: filled }, { detail: oneOf('AUTO', 'HIGH', 'LOW') }) }),
  ),
)
const filledV2: Check = (value) => contentV2(value) && Array.isArray(value) && value.length > 0
const callV2 = shape({ id: filled, type: is('FUNCTION'), function: shape({ name: toolName, arguments: text }) })

const cohereV2Request = shape(
  {
    apiFormat: is('COHEREV2'),
    messages: listOf(
      any(
        shape({ role: oneOf('SYSTEM', 'USER'), content: filledV2 }),
        shape({ role: is('ASSISTANT'), content: filledV2 }, { toolPlan: text, toolCalls: listOf(callV2) }),
        shape({ role: is('TOOL'), content: filledV2, toolCallId: filled }),
      ),
    ),
  },
  {
    ...sampling,
    tools: listOf(
      shape({
        type: is('FUNCTION'),
        function: shape({ name: toolName, parameters: object }, { description: text }),
      }),
    ),
    toolsChoice: oneOf('REQUIRED', 'NONE'),
    thinking: shape({ type: oneOf('ENABLED', 'DISABLED') }, { tokenBudget: amount }),
  },
)

const chatDetails = shape({
  compartmentId: filled,
  servingMode: any(
    shape({ servingType: is('ON_DEMAND'), modelId: filled }),
    shape({ servingType: is('DEDICATED'), endpointId: filled }),
  ),
  chatRequest: any(genericRequest, cohereRequest, cohereV2Request),
})

/** Returns the error with which the service refuses the body of a chat request; undefined if it accepts it. */
export function refuseBody(body: JsonObject): string | undefined {
  if (!chatDetails(body)) return malformed
  const { chatRequest } = body
  return isJsonObject(chatRequest) && chatRequest.apiFormat === 'COHERE' ? refuseCohere(chatRequest) : undefined
}

/** Cohere's own rules for the turns; its words come as JSON in the message. */
function refuseCohere({ message, chatHistory = [], toolResults }: JsonObject): string | undefined {
  const refuse = (why: string): string => JSON.stringify({ message: `invalid request: ${why}` })
  const history = Array.isArray(chatHistory) ? chatHistory.filter(isJsonObject) : []
  if (message === '' && toolResults === undefined) {
    return refuse('message must be at least 1 token long or tool results must be specified.')
  }
  if (message !== '' && toolResults !== undefined) return refuse('cannot specify both message and tool_results')
  if (message !== '' && history.at(-1)?.role === 'TOOL') {
    return refuse('cannot specify message if the last entry in chat history contains tool results')
  }
  for (const [index, { toolCalls }] of history.entries()) {
    if (!Array.isArray(toolCalls)) continue
    const answered = index === history.length - 1 ? toolResults : history[index + 1]?.toolResults
    const calls = Array.isArray(answered) ? answered.map((result) => (isJsonObject(result) ? result.call : null)) : []
    if (!toolCalls.every((call) => calls.some((other) => JSON.stringify(other) === JSON.stringify(call)))) {
      return refuse("An assistant message with 'tool_calls' must be followed by tool messages")
    }
  }
  return undefined
}

/** The parts of the header `authorization` of a request signature. */
export function readSignature(header: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]))
}

const mustBeSigned = ['(request-target)', 'host', 'content-length', 'content-type', 'x-content-sha256'] as const

/** True if the request is signed as OCI requires, over its target, its body and its date, with the key. */
export function isSigned(path: string, headers: IncomingHttpHeaders, body: string, publicKey: string): boolean {
  const { version, algorithm, headers: names = '', signature = '' } = readSignature(headers.authorization ?? '')
  const signed = names.toLowerCase().split(' ')
  if (version !== '1' || algorithm !== 'rsa-sha256' || !headers.authorization?.startsWith('Signature ')) return false
  if (!mustBeSigned.every((name) => signed.includes(name)) || !signed.some((name) => /^(?:x-)?date$/.test(name))) {
    return false
  }
  if (headers['x-content-sha256'] !== createHash('sha256').update(body).digest('base64')) return false
  const lines = signed.map((name) =>
    name === '(request-target)' ? `${name}: post ${path}` : `${name}: ${headers[name]}`,
  )
  return createVerify('RSA-SHA256').update(lines.join('\n')).verify(publicKey, signature, 'base64')
}
