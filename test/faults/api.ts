import { expect } from 'vitest'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/conversation/index.ts'
import { isThorough } from '../support/draws.ts'
import { eventually } from '../support/eventually.ts'
import type { LogLine, RunningGateway } from '../support/gateway-fixture.ts'
import { responseMisfits } from '../support/protocols/responses-schema.ts'
import { readResponseEvents } from '../support/protocols/responses-stream.ts'
import { gemini, ollama } from './whole-call-apis.ts'

/** A reply as a client sees it, whole or streamed. */
export interface SeenReply {
  text: string
  calls: SeenCall[]
  /** The protocol's own word for why the reply ended; null without one. */
  finish: string | null
  /** The stream had its last event, or the reply was whole. */
  ended: boolean
  /** The error that ended a stream. */
  error?: { type: string; message: string }
  inputTokens: number | undefined
  outputTokens: number | undefined
}

export interface SeenCall {
  id: string
  name: string
  /** JSON text, as it came. */
  arguments: string
}

/** A kind of failure, for which each protocol has its own word. */
export type Failure =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'wrong-method'
  | 'too-large'
  | 'rate-limit'
  | 'overloaded'
  | 'unavailable'
  | 'timeout'
  | 'upstream'

export interface Ask {
  prompt?: string
  stream?: boolean
  tools?: readonly AskedTool[]
  /** In neutral form; `named` carries the tool's name. */
  choice?: 'auto' | 'none' | 'required' | { named: string }
  serial?: boolean
  stop?: string[]
  model?: string
  /** The turns of the conversation after the prompt. */
  later?: { role: 'user' | 'assistant'; content: string }[]
}

export interface AskedTool {
  name: string
  schema: JsonObject
}

/** Recognisable parts of its streams. */
export interface StreamMarks {
  /** The first text. */
  opening: RegExp
  /** Part of the event that begins a reply. */
  beginning: string
  ping: string
  /** Part of the last thousand characters of a reply that ended. */
  closing: string
  /** The name and the data of the last event after a failure. */
  afterFailure: readonly [event: string | undefined, data: RegExp]
}

/** One of the client protocols, as these tests need it: requests out, replies and errors in. */
export interface Api {
  name: 'anthropic' | 'openai' | 'responses' | 'gemini' | 'ollama'
  path: string
  /** The path of a request, where it says what other APIs have in the body. */
  pathOf?(body: SentBody): string
  headers: Record<string, string>
  request(ask?: Ask): JsonObject
  readWhole(body: JsonValue): SeenReply
  readStream(text: string): SeenReply
  /** The API's words for the ends of a reply. */
  endings: Readonly<Record<'stop' | 'calls' | 'length' | 'stop-sequence', string>>
  /** False for an API whose requests have no stop sequences. */
  takesStops: boolean
  /** Checks the body of a failure, and returns its error; by default that is of Anthropic's or OpenAI's form. */
  readFailure?(body: JsonObject, type: string, status: number): JsonObject
  /** The status and type of each failure, as the API's reference has them. */
  failures: Readonly<Record<Failure, readonly [status: number, type: string]>>
}

/** A protocol whose streams have pieces of calls. */
export interface StreamedApi extends Api {
  stream: StreamMarks
}

export const weather: AskedTool = {
  name: 'get_weather',
  schema: {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' } },
    required: ['city'],
  },
}

