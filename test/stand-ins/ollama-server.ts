import { isJsonObject, type JsonObject } from '../../src/conversation/index.ts'
import {
  json,
  type StandInAnswer,
  type StandInRequest,
  type StandInServer,
  type StreamFault,
  startStandIn,
} from './http-stand-in.ts'
import { checkRequest } from './ollama-checks.ts'

// Ollama's API, after https://github.com/ollama/ollama/blob/main/docs/api.md and the answers of its server.

/** A model's reply; a string is a piece of its text. */
export interface OllamaPlay {
  pieces: (string | { thinking: string } | { calls: { name: string; arguments: JsonObject }[] })[]
  /** Default `stop`. */
  doneReason?: string
  /** An error in place of the piece with this number. */
  error?: { at: number; message: string }
  /** The stream breaks off, or falls silent, before the line with this number. */
  fault?: { at: number; end: StreamFault['fault'] }
  /** Default: as many as pieces. */
  tokens?: number
}

export interface OllamaModel {
  capabilities?: string[]
  /** Only gpt-oss has levels; others refused them for some versions. */
  thinksInLevels?: boolean
  modelfile?: string
  info?: JsonObject
  /** All tokens, which are shown when they are asked for. */
  tokens?: string[]
}

export interface OllamaServerOptions {
  models?: Record<string, OllamaModel>
  /** The context length if the request names none. Default 4096. */
  contextLength?: number
  /**
   * A version from before `truncate` and `shift`: it cuts a long prompt to the context, or to its half, without a
   * message.
   */
  cuts?: 'to-context' | 'to-half'
  /** Default: writes "Hello.". */
  play?: (body: JsonObject, n: number) => OllamaPlay | { status: number; error: string }
  /** The time between the lines of a stream. */
  pieceDelayMs?: number
}

export interface OllamaServer extends StandInServer {
  /** Paths of fields that the real server would have passed over: mistakes of whoever asked. */
  ignored: string[]
  /** The bodies of generations. */
  generations(): JsonObject[]
}

/** A stand-in for an Ollama server. */
export async function startOllamaServer(options: OllamaServerOptions = {}): Promise<OllamaServer> {
  const { models = { m: { capabilities: ['completion', 'tools', 'thinking'] } } } = options
  const ignored: string[] = []
  let played = 0

  function answer({ method, path, body }: StandInRequest): StandInAnswer {
    const route = `${method} ${path}`
    if (route === 'GET /api/tags') {
      const details = { format: 'gguf', family: 'llama', parameter_size: '8B', quantization_level: 'Q4_K_M' }
      return json({ models: Object.keys(models).map((name) => ({ name, model: name, size: 1, digest: 'd', details })) })
    }
    if (route === 'GET /v1/models') {
      const data = Object.keys(models).map((id) => ({ id, object: 'model', created: 0, owned_by: 'library' }))
      return json({ object: 'list', data })
    }
    if (!['POST /api/show', 'POST /api/chat', 'POST /api/generate'].includes(route)) {
      return json('404 page not found', 404, { 'content-type': 'text/plain' })
    }
    const model = models[String(body.model)]
    if (!model) return json({ error: `model '${body.model}' not found` }, 404)
    return path === '/api/show' ? json(shown(model, body.verbose === true)) : generate(path, model, body)
  }

  function generate(path: string, model: OllamaModel, body: JsonObject): StandInAnswer {
    const checked = checkRequest(path, body)
    ignored.push(...checked.ignored)
    const refusal = checked.wrong ?? againstModel(model, body)
    if (refusal !== undefined) return json({ error: refusal }, 400)
    const counted = countPrompt(body, options)
    if (typeof counted === 'string') return json({ error: counted }, 400)
    const play = options.play?.(body, played++) ?? { pieces: ['Hel', 'lo.'] }
    if ('status' in play) return json({ error: play.error }, play.status)
    return perform(play, path === '/api/chat', String(body.model), counted)
  }

  const server = await startStandIn(answer, options.pieceDelayMs)
  return {
    ...server,
    ignored,
    generations: () => server.requests.filter(({ path }) => /chat|generate/.test(path)).map(({ body }) => body),
  }
}

function shown({ capabilities, modelfile, info = {}, tokens }: OllamaModel, verbose: boolean): JsonObject {
  // A long list is emptied unless it is requested, and the chat template is removed.
  const lists: JsonObject = tokens === undefined ? {} : { 'tokenizer.ggml.tokens': verbose ? tokens : [] }
  const answer: JsonObject = {
    modelfile: modelfile ?? '',
    parameters: '',
    template: '{{ .Prompt }}',
    details: { family: 'llama' },
    model_info: { 'general.architecture': 'llama', ...info, ...lists },
  }
  if (capabilities !== undefined) answer.capabilities = capabilities
  return answer
}

function againstModel({ capabilities = [], thinksInLevels }: OllamaModel, body: JsonObject): string | undefined {
  const name = `registry.ollama.ai/library/${body.model}:latest`
  if (Array.isArray(body.tools) && body.tools.length > 0 && !capabilities.includes('tools')) {
    return `${name} does not support tools`
  }
  const thinks = body.think !== undefined && body.think !== false
  if (thinks && !capabilities.includes('thinking')) return `"${body.model}" does not support thinking`
  if (thinks && typeof body.think === 'string' && !thinksInLevels) {
    return `think value "${body.think}" is not supported for this model`
  }
  return undefined
}

/** The tokens that are read of the prompt, at four characters a token; or the error for too many. */
function countPrompt(body: JsonObject, { contextLength, cuts }: OllamaServerOptions): number | string {
  const asked = isJsonObject(body.options) ? body.options.num_ctx : undefined
  const context = typeof asked === 'number' ? asked : (contextLength ?? 4096)
  const tokens = Math.ceil(JSON.stringify(body.messages ?? body.prompt).length / 4)
  if (tokens <= context) return tokens
  if (cuts === 'to-context') return context
  if (cuts === 'to-half' || body.truncate !== false) return 4 + Math.floor((context - 4) / 2)
  return `request (${tokens} tokens) exceeds the available context size (${context} tokens), try increasing it`
}

function perform(
  { pieces, doneReason = 'stop', error, fault, tokens = pieces.length }: OllamaPlay,
  isChat: boolean,
  model: string,
  promptTokens: number,
): StandInAnswer {
  const line = (said: JsonObject, more: JsonObject = { done: false }): string =>
    `${JSON.stringify({ model, created_at: '2026-01-01T00:00:00Z', ...said, ...more })}\n`
  const say = (text: string, more: JsonObject = {}): JsonObject =>
    isChat ? { message: { role: 'assistant', content: text, ...more } } : { response: text, ...more }
  const lines: (string | StreamFault)[] = pieces.map((piece) => {
    if (typeof piece === 'string') return line(say(piece))
    if ('thinking' in piece) return line(say('', { thinking: piece.thinking }))
    // With some models the index of each call is 0, and left out.
    return line(say('', { tool_calls: piece.calls.map((call) => ({ id: `call_${call.name}`, function: call })) }))
  })
  const counts = { total_duration: 1, load_duration: 1, prompt_eval_count: promptTokens, eval_count: tokens }
  lines.push(line(say(''), { done: true, done_reason: doneReason, ...counts }))
  if (error) lines.splice(error.at, lines.length, `${JSON.stringify({ error: error.message })}\n`)
  if (fault) lines.splice(fault.at, lines.length, { fault: fault.end })
  return { type: 'stream', headers: { 'content-type': 'application/x-ndjson' }, pieces: lines }
}
