import { onTestFinished } from 'vitest'
import type { EngineOptions } from '../../../src/upstreams/completions/completions.ts'
import { createSglangUpstream } from '../../../src/upstreams/completions/sglang.ts'
import { createVllmUpstream } from '../../../src/upstreams/completions/vllm.ts'
import { createNodeTransport } from '../../../src/upstreams/transport/node-transport.ts'
import type { Constraint, Upstream } from '../../../src/upstreams/upstream.ts'
import type { CompletionsServer, CompletionsServerOptions } from '../../stand-ins/completions-server.ts'
import type { StandInAnswer, StandInRequest } from '../../stand-ins/http-stand-in.ts'
import { refuseAsSglang, startSglangServer } from '../../stand-ins/sglang-server.ts'
import { refuseAsVllm, startVllmServer } from '../../stand-ins/vllm-server.ts'

/** A kind of server with `/v1/completions`: its stand-in and its upstream. */
export interface CompletionsEngine {
  name: 'vllm' | 'sglang'
  startServer: (options: CompletionsServerOptions) => Promise<CompletionsServer>
  create: (options: EngineOptions) => Upstream
  refuse: (message: string, status?: number) => StandInAnswer
}

export const vllm: CompletionsEngine = {
  name: 'vllm',
  startServer: startVllmServer,
  create: createVllmUpstream,
  refuse: refuseAsVllm,
}
export const sglang: CompletionsEngine = {
  name: 'sglang',
  startServer: startSglangServer,
  create: createSglangUpstream,
  refuse: refuseAsSglang,
}
export const engines: readonly CompletionsEngine[] = [vllm, sglang]

export interface RunningEngine {
  server: CompletionsServer
  upstream: Upstream
  /** The requests for a path. */
  sent: (path: string) => StandInRequest[]
}

/** A stand-in and its upstream, until the test is over. */
export async function startEngine(
  engine: CompletionsEngine,
  options: CompletionsServerOptions = {},
  more: Partial<EngineOptions> = {},
): Promise<RunningEngine> {
  const server = await engine.startServer(options)
  onTestFinished(() => server.close())
  const transport = createNodeTransport()
  onTestFinished(() => transport.close())
  const upstream = engine.create({ name: 'local', url: server.url, transport, ...more })
  return { server, upstream, sent: (path) => server.requests.filter((request) => request.path === path) }
}

/** Answers requests to `/v1/completions` in place of the stand-in. */
export function onCompletions(
  answer: (request: StandInRequest) => StandInAnswer | undefined,
): (request: StandInRequest) => StandInAnswer | undefined {
  return (request) => (request.path === '/v1/completions' ? answer(request) : undefined)
}

export const anyText: Constraint = {
  type: 'structural-tag',
  tag: { tag: { type: 'structural_tag', format: { type: 'any_text' } }, widened: [] },
}