const anthropic: StreamedApi & { name: 'anthropic' } = {
  name: 'anthropic',
  path: '/v1/messages',
  endings: { stop: 'end_turn', calls: 'tool_use', length: 'max_tokens', 'stop-sequence': 'stop_sequence' },
  takesStops: true,
  stream: {
    opening: /^event: message_start\n/,
    beginning: '"type":"message_start"',
    ping: 'event: ping\ndata: {"type":"ping"}\n\n',
    closing: 'message_stop',
    afterFailure: ['error', /"request_id":"req_/],
  },
  headers: { 'anthropic-version': '2023-06-01' },
  request({ prompt = 'Hello', stream, tools, choice, serial, stop, model = 'test-model', later = [] } = {}) {
    const types = { auto: 'auto', none: 'none', required: 'any' }
    const chosen: JsonObject =
      typeof choice === 'object' ? { type: 'tool', name: choice.named } : { type: types[choice ?? 'auto'] }
    if (serial) chosen.disable_parallel_tool_use = true
    return {
      model,
      max_tokens: 1000,
      messages: [{ role: 'user', content: prompt }, ...later],
      ...(stream !== undefined && { stream }),
      ...(tools && { tools: tools.map(({ name, schema }) => ({ name, input_schema: schema })) }),
      ...((choice !== undefined || serial) && { tool_choice: chosen }),
      ...(stop && { stop_sequences: stop }),
    }
  },
  readWhole(body) {
    const message = object(body)
    const blocks = array(message.content).map(object)
    const usage = object(message.usage)
    return {
      text: blocks.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      calls: blocks
        .filter((block) => block.type === 'tool_use')
        .map((block) => ({ id: String(block.id), name: String(block.name), arguments: JSON.stringify(block.input) })),
      finish: textOrNull(message.stop_reason),
      ended: true,
      inputTokens: numberOf(usage.input_tokens),
      outputTokens: numberOf(usage.output_tokens),
    }
  },
  readStream(text) {
    const seen = emptyReply()
    const blocks = new Map<JsonValue | undefined, SeenCall>()
    for (const { event, data } of readEvents(text)) {
      const value = object(JSON.parse(data))
      expect(event).toBe(value.type)
      switch (value.type) {
        case 'content_block_start': {
          const block = object(value.content_block)
          if (block.type !== 'tool_use') break
          const call = { id: String(block.id), name: String(block.name), arguments: '' }
          blocks.set(value.index, call)
          seen.calls.push(call)
          break
        }
        case 'content_block_delta': {
          const delta = object(value.delta)
          if (delta.type === 'text_delta') seen.text += delta.text
          const call = blocks.get(value.index)
          if (call && delta.type === 'input_json_delta') call.arguments += delta.partial_json
          break
        }
        case 'message_delta':
          seen.finish = textOrNull(object(value.delta).stop_reason)
          seen.outputTokens = numberOf(object(value.usage).output_tokens)
          seen.inputTokens = numberOf(object(value.usage).input_tokens)
          break
        case 'message_stop':
          seen.ended = true
          break
        case 'error':
          seen.error = readError(value)
      }
    }
    return seen
  },
  failures: {
    invalid: [400, 'invalid_request_error'],
    unauthenticated: [401, 'authentication_error'],
    forbidden: [403, 'permission_error'],
    'not-found': [404, 'not_found_error'],
    'wrong-method': [405, 'invalid_request_error'],
    'too-large': [413, 'request_too_large'],
    'rate-limit': [429, 'rate_limit_error'],
    overloaded: [529, 'overloaded_error'],
    unavailable: [503, 'api_error'],
    timeout: [504, 'timeout_error'],
    upstream: [502, 'api_error'],
  },
}

const openai: StreamedApi & { name: 'openai' } = {
  name: 'openai',
  path: '/v1/chat/completions',
  endings: { stop: 'stop', calls: 'tool_calls', length: 'length', 'stop-sequence': 'stop' },
  takesStops: true,
  stream: {
    opening: /^data: \{/,
    beginning: '"role":"assistant"',
    ping: ': ping\n\n',
    closing: '[DONE]',
    afterFailure: [undefined, /^\[DONE\]$/],
  },
  headers: {},
  request({ prompt = 'Hello', stream, tools, choice, serial, stop, model = 'test-model', later = [] } = {}) {
    return {
      model,
      messages: [{ role: 'user', content: prompt }, ...later],
      ...(stream !== undefined && { stream, stream_options: { include_usage: true } }),
      ...(tools && {
        tools: tools.map(({ name, schema }) => ({ type: 'function', function: { name, parameters: schema } })),
      }),
      ...(choice !== undefined && {
        tool_choice: typeof choice === 'object' ? { type: 'function', function: { name: choice.named } } : choice,
      }),
      ...(serial && { parallel_tool_calls: false }),
      ...(stop && { stop }),
    }
  },
  readWhole(body) {
    const completion = object(body)
    const choice = object(array(completion.choices)[0])
    const message = object(choice.message)
    const usage = object(completion.usage)
    return {
      text: String(message.content ?? ''),
      calls: array(message.tool_calls ?? []).map((value) => {
        const { id, function: called } = object(value)
        const { name, arguments: json } = object(called)
        return { id: String(id), name: String(name), arguments: String(json) }
      }),
      finish: textOrNull(choice.finish_reason),
      ended: true,
      inputTokens: numberOf(usage.prompt_tokens),
      outputTokens: numberOf(usage.completion_tokens),
    }
  },
  readStream(text) {
    const seen = emptyReply()
    for (const { data } of readEvents(text)) {
      if (data === '[DONE]') {
        seen.ended = true
        continue
      }
      const value = object(JSON.parse(data))
      if (value.error !== undefined) {
        seen.error = readError(value)
        continue
      }
      if (isJsonObject(value.usage)) {
        seen.inputTokens = numberOf(value.usage.prompt_tokens)
        seen.outputTokens = numberOf(value.usage.completion_tokens)
      }
      const [first] = array(value.choices)
      if (first === undefined) continue
      const choice = object(first)
      seen.finish = textOrNull(choice.finish_reason) ?? seen.finish
      const delta = object(choice.delta)
      seen.text += delta.content ?? ''
      for (const piece of array(delta.tool_calls ?? []).map(object)) {
        const place = numberOf(piece.index) ?? -1
        const called = object(piece.function)
        seen.calls[place] ??= { id: String(piece.id), name: String(called.name), arguments: '' }
        seen.calls[place].arguments += called.arguments
      }
    }
    return seen
  },
  failures: {
    invalid: [400, 'invalid_request_error'],
    unauthenticated: [401, 'invalid_request_error'],
    forbidden: [403, 'invalid_request_error'],
    'not-found': [404, 'invalid_request_error'],
    'wrong-method': [405, 'invalid_request_error'],
    'too-large': [413, 'invalid_request_error'],
    'rate-limit': [429, 'rate_limit_error'],
    overloaded: [503, 'server_error'],
    unavailable: [503, 'server_error'],
    timeout: [504, 'server_error'],
    upstream: [502, 'server_error'],
  },
}

const responses: StreamedApi & { name: 'responses' } = {
  name: 'responses',
  path: '/v1/responses',
  // Calls are items of a response that is complete.
  endings: { stop: 'completed', calls: 'completed', length: 'incomplete', 'stop-sequence': 'completed' },
  takesStops: false,
  stream: {
    opening: /^event: response\.created\n/,
    beginning: '"type":"response.created"',
    ping: ': ping\n\n',
    closing: '"usage":{"input_tokens"',
    afterFailure: ['response.failed', /"status":"failed"/],
  },
  headers: {},
  request({ prompt = 'Hello', stream, tools, choice, serial, model = 'test-model', later = [] } = {}) {
    return {
      model,
      input: later.length === 0 ? prompt : [{ role: 'user', content: prompt }, ...later],
      ...(stream !== undefined && { stream }),
      ...(tools && {
        tools: tools.map(({ name, schema }) => ({ type: 'function', name, parameters: schema })),
      }),
      ...(choice !== undefined && {
        tool_choice: typeof choice === 'object' ? { type: 'function', name: choice.named } : choice,
      }),
      ...(serial && { parallel_tool_calls: false }),
    }
  },
  readWhole(body) {
    expect(responseMisfits(body)).toEqual([])
    return { ...emptyReply(), ...readResponse(object(body)), ended: true }
  },
  readStream(text) {
    const seen = emptyReply()
    for (const event of readResponseEvents(text)) {
      if (event.type === 'response.output_text.delta') seen.text += event.delta
      else if (event.type === 'response.output_item.added') {
        const { type, call_id: id, name } = object(event.item)
        if (type === 'function_call') seen.calls.push({ id: String(id), name: String(name), arguments: '' })
      } else if (event.type === 'response.function_call_arguments.delta') {
        const call = seen.calls.at(-1)
        if (call) call.arguments += event.delta
      } else if (event.type === 'error') {
        seen.error = { type: String(object(event.error).type), message: String(event.message) }
      } else if (event.type === 'response.completed' || event.type === 'response.incomplete') {
        seen.ended = true
        const { finish, inputTokens, outputTokens } = readResponse(object(event.response))
        Object.assign(seen, { finish, inputTokens, outputTokens })
      }
    }
    return seen
  },
  failures: openai.failures,
}

/** Reads a whole response. */
function readResponse(response: JsonObject): Omit<SeenReply, 'ended' | 'error'> {
  const items = array(response.output).map(object)
  const usage = object(response.usage)
  return {
    text: items
      .filter(({ type }) => type === 'message')
      .map(({ content }) =>
        array(content)
          .map((part) => object(part).text)
          .join(''),
      )
      .join(''),
    calls: items
      .filter(({ type }) => type === 'function_call')
      .map(({ call_id: id, name, arguments: json }) => ({
        id: String(id),
        name: String(name),
        arguments: String(json),
      })),
    finish: textOrNull(response.status),
    inputTokens: numberOf(usage.input_tokens),
    outputTokens: numberOf(usage.output_tokens),
  }
}

/** The protocols whose streams have pieces of calls. */
export const apis: readonly (StreamedApi & { name: 'anthropic' | 'openai' | 'responses' })[] = [
  anthropic,
  openai,
  responses,
]

/** The protocols whose streams have no pieces of calls, too. */
export const everyApi: readonly Api[] = [...apis, gemini, ollama]

/** Protocols with a reply asked for at once and streamed. */
const formsOf = (list: readonly Api[]): { api: Api; stream: boolean }[] =>
  list.flatMap((api) => [
    { api, stream: false },
    { api, stream: true },
  ])

export const forms: readonly { api: Api; stream: boolean }[] = formsOf(apis)
export const everyForm: readonly { api: Api; stream: boolean }[] = formsOf(everyApi)

/**
 * The forms, and one of Gemini and of Ollama each, which the run's seed chooses: for failures that happen before a protocol's own work
 * begins.
 */
export const someForms: readonly { api: Api; stream: boolean }[] = isThorough
  ? everyForm
  : [
      ...forms,
      ...formsOf([gemini, ollama]).filter((_, index) => index % 2 === Number(process.env.ANYCALL_SEED ?? 0) % 2),
    ]

/** True for an API whose errors have OpenAI's form. */
export function isOpenAI({ name }: Api): boolean {
  return name === 'openai' || name === 'responses'
}

/** Returns the path of a request. */
export function pathFor(api: Api, body: SentBody): string {
  return api.pathOf?.(body) ?? api.path
}

export interface Answer {
  status: number
  headers: Headers
  text: string
}

/** A request, or the bytes that are sent in place of one. */
export type SentBody = JsonObject | string | Uint8Array<ArrayBuffer> | null

export interface SendOptions {
  method?: string
  path?: string
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** Starts a request; the response's body is still to be read. */
export function open(
  gateway: Pick<RunningGateway, 'url'>,
  api: Api,
  body: SentBody,
  options: SendOptions = {},
): Promise<Response> {
  return fetch(gateway.url + (options.path ?? pathFor(api, body)), {
    method: options.method ?? 'POST',
    headers: { 'content-type': 'application/json', ...api.headers, ...options.headers },
    body: body === null || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    ...(options.signal && { signal: options.signal }),
  })
}

/** A request and its answer, read to its end. */
export async function send(
  gateway: Pick<RunningGateway, 'url'>,
  api: Api,
  body: SentBody,
  options?: SendOptions,
): Promise<Answer> {
  const response = await open(gateway, api, body, options)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Asks, and reads the reply in the form that was asked for. */
export async function ask(gateway: Pick<RunningGateway, 'url'>, api: Api, what: Ask): Promise<SeenReply> {
  const answer = await send(gateway, api, api.request(what))
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 })
  return what.stream ? api.readStream(answer.text) : api.readWhole(JSON.parse(answer.text))
}

/** Checks that the answer is this failure, in the protocol's own form, with an id that the log contains. */
export async function expectFailure(
  gateway: Pick<RunningGateway, 'log'>,
  api: Api,
  answer: Answer,
  failure: Failure,
  message: RegExp | string,
): Promise<JsonObject> {
  const [status, type] = api.failures[failure]
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status })
  expect(answer.headers.get('content-type')).toBe('application/json')
  const id = answer.headers.get('request-id')
  expect(id).toMatch(/^req_\w+$/)
  expect(answer.headers.get('x-request-id')).toBe(id)
  const body = object(JSON.parse(answer.text))
  const error = api.readFailure?.(body, type, status) ?? readFailure(api, body, type, id)
  if (typeof message === 'string') expect(error.message).toContain(message)
  else expect(error.message).toMatch(message)
  const line = await requestLine(gateway, id ?? '')
  expect(line.fields).toMatchObject({ status, error: { message: expect.any(String) } })
  return error
}

