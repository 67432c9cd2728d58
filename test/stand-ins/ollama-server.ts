import type { ServerResponse } from 'node:http'
import { isJsonObject, type JsonObject } from '../../src/conversation/index.ts'
import {
  type StandIn,
  type StandInRequest,
  type StreamEnd,
  sendJson,
  sendPieces,
  startStandIn,
} from './http-stand-in.ts'
import { checkRequest } from './ollama-checks.ts'

// Ollama's API, after https://github.com/ollama/ollama/blob/main/docs/api.md and what its server answers.

/** What a model says; a string is a piece of its text. */
export interface OllamaPlay {
  pieces: (string | { thinking: string } | { calls: { name: string; arguments: JsonObject }[] })[]
  /** Default `stop`. */
  doneReason?: string
  /** An error in place of the piece with this number. */
  error?: { at: number; message: string }
  /** The stream breaks off, or falls silent, before the line with this number. */
  fault?: { at: number; end: StreamEnd }
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
  /** The context where the request names none. Default 4096. */
  contextLength?: number
  /** A version from before `truncate` and `shift`: it cuts a long prompt to the context, or to its half, and says nothing. */
  cuts?: 'to-context' | 'to-half'
  /** Default: says "Hello.". */
  play?: (body: JsonObject, n: number) => OllamaPlay | { status: number; error: string }
}

export interface OllamaServer extends StandIn {
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

  async function answer({ method, path, body }: StandInRequest, response: ServerResponse): Promise<void> {
    const route = `${method} ${path}`
    if (route === 'GET /api/tags') {
      const details = { format: 'gguf', family: 'llama', parameter_size: '8B', quantization_level: 'Q4_K_M' }
      const list = Object.keys(models).map((name) => ({ name, model: name, size: 1, digest: 'd', details }))
      sendJson(response, 200, { models: list })
      return
    }
    if (!['POST /api/show', 'POST /api/chat', 'POST /api/generate'].includes(route)) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found')
      return
    }
    const model = models[String(body.model)]
    if (!model) sendJson(response, 404, { error: `model '${body.model}' not found` })
    else if (path === '/api/show') sendJson(response, 200, shown(model, body.verbose === true))
    else await generate(path, model, body, response)
  }

  async function generate(path: string, model: OllamaModel, body: JsonObject, response: ServerResponse): Promise<void> {
    const checked = checkRequest(path, body)
    ignored.push(...checked.ignored)
    const refusal = checked.wrong ?? againstModel(model, body)
    if (refusal !== undefined) {
      sendJson(response, 400, { error: refusal })
      return
    }
    const counted = countPrompt(body, options)
    if (typeof counted === 'string') {
      sendJson(response, 400, { error: counted })
      return
    }
    const play = options.play?.(body, played++) ?? { pieces: ['Hel', 'lo.'] }
    if ('status' in play) sendJson(response, play.status, { error: play.error })
    else await perform(play, path === '/api/chat', String(body.model), counted, response)
  }

  const server = await startStandIn(answer)
  return {
    ...server,
    ignored,
    generations: () => server.requests.filter(({ path }) => /chat|generate/.test(path)).map(({ body }) => body),
  }
}

function shown({ capabilities, modelfile, info = {}, tokens }: OllamaModel, verbose: boolean): JsonObject {
  // A long list is emptied where it is not asked for, and the chat template is taken out.
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

async function perform(
  { pieces, doneReason = 'stop', error, fault }: OllamaPlay,
  isChat: boolean,
  model: string,
  promptTokens: number,
  response: ServerResponse,
): Promise<void> {
  const line = (said: JsonObject, more: JsonObject = { done: false }): string =>
    `${JSON.stringify({ model, created_at: '2026-01-01T00:00:00Z', ...said, ...more })}\n`
  const say = (text: string, more: JsonObject = {}): JsonObject =>
    isChat ? { message: { role: 'assistant', content: text, ...more } } : { response: text, ...more }
  const lines = pieces.map((piece) => {
    if (typeof piece === 'string') return line(say(piece))
    if ('thinking' in piece) return line(say('', { thinking: piece.thinking }))
    // With some models the index of each call is 0, and left out.
    return line(say('', { tool_calls: piece.calls.map((call) => ({ id: `call_${call.name}`, function: call })) }))
  })
  const counts = { total_duration: 1, load_duration: 1, prompt_eval_count: promptTokens, eval_count: pieces.length }
  lines.push(line(say(''), { done: true, done_reason: doneReason, ...counts }))
  if (error) lines.splice(error.at, lines.length, `${JSON.stringify({ error: error.message })}\n`)
  if (fault) lines.splice(fault.at)
  await sendPieces(response, 'application/x-ndjson', lines, fault?.end)
}
