import { isJsonObject, type JsonObject, type JsonValue } from '../../src/conversation/index.ts'
import {
  json,
  type StandInAnswer,
  type StandInRequest,
  type StandInServer,
  sse,
  startStandIn,
} from './http-stand-in.ts'
import { contentText, replyTo, type SeenChat, type SeenMessage, TokenLimit } from './obedient-chat.ts'
import { toolOf } from './obedient-model.ts'

export interface ResponsesServerOptions {
  pieceDelayMs?: number
  /** Something else than the server's own answer. */
  answer?: (request: StandInRequest) => StandInAnswer | undefined
}

/** A stand-in for any server with OpenAI's Responses API, with a model that does what it is told. */
export function startResponsesServer({ pieceDelayMs, answer }: ResponsesServerOptions = {}): Promise<StandInServer> {
  return startStandIn((request) => {
    const { method, path, body } = request
    const own = answer?.(request)
    if (own) return own
    switch (`${method} ${path}`) {
      case 'GET /v1/models':
        return json({ object: 'list', data: [{ id: 'obedient', object: 'model', created: 0, owned_by: 'a' }] })
      case 'POST /v1/responses':
        return body.model === 'obedient'
          ? respond(body)
          : refuse(404, `The model \`${body.model}\` does not exist`, 'model_not_found')
      default:
        return refuse(404, `Invalid URL (${method} ${path})`, 'invalid_url')
    }
  }, pieceDelayMs)
}

export function refuse(status: number, message: string, code: string | null = null): ReturnType<typeof json> {
  return json({ error: { message, type: 'invalid_request_error', param: null, code } }, status)
}

const fields = new Set([
  'model',
  'instructions',
  'input',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'max_output_tokens',
  'temperature',
  'top_p',
  'reasoning',
  'text',
  'stream',
  'include',
  'store',
  'include',
])

function respond(body: JsonObject): StandInAnswer {
  const unknown = Object.keys(body).find((field) => !fields.has(field))
  if (unknown !== undefined) return refuse(400, `Unknown parameter: '${unknown}'.`, 'unknown_parameter')
  if (!Array.isArray(body.input)) return refuse(400, "Missing required parameter: 'input'.")
  const limit = new TokenLimit(body.max_output_tokens)
  const { text, calls } = replyTo(chatOf(body))
  const stream = new ResponseStream(body.model ?? '')
  stream.message(limit.take(text))
  for (const { name, arguments: given } of calls) {
    if (limit.isMet) break
    stream.call(name, limit.take(JSON.stringify(given)))
  }
  return { type: 'stream', pieces: stream.end(limit.isMet ? 'incomplete' : 'completed', limit.used) }
}

/** The events of a response, in the order in which OpenAI's server sends them. */
export class ResponseStream {
  readonly #pieces: string[] = []
  readonly #output: JsonObject[] = []
  readonly #head: JsonObject

  constructor(model: JsonValue) {
    this.#head = { id: 'resp_1', object: 'response', created_at: 0, model }
    this.#add('response.created', { response: { ...this.#head, status: 'in_progress', output: [] } })
  }

  reasoning(...parts: string[]): void {
    const item: JsonObject = { id: 'rs_1', type: 'reasoning', summary: [] }
    this.#item(item, (place) => {
      for (const [summary_index, text] of parts.entries()) {
        this.#add('response.reasoning_summary_part.added', {
          ...place,
          summary_index,
          part: { type: 'summary_text', text: '' },
        })
        this.#add('response.reasoning_summary_text.delta', { ...place, summary_index, delta: text })
      }
      return { ...item, summary: parts.map((text) => ({ type: 'summary_text', text })) }
    })
  }

  /** Reasoning as it comes with `include: ["reasoning.encrypted_content"]`; its summary may be empty. */
  encryptedReasoning(encrypted: string, ...pieces: string[]): void {
    const item: JsonObject = { id: `rs_${this.#output.length}`, type: 'reasoning', summary: [] }
    this.#item(item, (place) => {
      for (const delta of pieces)
        this.#add('response.reasoning_summary_text.delta', { ...place, summary_index: 0, delta })
      const text = pieces.join('')
      return { ...item, summary: text === '' ? [] : [{ type: 'summary_text', text }], encrypted_content: encrypted }
    })
  }

  message(pieces: readonly string[], type: 'output_text' | 'refusal' = 'output_text'): void {
    if (pieces.length === 0) return
    const item: JsonObject = { id: 'msg_1', type: 'message', role: 'assistant', content: [] }
    this.#item(item, (place) => {
      for (const delta of pieces) this.#add(`response.${type}.delta`, { ...place, content_index: 0, delta })
      const text = pieces.join('')
      return { ...item, content: [type === 'refusal' ? { type, refusal: text } : { type, text, annotations: [] }] }
    })
  }

  call(name: string, pieces: readonly string[]): void {
    const id = this.#output.length
    const item: JsonObject = { id: `fc_${id}`, type: 'function_call', call_id: `call_${id}`, name, arguments: '' }
    this.#item(item, (place) => {
      for (const delta of pieces) this.#add('response.function_call_arguments.delta', { ...place, delta })
      return { ...item, arguments: pieces.join('') }
    })
  }

  end(status: 'completed' | 'incomplete' | 'failed', outputTokens = 1, more: JsonObject = {}): string[] {
    const usage = {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 4 },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 10 + outputTokens,
    }
    const details = status === 'incomplete' ? { reason: 'max_output_tokens' } : null
    const response = {
      ...this.#head,
      status,
      output: this.#output,
      usage,
      incomplete_details: details,
      error: null,
      ...more,
    }
    this.#add(`response.${status}`, { response })
    return this.#pieces
  }

  #item(begun: JsonObject, write: (place: JsonObject) => JsonObject): void {
    const place = { output_index: this.#output.length }
    this.#add('response.output_item.added', { ...place, item: begun })
    const item = write(place)
    this.#add('response.output_item.done', { ...place, item })
    this.#output.push(item)
  }

  #add(type: string, members: JsonObject): void {
    this.#pieces.push(sse({ type, sequence_number: this.#pieces.length, ...members }, type))
  }
}

function chatOf({
  instructions,
  input,
  tools: given,
  tool_choice: choice,
  parallel_tool_calls: parallel,
}: JsonObject): SeenChat {
  const entries = (Array.isArray(given) ? given : []).filter(isJsonObject)
  const tools = entries.flatMap(({ type, ...definition }) => toolOf({ type: 'function', function: definition }))
  const named = isJsonObject(choice) ? choice.name : undefined
  const offered = choice === 'none' ? [] : tools.filter(({ name }) => named === undefined || name === named)
  const system: SeenMessage[] = typeof instructions === 'string' ? [{ role: 'system', text: instructions }] : []
  const items = (Array.isArray(input) ? input : []).filter(isJsonObject)
  return {
    messages: [...system, ...items.flatMap(readItem)],
    tools: tools.length === 0 ? undefined : offered,
    isForced: choice === 'required' || named !== undefined,
    isSingle: parallel === false,
  }
}

function readItem({ type, role, content, output }: JsonObject): SeenMessage[] {
  if (type === 'function_call_output') return [{ role: 'user', text: String(output), results: [String(output)] }]
  if (type !== 'message') return []
  const text = contentText(content)
  return [{ role: role === 'assistant' ? 'assistant' : role === 'user' ? 'user' : 'system', text }]
}
