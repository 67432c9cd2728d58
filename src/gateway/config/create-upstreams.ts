import type { ClosableTransport, HttpApiOptions, HttpTimeouts, HttpTransport, Upstream } from '../../upstreams/index.ts'
import {
  createAnthropicUpstream,
  createDefaultTransport,
  createGgufUpstream,
  createLlamaServerUpstream,
  createOciGenerativeAiUpstream,
  createOllamaUpstream,
  createOpenAIChatUpstream,
  createScriptedUpstream,
  createSglangUpstream,
  createVllmUpstream,
  openLocalFile,
} from '../../upstreams/index.ts'
import type { GatewayConfig, Timeouts, UpstreamConfig } from './config.ts'

export interface UpstreamsOptions {
  /**
   * Carries all requests to HTTP upstreams, as one that goes through a proxy or a service binding of a Worker. Absent: undici's
   * connections on Node and Deno, `fetch` everywhere else. Its `close`, where it has one, is called with the upstreams'.
   */
  transport?: HttpTransport & Partial<ClosableTransport>
}

/**
 * Makes the upstreams of a configuration, by name; they share one transport. Nothing is connected or loaded before they are asked.
 *
 * @example
 * const gateway = createGateway({ config, upstreams: createUpstreams(config) })
 */
export function createUpstreams(
  config: GatewayConfig,
  { transport = createDefaultTransport() }: UpstreamsOptions = {},
): Map<string, Upstream> {
  const upstreams = new Map<string, Upstream>()
  for (const [name, upstream] of Object.entries(config.upstreams)) {
    const made = createUpstream(name, upstream, transport)
    upstreams.set(name, { ...made, close: made.close ?? (async () => transport.close?.()) })
  }
  return upstreams
}

function createUpstream(name: string, config: UpstreamConfig, transport: HttpTransport): Upstream {
  switch (config.type) {
    case 'gguf': {
      const { type: _, ...settings } = config
      return createGgufUpstream({ name, ...settings })
    }
    case 'scripted':
      return createScriptedUpstream({ name, ...(config.replies && { replies: config.replies }) })
    case 'openai-chat':
      return createOpenAIChatUpstream({
        ...httpOptions(name, config, transport),
        maxTokensField: config.maxTokensField,
      })
    case 'anthropic':
      return createAnthropicUpstream({
        ...httpOptions(name, config, transport),
        maxTokens: config.maxTokens,
        promptCaching: config.promptCaching,
      })
    case 'ollama':
      return createOllamaUpstream({
        ...httpOptions(name, config, transport),
        openFile: openLocalFile,
        ...(config.contextLength !== undefined && { contextLength: config.contextLength }),
      })
    case 'llama-server':
      return createLlamaServerUpstream(httpOptions(name, config, transport))
    case 'vllm':
      return createVllmUpstream(httpOptions(name, config, transport))
    case 'sglang':
      return createSglangUpstream(httpOptions(name, config, transport))
    case 'oci-generative-ai': {
      const { type: _, timeouts, ...options } = config
      return createOciGenerativeAiUpstream({ ...options, name, transport, timeouts: milliseconds(timeouts) })
    }
  }
}

/** What all upstreams that are reached by HTTP are made from. */
function httpOptions(
  name: string,
  { url, key, headers, timeouts, retries }: Extract<UpstreamConfig, { url: string }>,
  transport: HttpTransport,
): HttpApiOptions {
  return {
    name,
    url,
    headers,
    retries,
    transport,
    ...(key !== undefined && { key }),
    timeouts: milliseconds(timeouts),
  }
}

function milliseconds({ connect, firstByte, idle }: Timeouts): HttpTimeouts {
  return { connectMs: connect * 1000, firstByteMs: firstByte * 1000, idleMs: idle * 1000 }
}
