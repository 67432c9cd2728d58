import type { AcceptOptions, Delivery, Dialect } from '../../../dialects/index.ts'
import type { ScriptedReply, Upstream } from '../../../upstreams/index.ts'
import type { KeyLimits } from '../../limits/counter.ts'

/** The path of a value: `['upstreams', 'local', 'key']`. */
export type ConfigPath = readonly (string | number)[]

export type { KeyLimits } from '../../limits/counter.ts'

/** The configuration of a gateway, every default filled in. */
export interface GatewayConfig {
  listen: ListenConfig
  /**
   * The secret from which the triggers of conversations are derived. Absent: the gateway generates one at each start.
   */
  secret?: string
  /** The keys of the gateway, or `pass-through`: the client's key is the upstream's. Empty: no key is required. */
  keys: (string | KeyConfig)[] | 'pass-through'
  /** The origins of web pages that may use the gateway, `https://app.example`. `*`: all. */
  cors: string[]
  /** By name. */
  upstreams: Record<string, UpstreamConfig>
  /** The first rule that matches a client's model name decides. */
  models: ModelRule[]
  /**
   * The prefix under which Anthropic's clients see models whose names contain neither `claude` nor `anthropic`, as Claude Code shows no
   * others. Empty: none.
   */
  anthropicPrefix: string
  responses: ResponsesConfig
  limits: Limits
  log: { level: LogLevel; format: LogFormat }
  /** The parts of exchanges that are kept. Absent: nothing. */
  records?: RecordsConfig
  /** The metrics at `/metrics`. Absent: nothing is measured. */
  metrics?: MetricsConfig
}

export interface ListenConfig {
  host: string
  port: number
  /** The number of processes that serve the address. `auto`: one for each core. */
  workers: number | 'auto'
  /** The seconds for which a gateway that is stopped still takes requests, while `/readyz` answers 503. */
  drainSeconds: number
  /** The seconds that running requests get to finish after that. */
  graceSeconds: number
}

export interface MetricsConfig {
  /** The key of who may read them. Absent: only a gateway without keys lets its own machine read them. */
  key?: string
}

/** A key with a name, and the rights of who has it. */
export interface KeyConfig {
  /** The name in the log, in records and in hooks. */
  name: string
  /** Either the key itself, */
  key?: string
  /** or its SHA-256 digest in hexadecimal digits. */
  sha256?: string
  /** The models that it may use, as patterns. Absent: all. */
  models?: string[]
  limits?: KeyLimits
}

/** The holder of a key, with the rights of the key. A key without a name has no other members. */
export type KeyHolder = Partial<Pick<KeyConfig, 'name' | 'models' | 'limits'>>

/** The records of exchanges. */
export interface RecordsConfig {
  /** `all` exchanges; `odd`: failures, and those with a notice or several attempts; or a `sample` of all. */
  keep: 'all' | 'odd' | 'sample'
  /** The share that `sample` keeps, from 0 to 1. */
  share: number
  /** The SQLite file. Absent: records are kept in memory, as long as the gateway runs. */
  file?: string
  /** The size of the file, or of the records in memory. */
  megabytes: number
  days: number
  /** The size of one record; what goes beyond it is left out. */
  exchangeMegabytes: number
  /** The share of a core's time for which records are written while the gateway is busy; 1: always. */
  busyShare: number
  /** The key of who may read records by the gateway. Absent: only a gateway without keys lets its own machine read them. */
  adminKey?: string
  redact: {
    /** Paths in the client's request, `metadata.user_id` or `messages.*.content`: their values are masked wherever they are. */
    paths: string[]
    /** Regular expressions for texts to be masked. */
    patterns: string[]
  }
}

export type UpstreamConfig =
  | OpenAIChatConfig
  | OpenAIResponsesConfig
  | AnthropicConfig
  | OllamaConfig
  | LlamaServerConfig
  | VllmConfig
  | SglangConfig
  | OciGenerativeAiConfig
  | GgufConfig
  | ScriptedConfig
  | OwnUpstreamConfig

