// Gateways with the services of Node, or of Deno and Bun: undici's connections, model files, OCI's SDK.
import { openSqliteStore, ThreadWriter } from '../../records/index.ts'
import {
  createDefaultTransport,
  createGgufUpstream,
  createOciGenerativeAiUpstream,
  openLocalFile,
  type Upstream,
} from '../../upstreams/index.ts'
import type { GatewayConfig } from '../config/config.ts'
import { createUpstreamsOn, type Runtime, type UpstreamsOptions } from '../config/create/upstreams.ts'
import { createGatewayOn, type Gateway } from '../gateway.ts'
import { createValkeyCounter } from '../limits/valkey-counter.ts'
import type { GatewayOptions } from '../options.ts'
import { createValkeyStore } from '../stored/valkey-store.ts'
import { readPage } from './page.ts'

const node: Runtime = {
  createTransport: createDefaultTransport,
  openFile: openLocalFile,
  createGgufUpstream,
  createOciGenerativeAiUpstream,
  createSharedStore: createValkeyStore,
  createSharedCounter: createValkeyCounter,
  readPage,
  openRecords: openSqliteStore,
  writeRecords: (options) => new ThreadWriter(options),
}

/**
 * Creates a gateway like the function of that name in `anycall/gateway`, with connections that undici keeps alive if
 * the runtime supports it, with upstreams of types `gguf` and `oci-generative-ai`, and with responses kept, and limits counted, in Valkey or Redis.
 *
 * @example
 * const gateway = createGateway({
 *   upstreams: { local: { type: 'gguf', file: 'model.gguf' } },
 *   models: [{ match: '*', upstream: 'local' }],
 * })
 * const server = await listen(gateway)
 */
export function createNodeGateway(options: GatewayOptions): Gateway {
  return createGatewayOn(node, options)
}

/**
 * Returns the upstreams of a configuration, by name; they share one transport. Nothing is connected or loaded before the first request.
 *
 * @example
 * const config = loadConfigFile('anycall.yaml')
 * const gateway = createGateway({ config, upstreams: createUpstreams(config) })
 */
export function createNodeUpstreams(config: GatewayConfig, options: UpstreamsOptions = {}): Map<string, Upstream> {
  return createUpstreamsOn(node, config, options)
}
