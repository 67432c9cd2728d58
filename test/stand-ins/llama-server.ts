import type { JsonObject, JsonValue } from '../../src/conversation/index.ts'
import { admits, parseGbnf, type TestGrammar } from '../support/grammar/gbnf.ts'
import { chatCompletion } from './chat-completions.ts'
import { Engine, type EngineText } from './engine.ts'
import {
  json,
  type StandInAnswer,
  type StandInRequest,
  type StandInServer,
  sse,
  startStandIn,
} from './http-stand-in.ts'
import { obedientTemplate, obedientTokens, obey, readPrompt, writePlain } from './obedient-model.ts'

export interface LlamaServerOptions {
  /** Further fields of `/props`; undefined leaves a field out. */
  props?: JsonObject
  /** `tokenizer.ggml.add_bos_token`. Default true. */
  addsBos?: boolean
  /** `n_ctx` of a slot. */
  contextLength?: number
  /** Returns the model's text; by default it follows the prompt. */
  write?: (prompt: string) => string
  /** The time before each piece. */
  pieceDelayMs?: number
  /** Something else than the server's own answer. */
  answer?: (request: StandInRequest) => StandInAnswer | undefined
}

export interface LlamaServer extends StandInServer {
  /** The prompts that the model received, with the tokens that the tokenizer added. */
  prompts: string[]
  /** May be changed while it runs: another model is loaded. */
  options: LlamaServerOptions
}

const bos = '<s>'
const eos = '<|im_end|>'

/** The types of the fields of `/completion`; the server ignores other fields. */
const fieldTypes: Readonly<Record<string, 'string' | 'number' | 'boolean' | 'array'>> = {
  stream: 'boolean',
  cache_prompt: 'boolean',
  return_tokens: 'boolean',
  response_fields: 'array',
  n_predict: 'number',
  temperature: 'number',
  top_p: 'number',
  top_k: 'number',
  presence_penalty: 'number',
  frequency_penalty: 'number',
  seed: 'number',
  stop: 'array',
  grammar: 'string',
  preserved_tokens: 'array',
}

/** A stand-in for llama.cpp's server, with the obedient model. Written from its README and its sources. */
export async function startLlamaServer(options: LlamaServerOptions = {}): Promise<LlamaServer> {
  const engine = new Engine(obedientTokens)
  const prompts: string[] = []
  let cached: string[] = []

  const server = await startStandIn((request): StandInAnswer => {
    const own = running.options.answer?.(request)
    if (own) return own
    const { method, path, body } = request
    switch (`${method} ${path}`) {
      case 'GET /props':
        return json({
          default_generation_settings: { n_ctx: contextLength(), params: {} },
          total_slots: 1,
          model_path: '/models/obedient.gguf',
          chat_template: obedientTemplate,
          chat_template_caps: { supports_tools: true, supports_tool_calls: true, supports_parallel_tool_calls: true },
          bos_token: bos,
          eos_token: eos,
          build_info: 'b9999-standin',
          ...running.options.props,
        })
      case 'GET /v1/models':
        return json({
          object: 'list',
          data: [{ id: 'obedient', object: 'model', owned_by: 'llamacpp', meta: { n_ctx: contextLength() } }],
        })
      case 'POST /tokenize':
        return json({ tokens: tokenize(String(body.content ?? ''), body.add_special === true) })
      case 'POST /completion':
        return complete(body)
      case 'POST /v1/chat/completions':
        return chatCompletion(body, { readsNamedChoice: false })
      default:
        return refuse(404, 'File Not Found', 'not_found_error')
    }
  }, options.pieceDelayMs)
  const running: LlamaServer = { ...server, prompts, options }
  return running

  function contextLength(): number {
    return running.options.contextLength ?? 4096
  }

  function tokenize(text: string, addsSpecial: boolean): number[] {
    return engine.tokenize(addsSpecial && (running.options.addsBos ?? true) ? bos + text : text)
  }

  function complete(body: JsonObject): StandInAnswer {
    const { prompt } = body
    if (typeof prompt !== 'string') return refuse(400, '"prompt" must be a string')
    for (const [field, type] of Object.entries(fieldTypes)) {
      const value = body[field]
      if (value === undefined || value === null || (type === 'array' ? Array.isArray(value) : typeof value === type)) {
        continue
      }
      return refuse(
        400,
        `Field '${field}': [json.exception.type_error.302] type must be ${type}, but is ${typeof value}`,
      )
    }
    const preserved = texts(body.preserved_tokens).filter((text) => engine.split(text).length === 1)
    const grammar = readGrammar(body)
    if (typeof grammar === 'string') return refuse(400, grammar)

    const ids = tokenize(prompt, true)
    const seen = engine.detokenize(ids)
    prompts.push(seen)
    if (ids.length >= contextLength()) {
      const message = `request (${ids.length} tokens) exceeds the available context size (${contextLength()} tokens), try increasing it`
      const detail = { n_prompt_tokens: ids.length, n_ctx: contextLength() }
      return json({ error: { code: 400, message, type: 'exceed_context_size_error', ...detail } }, 400)
    }
    const reply = running.options.write?.(seen) ?? obedientReply(seen, grammar)
    const limits = {
      maxTokens: typeof body.n_predict === 'number' && body.n_predict >= 0 ? body.n_predict : Number.POSITIVE_INFINITY,
      stops: texts(body.stop),
      shows: (special: string) => preserved.includes(special),
    }
    // The token that ends the turn is emitted as well, if it must be shown.
    const written = engine.write(preserved.includes(eos) ? reply + eos : reply, limits)
    if (grammar && written.stop === 'eos' && admits(grammar, reply) !== true) {
      return refuse(500, 'the stand-in wrote what it must not write', 'server_error')
    }
    const tokens = engine.split(seen)
    const shared = tokens.findIndex((token, index) => token !== cached[index])
    cached = [...tokens, ...written.pieces]
    return stream(body, written, { prompt: tokens.length, shared: shared < 0 ? tokens.length - 1 : shared })
  }
}

