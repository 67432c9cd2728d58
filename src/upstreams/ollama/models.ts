import { isJsonObject, type JsonObject, type JsonValue, RecentMap } from '../../conversation/index.ts'
import { type ChatTemplate, type ReadBytes, safeLoadGgufTemplate } from '../../templates/index.ts'
import { strangeAnswer } from '../http/answer.ts'
import type { HttpApi, RequestContext } from '../http/api.ts'
import type { GenerationContext } from '../upstream.ts'

/** A file on this machine that can be read in pieces. */
export interface OpenFile {
  read: ReadBytes
  close(): Promise<void>
}

/** Opens a file for reading. Undefined if it cannot be read. */
export type FileOpener = (path: string) => Promise<OpenFile | undefined>

/** Milliseconds for which a model's properties are cached: a model may be pulled again at any time. */
const freshMs = 60_000

interface Fresh<Value> {
  until: number
  value: Promise<Value>
}

/** The properties of Ollama's models, requested at most once a minute. */
export class OllamaModels {
  readonly #api: HttpApi
  readonly #openFile: FileOpener | undefined
  readonly #shown = new RecentMap<string, Fresh<JsonObject>>()
  readonly #beginnings = new RecentMap<string, Fresh<string>>()
  /** Templates by the path of the file. The file's name is the digest of its content. */
  readonly #templates = new RecentMap<string, Promise<ChatTemplate | undefined>>()

  constructor(api: HttpApi, openFile: FileOpener | undefined) {
    this.#api = api
    this.#openFile = openFile
  }

  /**
   * Returns true if Ollama's own template of the model writes tools. Undefined if the server is too old to report it.
   */
  async callsTools(model: string, context: RequestContext): Promise<boolean | undefined> {
    const { capabilities } = await this.#show(model, context)
    return Array.isArray(capabilities) ? capabilities.includes('tools') : undefined
  }

  /**
   * Returns the chat template in the model's file, if that file is on this machine: the API does not report it, and
   * Ollama's own template has another syntax. A model whose file has no template still works with Ollama, so the reason
   * is only logged.
   */
  async template(model: string, context: GenerationContext): Promise<ChatTemplate | undefined> {
    const { modelfile } = await this.#show(model, context)
    const path = blobPath(modelfile)
    if (path === undefined || this.#openFile === undefined) return undefined
    return kept(this.#templates, path, () => this.#readTemplate(path, model, context))
  }

  /** Returns the text of the token that the engine adds before every prompt. Empty if it adds none. */
  beginningOf(model: string, context: RequestContext): Promise<string> {
    return fresh(this.#beginnings, model, async () => {
      const { model_info: info } = await this.#show(model, context)
      if (!isJsonObject(info) || !addsBeginning(info)) return ''
      const id = info['tokenizer.ggml.bos_token_id']
      // The list of all tokens, some megabytes, is included only on request.
      const { model_info: all } = await this.#ask({ model, verbose: true }, context)
      const tokens = isJsonObject(all) ? all['tokenizer.ggml.tokens'] : undefined
      const token: unknown = Array.isArray(tokens) && typeof id === 'number' ? tokens[id] : undefined
      return typeof token === 'string' ? token : ''
    })
  }

  #show(model: string, context: RequestContext): Promise<JsonObject> {
    return fresh(this.#shown, model, () => this.#ask({ model }, context))
  }

  async #ask(body: JsonValue, context: RequestContext): Promise<JsonObject> {
    // Others may wait for the same answer: it does not end with the client that asked first.
    const { signal: _, ...lasting } = context
    const { value, text } = await this.#api.ask('/api/show', lasting, body)
    if (isJsonObject(value)) return value
    throw strangeAnswer(this.#api.source(lasting.clientKey), 'description of a model', text, 'an Ollama server')
  }

  async #readTemplate(path: string, model: string, { log }: GenerationContext): Promise<ChatTemplate | undefined> {
    const file = await this.#openFile?.(path)
    if (file === undefined) return undefined
    try {
      const loaded = await safeLoadGgufTemplate(file.read)
      if (loaded.type === 'template') return loaded.template
      log('info', 'upstream.no-template', { upstream: this.#api.name, model, why: loaded.message })
      return undefined
    } finally {
      await file.close()
    }
  }
}

/** The model's own file in a Modelfile; projectors follow it. Nothing but a blob is taken: the server is not to choose files. */
function blobPath(modelfile: unknown): string | undefined {
  if (typeof modelfile !== 'string') return undefined
  const path = /^FROM\s+(.+?)\s*$/m.exec(modelfile)?.[1]?.replace(/^"(.*)"$/, '$1')
  return path !== undefined && /[\\/]blobs[\\/]sha256[-:][0-9a-f]{64}$/.test(path) ? path : undefined
}

/** Tokenizers of llama.cpp that add the beginning token to a text if the file has no setting for it. */
const beginningTokenizers: ReadonlySet<unknown> = new Set([
  'llama',
  'llama-bpe',
  'llama3',
  'llama-v3',
  'falcon3',
  'pixtral',
  'tekken',
])

function addsBeginning(info: JsonObject): boolean {
  const said = info['tokenizer.ggml.add_bos_token']
  if (typeof said === 'boolean') return said
  return beginningTokenizers.has(info['tokenizer.ggml.model']) || beginningTokenizers.has(info['tokenizer.ggml.pre'])
}

/** Returns a value that is cached for a while. After a failure it is requested again. */
function fresh<Value>(values: Map<string, Fresh<Value>>, key: string, ask: () => Promise<Value>): Promise<Value> {
  const known = values.get(key)
  if (known !== undefined && Date.now() < known.until) return known.value
  const value = ask()
  values.set(key, { until: Date.now() + freshMs, value })
  value.catch(() => values.delete(key))
  return value
}

/** Returns a value that is computed once. After a failure it is computed again. */
function kept<Value>(values: Map<string, Promise<Value>>, key: string, make: () => Promise<Value>): Promise<Value> {
  const known = values.get(key)
  if (known !== undefined) return known
  const value = make()
  values.set(key, value)
  value.catch(() => values.delete(key))
  return value
}
