// The configuration as a person or a program writes it: fields with a default may be left out, and short forms are
// allowed.
import type { AcceptOptions, Dialect } from '../../dialects/index.ts'
import type { Upstream } from '../../upstreams/index.ts'
import type {
  GatewayConfig,
  KeyConfig,
  Limits,
  LogFormat,
  LogLevel,
  MetricsConfig,
  ModelRule,
  OrderConfig,
  OwnUpstreamConfig,
  RecordsConfig,
  ResponsesConfig,
  Timeouts,
  UpstreamConfig,
} from './schema/types.ts'

/** A configuration as it is written; `parseConfig` checks it and fills in the defaults. */
export interface ConfigInput {
  /** The address of the JSON schema, for editors. */
  $schema?: string
  listen?: Partial<GatewayConfig['listen']>
  /** The secret that the triggers of conversations are derived from; at least 16 characters. */
  secret?: string
  /** The keys of those who may use the gateway, or `pass-through`: the client's key goes to the upstream. */
  keys?: readonly (string | KeyConfig)[] | 'pass-through'
  /** The origins whose web pages may use the gateway, or `*`. */
  cors?: string | string[]
  /** By name: the settings of an upstream, or an upstream of the program's own. */
  upstreams?: Readonly<Record<string, UpstreamInput | Upstream>>
  /** The first rule that matches a client's model name decides. */
  models?: readonly ModelRuleInput[]
  /** The prefix of names in lists for Anthropic's clients that contain neither `claude` nor `anthropic`; `''` for none. */
  anthropicPrefix?: string
  /** The store of the responses of the Responses API: by default the memory of this process. */
  responses?: Partial<ResponsesConfig>
  limits?: Partial<Limits>
  log?: { level?: LogLevel; format?: LogFormat }
  /** The parts of exchanges that are kept; `{}` keeps all of them in memory. */
  records?: Partial<Omit<RecordsConfig, 'redact'>> & { redact?: Partial<RecordsConfig['redact']> }
  /** True for metrics at `/metrics`, or the key that reads them. */
  metrics?: boolean | MetricsConfig
}

/** The settings of an upstream as they are written. */
export type UpstreamInput = WithDefaults<Exclude<UpstreamConfig, OwnUpstreamConfig>>

/** The members with a default, in all types of upstreams. */
type Defaulted =
  | 'headers'
  | 'timeouts'
  | 'retries'
  | 'passHeaders'
  | 'maxTokensField'
  | 'maxTokens'
  | 'promptCaching'
  | 'sequences'
  | 'auth'
  | 'models'

type WithDefaults<Config> = Config extends unknown
  ? Omit<Config, Defaulted> & { [Key in keyof Config & Defaulted]?: Short<Config[Key]> }
  : never

/** The members of members that have defaults, too. */
type Short<Value> = Value extends Timeouts
  ? Partial<Timeouts>
  : Value extends { type: unknown }
    ? Partial<Value>
    : Value extends Record<string, { maxTokensField: unknown }>
      ? Record<string, Partial<Value[string]>>
      : Value

/** An upstream of a rule: its name, or its name and how it is used. */
export type UpstreamShareInput = string | ModelRule['upstreams'][number]

/** A rule as it is written. */
export interface ModelRuleInput
  extends Partial<Omit<ModelRule, 'match' | 'upstreams' | 'order' | 'dialect' | 'reading'>> {
  /** Model names of clients. `*` matches any characters. */
  match: string | readonly string[]
  /** The upstreams that serve the models. */
  upstream: UpstreamShareInput | readonly UpstreamShareInput[]
  /** `best`, or with its settings. */
  order?: 'best' | (Pick<OrderConfig, 'by'> & Partial<OrderConfig>)
  /** The name of a dialect, or a dialect of the program's own. */
  dialect?: string | Dialect
  /** The uncertain calls that are accepted, as `accept` of a reader. */
  reading?: AcceptOptions
}