/** Settings of every upstream that is reached by HTTP. */
interface HttpConfig {
  /** The address of its API, with its path and without a slash at the end. */
  url: string
  key?: string
  headers: Record<string, string>
  timeouts: Timeouts
  /** The number of retries of a request before its first byte. */
  retries: number
  /** The client's headers that are passed on, by their names in small letters. */
  passHeaders: string[]
  /** The header that carries the id of the client's conversation, in small letters. */
  sessionHeader?: string
}

/** An OpenAI-compatible server. */
export interface OpenAIChatConfig extends HttpConfig {
  type: 'openai-chat'
  /** The field that carries the token limit; OpenAI's reasoning models refuse `max_tokens`. */
  maxTokensField: 'max_tokens' | 'max_completion_tokens'
}

/** A server with OpenAI's Responses API. */
export interface OpenAIResponsesConfig extends HttpConfig {
  type: 'openai-responses'
}

/** A server with Anthropic's Messages API. */
export interface AnthropicConfig extends HttpConfig {
  type: 'anthropic'
  /** The most tokens of a reply if the client sets no bound. */
  maxTokens: number
  /** True if the server is asked to keep prompts in its cache. */
  promptCaching: boolean
}

/** An Ollama server, by its own API. */
export interface OllamaConfig extends HttpConfig {
  type: 'ollama'
  /** The context that models are loaded with, in tokens; absent: the server's default. */
  contextLength?: number
}

/** OCI Generative AI's chat inference, over Oracle's SDK. */
export interface OciGenerativeAiConfig extends Pick<HttpConfig, 'timeouts' | 'retries'> {
  type: 'oci-generative-ai'
  /** The OCID of the compartment that requests belong to. */
  compartment: string
  /** Absent, with no endpoint either: the region that the keys name. */
  region?: string
  /** In place of the region's own; no slash at its end. */
  endpoint?: string
  auth: OciAuthConfig
  /** Definitions of models, by the names that clients use. */
  models: Record<string, OciModelConfig>
}

export interface OciAuthConfig {
  type: 'config-file' | 'session-token' | 'instance-principal' | 'resource-principal' | 'workload-identity'
  /** OCI's configuration file; absent: the SDK's own default, `~/.oci/config`. */
  file?: string
  /** Absent: `DEFAULT`. */
  profile?: string
  /** The token of a pod's service account. Default: the path that Kubernetes uses. */
  tokenFile?: string
  /** The certificate of the pod's cluster. Default: the path that Kubernetes uses. */
  certificateFile?: string
}

export interface OciModelConfig {
  /** The model's OCID, or its name at OCI; absent: the name that it goes by here. */
  id?: string
  /** The OCID of a dedicated cluster's endpoint. */
  endpoint?: string
  /** Absent: by the model's name, else found out from the service. */
  format?: 'generic' | 'cohere' | 'cohere-v2'
  maxTokensField: 'maxTokens' | 'maxCompletionTokens'
  /** The most tokens that a request may ask for. */
  maxTokens?: number
  /** The temperature for requests without one. */
  temperature?: number
}

/** The grammars of an engine: those of llguidance instead of its own. */
export interface EngineGrammars {
  grammars?: 'lark'
}

/** llama.cpp's server. */
export interface LlamaServerConfig extends HttpConfig, EngineGrammars {
  type: 'llama-server'
}

/** vLLM. */
export interface VllmConfig extends HttpConfig, EngineGrammars {
  type: 'vllm'
}

/** SGLang. */
export interface SglangConfig extends HttpConfig, EngineGrammars {
  type: 'sglang'
}

/** A model file that is run in this process. */
export interface GgufConfig {
  type: 'gguf'
  /** Its path; the command takes a relative one from the folder of the configuration file. */
  file: string
  /** Tokens for each conversation; absent: as many as the model was made for and memory allows. */
  contextSize?: number
  /** The number of CPU threads. Absent: the engine's default. */
  threads?: number
  /** The number of layers that a GPU computes. Absent: as many as fit. */
  gpuLayers?: number
  /** The number of conversations that are kept in memory and can be answered at the same time. */
  sequences: number
}

/** The scripted model of this package. */
export interface ScriptedConfig {
  type: 'scripted'
  /** The replies to the first requests, in turn; an empty one, and after the last: its own. */
  replies?: ScriptedReply[]
}

/** An upstream that the program made itself. No file can have one. */
export interface OwnUpstreamConfig {
  type: 'own'
  upstream: Upstream
}