function readFailure(api: Api, body: JsonObject, type: string, id: string | null): JsonObject {
  const error = object(body.error)
  if (api.name === 'anthropic') {
    expect(body).toEqual({ type: 'error', error: { type, message: expect.any(String) }, request_id: id })
  } else {
    const code = typeof error.code === 'string' ? error.code : null
    const param = typeof error.param === 'string' ? error.param : null
    expect(body).toEqual({ error: { type, message: expect.any(String), param, code } })
  }
  return error
}

/** The log's line on a request, as soon as it is there. */
export function requestLine(gateway: Pick<RunningGateway, 'log'>, id: string): Promise<LogLine> {
  return eventually(() => {
    const line = gateway.log.find(({ event, fields }) => event === 'request' && fields.requestId === id)
    if (!line) throw new Error(`the log has no line on the request ${id}`)
    return line
  })
}

/** The pieces of a response's body as text, one at a time. */
export async function* piecesOf(response: Response): AsyncGenerator<string, void, undefined> {
  if (!response.body) return
  const decoder = new TextDecoder()
  for await (const bytes of response.body) yield decoder.decode(bytes, { stream: true })
}

/** Reads until the text so far contains `mark`, and returns it. */
export async function readUntil(pieces: AsyncGenerator<string, void, undefined>, mark: string): Promise<string> {
  let text = ''
  while (!text.includes(mark)) {
    const { done, value } = await pieces.next()
    if (done) throw new Error(`the stream ended without ${mark}: ${text}`)
    text += value
  }
  return text
}

export function object(value: unknown): JsonObject {
  if (!isJsonObject(value)) throw new Error(`not an object: ${JSON.stringify(value)}`)
  return value
}

function array(value: JsonValue | undefined): JsonValue[] {
  if (!Array.isArray(value)) throw new Error(`not an array: ${JSON.stringify(value)}`)
  return value
}

function numberOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}

function textOrNull(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null
}

function readError(value: JsonObject): { type: string; message: string } {
  const error = object(value.error)
  return { type: String(error.type), message: String(error.message) }
}

function emptyReply(): SeenReply {
  return { text: '', calls: [], finish: null, ended: false, inputTokens: undefined, outputTokens: undefined }
}

interface SseEvent {
  event: string | undefined
  data: string
}

/** The events of a stream; comments are left out. Each event must be whole: a blank line ends it. */
export function readEvents(text: string): SseEvent[] {
  const blocks = text.split('\n\n')
  expect(blocks.pop()).toBe('')
  const events: SseEvent[] = []
  for (const block of blocks) {
    const lines = block.split('\n').filter((line) => !line.startsWith(':'))
    if (lines.length === 0) continue
    const field = (name: string): string | undefined =>
      lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
    events.push({ event: field('event'), data: field('data') ?? '' })
  }
  return events
}
