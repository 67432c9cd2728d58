import type { AcceptOptions, Delivery, Dialect } from '../../dialects/index.ts'
import type { ScriptedReply, Upstream } from '../../upstreams/index.ts'

/** The configuration of a gateway, every default filled in. */
export interface GatewayConfig {
  listen: { host: string; port: number }
  /** What the triggers of conversations are derived from; absent: the gateway makes a random one at each start. */
  secret?: string
  /** Who may use the gateway: these keys, or whoever the upstream lets in with their own. Empty: no key is asked for. */
  keys: string[] | 'pass-through'
  /** The origins whose web pages may use the gateway, `https://app.example`; `*`: all. */
  cors: string[]
  /** By name. */
  upstreams: Record<string, UpstreamConfig>
  /** The first rule that matches a client's model name decides. */
  models: ModelRule[]
  limits: Limits
  log: { level: LogLevel }
}

export type UpstreamConfig =
  | OpenAIChatConfig
  | AnthropicConfig
  | OllamaConfig
  | LlamaServerConfig
  | VllmConfig
  | SglangConfig
  | OciGenerativeAiConfig
  | GgufConfig
  | ScriptedConfig
  | OwnUpstreamConfig

/** What every upstream has that is reached by HTTP. */
interface HttpConfig {
  /** Where its API is, with its path; no slash at its end. */
  url: string
  key?: string
  headers: Record<string, string>
  timeouts: Timeouts
  /** How often a request is tried again before its first byte. */
  retries: number
}

/** An OpenAI-compatible server. */
export interface OpenAIChatConfig extends HttpConfig {
  type: 'openai-chat'
  /** The field that carries the token limit; OpenAI's reasoning models refuse `max_tokens`. */
  maxTokensField: 'max_tokens' | 'max_completion_tokens'
}

/** A server with Anthropic's Messages API. */
export interface AnthropicConfig extends HttpConfig {
  type: 'anthropic'
  /** The most tokens of a reply where the client sets no bound. */
  maxTokens: number
  /** Whether the server is asked to keep prompts in its cache. */
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
  /** What is known of the models, by the names that they go by here. */
  models: Record<string, OciModelConfig>
}

export interface OciAuthConfig {
  type: 'config-file' | 'session-token' | 'instance-principal' | 'resource-principal' | 'workload-identity'
  /** OCI's configuration file; absent: the SDK's own default, `~/.oci/config`. */
  file?: string
  /** Absent: `DEFAULT`. */
  profile?: string
  /** The token of a pod's service account; absent: where Kubernetes puts it. */
  tokenFile?: string
  /** The certificate of the pod's cluster; absent: where Kubernetes puts it. */
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
  /** The most tokens that may be asked for. */
  maxTokens?: number
  /** For requests that name none. */
  temperature?: number
}

/** llama.cpp's server. */
export interface LlamaServerConfig extends HttpConfig {
  type: 'llama-server'
}

/** vLLM. */
export interface VllmConfig extends HttpConfig {
  type: 'vllm'
}

/** SGLang. */
export interface SglangConfig extends HttpConfig {
  type: 'sglang'
}

/** A model file that is run in this process. */
export interface GgufConfig {
  type: 'gguf'
  /** Its path; the command takes a relative one from the folder of the configuration file. */
  file: string
  /** Tokens for each conversation; absent: as many as the model was made for and memory allows. */
  contextSize?: number
  threads?: number
  /** How many of its layers a GPU computes; absent: as many as fit. */
  gpuLayers?: number
  /** How many conversations are kept in memory, and can be answered, at once. */
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
  /** Model names of clients; `*` stands for any characters. */
  match: string[]
  /** Who serves it; at least one. */
  upstreams: UpstreamShare[]
  /** The model as the upstreams name it; absent: the client's name is passed on. */
  model?: string
  /** How it is served; `auto`: as its upstream and its template allow. */
  plan: PlanName | 'auto'
  /** For plan `prompted`: the name of a dialect, or a dialect of the program's own; absent: the gateway's default. */
  dialect?: string | Dialect
  /** For plan `prompted`: how the tools are described, in words of one's own; absent: as the dialect does. */
  promptTemplate?: string
  /** The uncertain calls that count, as `accept` of a reader; absent: none of them. */
  reading?: AcceptOptions
  /** For plan `templated`: the file of the model's chat template, where its upstream does not show it. */
  template?: string
  /** What becomes of earlier reasoning: sent along, as the upstream takes it, or dropped. */
  reasoning: 'field' | 'drop'
  /** `whole`: a call is sent once all of it was read, a broken one as text; `live`: as it is written. */
  delivery: Delivery
  /** How often a call that is not valid is sent back to the model, before anything of it went out. */
  corrections: number
  /** How often a reply goes on that the token limit cut in the middle of a call. */
  continuations: number
}

/** One of the upstreams of a model. */
export interface UpstreamShare {
  /** Its name in the configuration. */
  name: string
  /** The model as this upstream names it. */
  model?: string
  /** Those with a weight share the conversations among them; those without come after them, in order. */
  weight?: number
}

export type PlanName = (typeof planNames)[number]

export const planNames: readonly ['native', 'prompted', 'templated'] = ['native', 'prompted', 'templated']

export interface Limits {
  bodyMegabytes: number
  /** Of one body: members and elements in all. */
  bodyValues: number
  /** Of all bodies in work. */
  bodiesMegabytes: number
  /** How long one request may take, to the end of its reply. */
  requestSeconds: number
  concurrentRequests: number
  /** How long a streamed reply may be held back before its first byte goes out. */
  startSeconds: number
  toolCount: number
  schemaDepth: number
  /** The requests that one client request may send to upstreams. */
  attempts: number
  /** Of responses kept in memory for requests that continue them; 0 keeps none. */
  responsesMegabytes: number
  responsesMinutes: number
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
