import { AnycallError, isJsonObject, type JsonObject, RecentMap } from '../../conversation/index.ts'
import { type ChatTemplate, safeLoadTemplate } from '../../templates/index.ts'
import { strangeAnswer } from '../http/answer.ts'
import type { HttpApi, RequestContext } from '../http/api.ts'
import { whileWanted } from '../http/while-wanted.ts'
import type { GenerationContext } from '../upstream.ts'

/** The properties that a llama-server reports for a model. */
export interface ModelProps {
  /** The chat template, if the server shows one. */
  template: ChatTemplate | undefined
  /** The reason why the template that the server shows is not usable. */
  templateError?: string
  /** The text that a prompt may begin with, if the server adds that token before every prompt. */
  addedStart: string
  callsTools: boolean | undefined
}

/** Milliseconds for which properties are cached: the server may be restarted with another model. */
const believedMs = 60_000

interface Known {
  props: Promise<ModelProps>
  since: number
  /** The model's name in replies. */
  servedModel?: string
}

/** Reads and caches the models' properties of a llama-server until there is a reason to read them again. */
export class LlamaServerProps {
  readonly #api: HttpApi
  readonly #now: () => number
  readonly #known: Map<string, Known> = new RecentMap()
  /** Cached by the text: the same template stays the same object, for values that are derived from it. */
  readonly #templates: Map<string, ChatTemplate> = new RecentMap(100)

  constructor(api: HttpApi, now: () => number = Date.now) {
    this.#api = api
    this.#now = now
  }

  /** Throws an AnycallError when the server cannot be asked, or the request is cancelled. */
  of(model: string, { signal, clientKey }: GenerationContext): Promise<ModelProps> {
    return whileWanted(this.#of(model, clientKey), signal)
  }

  #of(model: string, clientKey: string | undefined): Promise<ModelProps> {
    const known = this.#known.get(model)
    if (known && this.#now() - known.since < believedMs) return known.props
    // Without the caller's signal: others may wait for the same answer.
    const asked: Known = { props: this.#ask(model, clientKey === undefined ? {} : { clientKey }), since: this.#now() }
    this.#known.set(model, asked)
    asked.props.catch(() => {
      if (this.#known.get(model) === asked) this.#known.delete(model)
    })
    return asked.props
  }

  /** Something failed: the server may be another one when it is back. */
  forget(model: string): void {
    this.#known.delete(model)
  }

  /** The name of the model that wrote a reply; another name than before is another model. */
  sawModel(model: string, servedModel: string): void {
    const known = this.#known.get(model)
    if (!known) return
    if (known.servedModel !== undefined && known.servedModel !== servedModel) this.#known.delete(model)
    else known.servedModel = servedModel
  }

  async #ask(model: string, context: RequestContext): Promise<ModelProps> {
    // A server that routes to several models has props for each.
    const { value, text } = await this.#api.askModel(`/props?model=${encodeURIComponent(model)}`, context)
    if (!isJsonObject(value)) throw strangeAnswer(this.#api.source(context.clientKey), 'props', text, 'a llama-server')
    const start = typeof value.bos_token === 'string' ? value.bos_token : ''
    const isAdded = start !== '' && (await this.#addsStart(model, start, context))
    const caps = isJsonObject(value.chat_template_caps) ? value.chat_template_caps : {}
    return { ...this.#template(value), addedStart: isAdded ? start : '', callsTools: readCallsTools(caps) }
  }

  #template(props: JsonObject): Pick<ModelProps, 'template' | 'templateError'> {
    if (typeof props.chat_template !== 'string' || props.chat_template === '') return { template: undefined }
    const { chat_template, chat_template_tool_use, bos_token, eos_token } = props
    const source: JsonObject = { chat_template, chat_template_tool_use, bos_token, eos_token }
    const key = JSON.stringify(source)
    const known = this.#templates.get(key)
    if (known) return { template: known }
    const loaded = safeLoadTemplate(source)
    if (loaded.type === 'error') return { template: undefined, templateError: loaded.message }
    this.#templates.set(key, loaded.template)
    return { template: loaded.template }
  }

  /**
   * Returns true if the model's tokenizer puts its first token before every text (`tokenizer.ggml.add_bos_token`). The
   * server does not report this; with the token's text in the prompt as well, the token would come twice. `/completion`
   * tokenises in the same way; the server's own chat API removes the text from what its template renders.
   */
  async #addsStart(model: string, start: string, context: RequestContext): Promise<boolean> {
    const body = { model, content: start, add_special: true, parse_special: true }
    const [first, second] = await this.#tokens(body, context)
    return first !== undefined && first === second
  }

  /** The tokens of a text without any that the tokenizer adds, markers as the tokens that they are. */
  async countTokens(model: string, content: string, context: RequestContext): Promise<number> {
    return (await this.#tokens({ model, content, add_special: false, parse_special: true }, context)).length
  }

  async #tokens(body: JsonObject, context: RequestContext): Promise<unknown[]> {
    const { value, text } = await this.#api.askModel('/tokenize', context, body)
    if (isJsonObject(value) && Array.isArray(value.tokens)) return value.tokens
    throw strangeAnswer(this.#api.source(context.clientKey), 'list of tokens', text, 'a llama-server')
  }
}

/**
 * `supports_tools`: the template lists tools; `supports_tool_calls`: it also writes calls. Older servers report
 * neither.
 */
function readCallsTools({ supports_tools: lists, supports_tool_calls: calls }: JsonObject): boolean | undefined {
  if (typeof lists !== 'boolean' && typeof calls !== 'boolean') return undefined
  return lists !== false && calls !== false
}

/** The error for a template that cannot be read. */
export function templateRefused(upstream: string, why: string): AnycallError {
  return new AnycallError(
    'upstream',
    `The chat template of upstream "${upstream}" cannot be used: ${why}. Set another one for the model in the configuration.`,
  )
}
