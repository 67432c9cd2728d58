import { isJsonObject, type JsonObject, type JsonValue } from '../../src/conversation/index.ts'
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
import { obedientTokens, obey, readPrompt, writePlain } from './obedient-model.ts'

export interface CompletionsServerOptions {
  contextLength?: number
  /** Returns the model's text; by default it follows the prompt. */
  write?: (prompt: string) => string
  /** The time before each piece. */
  pieceDelayMs?: number
  /** Something else than the server's own answer. */
  answer?: (request: StandInRequest) => StandInAnswer | undefined
}

export interface CompletionsServer extends StandInServer {
  /** The prompts that the model received, with the tokens that the tokenizer added. */
  prompts: string[]
}

/** The differences between the two servers. */
export interface ServerTraits {
  /** Checks the fields; returns the error. */
  check(body: JsonObject, promptTokens: number, contextLength: number): string | undefined
  refuse(message: string, status?: number): StandInAnswer
  /** True if the tokenizer puts the first token before a text. */
  addsBos(body: JsonObject): boolean
  /** The structural tag of a request. */
  tagOf(body: JsonObject): JsonValue | undefined
  /** The context length that `/tokenize` returns. */
  tokenizerLength(contextLength: number): number
  /** The owner that it names for its models. */
  owner: string
  /** The member of a choice that names what ended it. */
  stopField: string
  chunk: JsonObject
  choice: JsonObject
}

const bos = '<s>'

export async function startCompletionsServer(
  traits: ServerTraits,
  { contextLength = 4096, write, answer, pieceDelayMs }: CompletionsServerOptions,
): Promise<CompletionsServer> {
  const engine = new Engine(obedientTokens)
  const prompts: string[] = []

  const server = await startStandIn((request): StandInAnswer => {
    const own = answer?.(request)
    if (own) return own
    const { method, path, body } = request
    switch (`${method} ${path}`) {
      case 'GET /v1/models':
        return json({
          object: 'list',
          data: [{ id: 'obedient', object: 'model', owned_by: traits.owner, max_model_len: contextLength }],
        })
      case 'POST /tokenize': {
        const tokens = engine.tokenize((body.add_special_tokens === false ? '' : bos) + String(body.prompt ?? ''))
        return json({ count: tokens.length, max_model_len: traits.tokenizerLength(contextLength), tokens })
      }
      case 'POST /v1/completions':
        return complete(body)
      case 'POST /v1/chat/completions':
        return chatCompletion(body, { readsNamedChoice: true })
      default:
        return json({ detail: 'Not Found' }, 404)
    }
  }, pieceDelayMs)
  return { ...server, prompts }

  function complete(body: JsonObject): StandInAnswer {
    const { prompt } = body
    if (typeof prompt !== 'string' && !Array.isArray(prompt)) return traits.refuse('prompt: Field required')
    const text = typeof prompt === 'string' ? (traits.addsBos(body) ? bos : '') + prompt : engine.detokenize(prompt)
    const count = engine.split(text).length
    const refusal = traits.check(body, count, contextLength)
    if (refusal !== undefined) return traits.refuse(refusal)
    const tag = traits.tagOf(body)
    if (tag !== undefined && !isStructuralTag(tag))
      return traits.refuse('Failed to compile structural_tag grammar: no format')
    prompts.push(text)

    const reply = write?.(text) ?? obedientReply(text, tag)
    const shows = (): boolean => body.skip_special_tokens === false
    const written = engine.write(reply, {
      maxTokens: typeof body.max_tokens === 'number' ? body.max_tokens : 16,
      stops: (Array.isArray(body.stop) ? body.stop : []).filter((stop) => typeof stop === 'string'),
      shows,
    })
    return { type: 'stream', pieces: [...chunksOf(body, written, count), 'data: [DONE]\n\n'] }
  }

  function chunksOf(body: JsonObject, written: EngineText, promptTokens: number): string[] {
    const base = { id: 'cmpl-1', object: 'text_completion', created: 1, model: body.model ?? '' }
    const chunk = (text: string, finish: string | null = null, stop: string | null = null): string => {
      const choice = {
        index: 0,
        text,
        logprobs: null,
        finish_reason: finish,
        [traits.stopField]: stop,
        ...traits.choice,
      }
      return sse({ ...base, choices: [choice], ...traits.chunk })
    }
    const pieces = written.pieces.map((piece) => chunk(piece))
    pieces.push(chunk('', written.stop === 'limit' ? 'length' : 'stop', written.word === '' ? null : written.word))
    if (isJsonObject(body.stream_options) && body.stream_options.include_usage === true) {
      const usage = {
        prompt_tokens: promptTokens,
        completion_tokens: written.tokenCount,
        total_tokens: promptTokens + written.tokenCount,
        prompt_tokens_details: { cached_tokens: 1 },
      }
      pieces.push(sse({ ...base, choices: [], usage }))
    }
    return pieces
  }
}

function isStructuralTag(tag: JsonValue): boolean {
  return isJsonObject(tag) && tag.type === 'structural_tag' && isJsonObject(tag.format)
}

/** The model's own reply; a call of one of the tag's tools if the tag allows no free text. */
function obedientReply(prompt: string, tag: JsonValue | undefined): string {
  const format = isJsonObject(tag) ? JSON.stringify(tag.format) : undefined
  const isForced = format !== undefined && !format.includes('"triggered_tags"')
  const seen = readPrompt(prompt, isForced)
  const tools = isForced ? seen.tools.filter(({ name }) => format.includes(name)) : seen.tools
  return writePlain(obey({ ...seen, tools }))
}