/** Limits in seconds. */
export interface Timeouts {
  connect: number
  firstByte: number
  /** Between two pieces of a reply. */
  idle: number
}

export interface ModelRule {
  /** Model names of clients. `*` matches any characters. */
  match: string[]
  /** The upstreams that serve it, at least one. */
  upstreams: UpstreamShare[]
  /** The order in which the upstreams are tried; absent: that of the list, with their weights. */
  order?: OrderConfig
  /** The model as the upstreams name it; absent: the client's name is passed on. */
  model?: string
  /** The plan by which it is served. `auto`: chosen by its upstream and its template. */
  plan: PlanName | 'auto'
  /** For plan `prompted`: the name of a dialect, or a dialect of the program's own; absent: the gateway's default. */
  dialect?: string | Dialect
  /** For plan `prompted`: your own text that describes the tools; if absent, the dialect's. */
  promptTemplate?: string
  /** The uncertain calls that are accepted, as `accept` of a reader. Default: none. */
  reading?: AcceptOptions
  /** For plan `templated`: the file of the model's chat template, if its upstream does not show it. */
  template?: string
  /** The handling of earlier reasoning: sent in the upstream's field, or dropped. */
  reasoning: 'field' | 'drop'
  /** The replies that show reasoning: those whose request asks for it, as its API has it, or all. */
  showReasoning: 'asked' | 'always'
  /** `whole`: a call is sent once all of it was read, a broken one as text; `live`: as it is written. */
  delivery: Delivery
  /** The number of times that an invalid call is sent back to the model before any part of it is sent to the client. */
  corrections: number
  /** The number of times that a reply is continued if the token limit cut it in the middle of a call. */
  continuations: number
  /** With more tools than this, a request's tools are listed by name, and the model searches for those that it calls; 0: never. */
  toolSearch: number
}

/** An order of upstreams by the results of their recent requests. */
export interface OrderConfig {
  /** `best`: those with fewer wrong tool calls, and then the faster ones, come first. */
  by: 'best'
  /** Seconds for which a result counts. */
  window: number
  /** The number of results that an upstream needs before it is ranked. */
  floor: number
}

/** One of the upstreams of a model. */
export interface UpstreamShare {
  /** Its name in the configuration. */
  name: string
  /** The model as this upstream names it. */
  model?: string
  /**
   * The upstream's share of the conversations, relative to the other weights. Upstreams without a weight come after those
   * with one, in order.
   */
  weight?: number
}

/** The store of the responses of the Responses API. */
export interface ResponsesConfig {
  /** The address of a server of Valkey or Redis; absent: the memory of this process. */
  store?: string
  /** Seconds for which an answer of that server is awaited. */
  timeout: number
}

export type PlanName = (typeof planNames)[number]

export const planNames: readonly ['native', 'prompted', 'templated'] = ['native', 'prompted', 'templated']

export interface Limits {
  /** The address of a server of Valkey or Redis, in which the limits of keys are counted for all gateways; absent: each counts its own. */
  store?: string
  bodyMegabytes: number
  /** The maximum number of members and elements of one body. */
  bodyValues: number
  /** The maximum size of all bodies in work. */
  bodiesMegabytes: number
  /** The maximum duration of a request, to the end of its reply. */
  requestSeconds: number
  concurrentRequests: number
  /** The maximum time for which a streamed reply is held back before its first byte. */
  startSeconds: number
  toolCount: number
  schemaDepth: number
  /** The requests that one client request may send to upstreams. */
  attempts: number
  /** The size of all responses that are kept for requests that continue them; 0 keeps none. */
  responsesMegabytes: number
  responsesMinutes: number
  /** The size of the replies that are remembered as the model wrote them, for the prompts of later turns; 0 remembers none. */
  repliesMegabytes: number
}

export type LogLevel = (typeof logLevels)[number]

/** From the most to the least. */
export const logLevels: readonly ['debug', 'info', 'warn', 'error', 'silent'] = [
  'debug',
  'info',
  'warn',
  'error',
  'silent',
]

export type LogFormat = (typeof logFormats)[number]

/** `auto`: `pretty` on a terminal, `json` elsewhere. */
export const logFormats: readonly ['auto', 'pretty', 'json'] = ['auto', 'pretty', 'json']
