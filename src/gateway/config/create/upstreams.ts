import { AnycallError } from '../../../conversation/index.ts'
import type { RecordStore, RecordWriter, StoreLimits, ThreadWriterOptions } from '../../../records/index.ts'
import type {
  ClosableTransport,
  FileOpener,
  GgufOptions,
  HttpApiOptions,
  HttpTimeouts,
  HttpTransport,
  OciGenerativeAiOptions,
  Upstream,
} from '../../../upstreams/index.ts'
import {
  createAnthropicUpstream,
  createFetchTransport,
  createLlamaServerUpstream,
  createOllamaUpstream,
  createOpenAIChatUpstream,
  createOpenAIResponsesUpstream,
  createScriptedUpstream,
  createSglangUpstream,
  createVllmUpstream,
} from '../../../upstreams/index.ts'
import type { SharedCounterFactory } from '../../limits/counter.ts'
import type { StoreFactory } from '../../stored/response-store.ts'
import type { GatewayConfig, Timeouts, UpstreamConfig } from '../config.ts'
import type { EngineGrammars } from '../schema/types.ts'

/** A transport that may hold connections. */
export type UpstreamTransport = HttpTransport & Partial<ClosableTransport>

export interface UpstreamsOptions {
  /**
   * Carries the requests to HTTP upstreams, for example through a proxy or a service binding of a Worker. Default:
   * `fetch`; in `anycall/node` undici's connections if the runtime supports them. Its `close`, if it has one, is called
   * with the upstreams'.
   */
  transport?: UpstreamTransport
}

/** The parts of a gateway that depend on the runtime. */
export interface Runtime {
  createTransport(): UpstreamTransport
  /** Opens files of this machine, from which Ollama's chat templates are read. */
  openFile?: FileOpener
  /** Upstreams of types that need Node's modules. */
  createGgufUpstream?: (options: GgufOptions) => Upstream
  createOciGenerativeAiUpstream?: (options: OciGenerativeAiOptions) => Upstream
  /** Creates the store of responses that several gateways share. */
  createSharedStore?: StoreFactory
  /** Creates the counter of requests and tokens that several gateways share. */
  createSharedCounter?: SharedCounterFactory
  /** Reads a file of the inspector's page by its name; undefined if there is none. */
  readPage?: (name: string) => Promise<string | undefined>
  /** Opens a file of records. Throws an AnycallError if it cannot be used. */
  openRecords?: (file: string, limits: StoreLimits) => RecordStore
  /** Creates the writer of records in its own thread. */
  writeRecords?: (options: ThreadWriterOptions) => RecordWriter
}

/** A runtime with Web standards only. */
export const web: Runtime = { createTransport: createFetchTransport }

/**
 * Makes the upstreams of a configuration, by name; they share one transport. Nothing is connected or loaded before the first
 * request. Throws an AnycallError for a type of upstream that needs `anycall/node`.
 *
 * @example
 * const upstreams = createUpstreams(config)
 * const gateway = createGateway({ config, upstreams })
 */
export function createUpstreams(config: GatewayConfig, options: UpstreamsOptions = {}): Map<string, Upstream> {
  return createUpstreamsOn(web, config, options)
}

/** Creates the upstreams of a configuration with the services of a runtime. */
export function createUpstreamsOn(
  runtime: Runtime,
  config: GatewayConfig,
  { transport = runtime.createTransport() }: UpstreamsOptions = {},
): Map<string, Upstream> {
  const upstreams = new Map<string, Upstream>()
  const sharing = shareTransport(transport)
  for (const [name, upstream] of Object.entries(config.upstreams)) {
    if (upstream.type === 'own') {
      upstreams.set(name, named(upstream.upstream, name))
      continue
    }
    const made = createUpstream(name, upstream, { ...runtime, transport })
    const prepare = 'url' in upstream && transport.prepare
    upstreams.set(name, made.close ? made : { ...made, ...(prepare && { prepare }), close: sharing.open() })
  }
  return upstreams
}

