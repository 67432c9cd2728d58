import type { Gateway, GatewayConfig } from '../../gateway/index.ts'
import type { ChatTemplate } from '../../templates/index.ts'
import type { Log, Upstream } from '../../upstreams/index.ts'
import type { Reading } from './reading.ts'

/** What the commands call in the other rooms. */
export interface Rooms {
  dialects: readonly string[]
  /** How model text is read; absent: by anycall's own dialects. */
  reading?: Reading
  createUpstreams(config: GatewayConfig): Map<string, Upstream>
  createGateway(options: {
    config: GatewayConfig
    upstreams: Map<string, Upstream>
    /** The chat templates that rules name, by those names. */
    templates?: Map<string, ChatTemplate>
    log: Log
  }): Gateway
  /** Throws an AnycallError for a public host without keys, and Node's error where the port cannot be had. */
  listen(
    gateway: Gateway,
    options: { host: string; port: number },
  ): Promise<{ url: string; port: number; close(graceMs: number): Promise<void> }>
}
