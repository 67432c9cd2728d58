import { onTestFinished } from 'vitest'
import type { GbnfGrammar } from '../../../src/grammar/index.ts'
import { createLlamaServerUpstream } from '../../../src/upstreams/completions/llama-server.ts'
import type { HttpApiOptions } from '../../../src/upstreams/http/api.ts'
import { createNodeTransport } from '../../../src/upstreams/transport/node-transport.ts'
import type { HttpTransport } from '../../../src/upstreams/transport/transport.ts'
import type { Upstream } from '../../../src/upstreams/upstream.ts'
import type { StandInRequest } from '../../stand-ins/http-stand-in.ts'
import { type LlamaServer, type LlamaServerOptions, startLlamaServer } from '../../stand-ins/llama-server.ts'

export const transport: HttpTransport = createNodeTransport()

export interface StartedLlamaServer {
  server: LlamaServer
  upstream: Upstream
  /** The requests to a path. */
  sent: (path: string) => StandInRequest[]
}

/** A stand-in that runs until the test is over, and its upstream. */
export async function start(
  options: LlamaServerOptions = {},
  more: Partial<HttpApiOptions> = {},
): Promise<StartedLlamaServer> {
  const server = await startLlamaServer(options)
  onTestFinished(() => server.close())
  const upstream = createLlamaServerUpstream({ name: 'local', url: server.url, transport, ...more })
  return { server, upstream, sent: (path) => server.requests.filter((request) => request.path === path) }
}

export const gbnf = (more: Partial<GbnfGrammar> = {}): { type: 'gbnf'; grammar: GbnfGrammar } => ({
  type: 'gbnf',
  grammar: {
    grammar: 'root ::= "yes" | "no"\n',
    root: 'root',
    isLazy: false,
    triggers: [],
    preservedTokens: [],
    stops: [],
    widened: [],
    ...more,
  },
})