function stream(body: JsonObject, written: EngineText, count: { prompt: number; shared: number }): StandInAnswer {
  const pieces = written.pieces.map((content, index) =>
    sse({
      index: 0,
      content,
      tokens: [index],
      stop: false,
      id_slot: 0,
      tokens_predicted: index + 1,
      tokens_evaluated: count.prompt,
    }),
  )
  const last: JsonObject = {
    index: 0,
    content: '',
    tokens: [],
    id_slot: 0,
    stop: true,
    model: 'obedient',
    tokens_predicted: written.tokenCount,
    tokens_evaluated: count.prompt,
    generation_settings: { grammar: body.grammar ?? '' },
    prompt: body.prompt ?? '',
    has_new_line: false,
    truncated: false,
    stop_type: written.stop,
    stopping_word: written.word,
    tokens_cached: count.prompt + written.tokenCount - 1,
    timings: { cache_n: count.shared, prompt_n: count.prompt - count.shared, predicted_n: written.tokenCount },
  }
  const fields = texts(body.response_fields)
  const chosen = fields.length === 0 ? last : Object.fromEntries(fields.map((field) => [field, last[field] ?? null]))
  return { type: 'stream', pieces: [...pieces, sse(chosen)] }
}

/** The grammar of a request, or why it is refused. */
function readGrammar({ grammar }: JsonObject): TestGrammar | string | undefined {
  if (typeof grammar !== 'string' || grammar === '') return undefined
  try {
    return parseGbnf(grammar)
  } catch {
    return 'Failed to initialize samplers: failed to parse grammar'
  }
}

/** The model's own reply; if the grammar does not admit it, the first call that the grammar admits. */
function obedientReply(prompt: string, grammar: TestGrammar | undefined): string {
  const seen = readPrompt(prompt, false)
  const forced = seen.tools.map((tool) => writePlain(obey({ ...seen, tools: [tool], isForced: true })))
  const free = writePlain(obey(seen))
  return [free, ...forced].find((reply) => !grammar || admits(grammar, reply) === true) ?? free
}

function texts(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : []
}

/** An error as the server writes it. */
export function refuse(code: number, message: string, type: string = 'invalid_request_error'): StandInAnswer {
  return json({ error: { code, message, type } }, code)
}