/** Closes a transport when the last upstream that was opened on it is closed: one that a reload replaces leaves it to the others. */
function shareTransport(transport: UpstreamTransport): { open(): () => Promise<void> } {
  let users = 0
  return {
    open() {
      users++
      let isOpen = true
      return async () => {
        if (isOpen && --users === 0) await transport.close?.()
        isOpen = false
      }
    },
  }
}

/** An upstream of the program's own under its name in the configuration. It may be an object of a class. */
function named(own: Upstream, name: string): Upstream {
  return {
    name,
    type: own.type,
    abilities: own.abilities,
    models: (query) => own.models(query),
    generate: (request, context) => own.generate(request, context),
    ...(own.callsTools && { callsTools: own.callsTools.bind(own) }),
    ...(own.template && { template: own.template.bind(own) }),
    ...(own.countTokens && { countTokens: own.countTokens.bind(own) }),
    ...(own.prepare && { prepare: own.prepare.bind(own) }),
    ...(own.close && { close: own.close.bind(own) }),
  }
}

type Means = Omit<Runtime, 'createTransport' | 'createSharedStore' | 'createSharedCounter'> & {
  transport: HttpTransport
}

function createUpstream(name: string, config: Exclude<UpstreamConfig, { type: 'own' }>, means: Means): Upstream {
  const { transport } = means
  switch (config.type) {
    case 'gguf': {
      const { type, ...settings } = config
      return needed(means.createGgufUpstream, name, type)({ name, ...settings })
    }
    case 'scripted':
      return createScriptedUpstream({ name, ...(config.replies && { replies: config.replies }) })
    case 'openai-chat':
      return createOpenAIChatUpstream({
        ...httpOptions(name, config, transport),
        maxTokensField: config.maxTokensField,
      })
    case 'openai-responses':
      return createOpenAIResponsesUpstream(httpOptions(name, config, transport))
    case 'anthropic':
      return createAnthropicUpstream({
        ...httpOptions(name, config, transport),
        maxTokens: config.maxTokens,
        promptCaching: config.promptCaching,
      })
    case 'ollama':
      return createOllamaUpstream({
        ...httpOptions(name, config, transport),
        ...(means.openFile && { openFile: means.openFile }),
        ...(config.contextLength !== undefined && { contextLength: config.contextLength }),
      })
    case 'llama-server':
      return createLlamaServerUpstream({ ...httpOptions(name, config, transport), ...grammarsOf(config) })
    case 'vllm':
      return createVllmUpstream({ ...httpOptions(name, config, transport), ...grammarsOf(config) })
    case 'sglang':
      return createSglangUpstream({ ...httpOptions(name, config, transport), ...grammarsOf(config) })
    case 'oci-generative-ai': {
      const { type, timeouts, ...options } = config
      const create = needed(means.createOciGenerativeAiUpstream, name, type)
      return create({ ...options, name, transport, timeouts: milliseconds(timeouts) })
    }
  }
}

function grammarsOf({ grammars }: EngineGrammars): EngineGrammars {
  return grammars === undefined ? {} : { grammars }
}

function needed<Create>(create: Create | undefined, name: string, type: string): Create {
  if (create !== undefined) return create
  throw new AnycallError(
    'invalid-request',
    `Upstream "${name}" is of type ${type}, which needs Node's modules: import createGateway from "anycall/node".`,
  )
}

/** The options that all HTTP upstreams share. */
function httpOptions(
  name: string,
  { url, key, headers, timeouts, retries, passHeaders, sessionHeader }: Extract<UpstreamConfig, { url: string }>,
  transport: HttpTransport,
): HttpApiOptions {
  return {
    name,
    url,
    headers,
    retries,
    passHeaders,
    transport,
    ...(sessionHeader !== undefined && { sessionHeader }),
    ...(key !== undefined && { key }),
    timeouts: milliseconds(timeouts),
  }
}

function milliseconds({ connect, firstByte, idle }: Timeouts): HttpTimeouts {
  return { connectMs: connect * 1000, firstByteMs: firstByte * 1000, idleMs: idle * 1000 }
}
