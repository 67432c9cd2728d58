import { expect, onTestFinished } from 'vitest'
import type { JsonObject } from '../../src/conversation/index.ts'
import { dialectNames } from '../../src/dialects/index.ts'
import type { PlanName } from '../../src/gateway/config/config.ts'
import { createNodeGateway, createNodeUpstreams, listen, parseConfig } from '../../src/gateway/index.ts'
import { createScriptedUpstream } from '../../src/upstreams/scripted/scripted.ts'
import type { Log, Upstream } from '../../src/upstreams/upstream.ts'
import { checkedAnswers } from './protocols/checked-answers.ts'
import { type ServerScript, startUpstreamServer, type UpstreamServer } from './upstream-server.ts'

export interface GatewayFixtureOptions {
  /**
   * The upstream of every model name, or the base URL (with `/v1`) of an OpenAI-compatible server. Default: the
   * scripted model alone.
   */
  upstream?: Upstream | string
  /** More of the server's entry in the configuration: timeouts, retries, key. Only with a base URL. */
  server?: JsonObject
  /** By default everything is prompted for. */
  plan?: PlanName
  /** Default: the gateway's own. */
  dialect?: string
  /** Top-level keys of the configuration, in place of the fixture's: `keys`, `limits`, `models`, `secret`. */
  config?: JsonObject
}

export interface LogLine {
  level: Parameters<Log>[0]
  event: string
  fields: Record<string, unknown>
}

export interface RunningGateway {
  /** `http://127.0.0.1:PORT`: the base URL of Anthropic's clients. */
  url: string
  /** The same with `/v1`: the base URL of OpenAI's clients. */
  openaiUrl: string
  /** Everything logged so far. */
  log: LogLine[]
  /**
   * Stops the server, with all running requests, and releases the upstream's connections. Fails if an answer of the Responses API
   * did not fit the published schemas.
   */
  close(): Promise<void>
}

/** The name of the one upstream in the fixture's configuration. */
export const upstreamName = 'test'

/** Starts a gateway on a free port of 127.0.0.1, in front of one upstream that serves every model. */
export async function startGateway(options: GatewayFixtureOptions = {}): Promise<RunningGateway> {
  const { upstream = createScriptedUpstream({ name: upstreamName }), server = {}, plan = 'prompted', dialect } = options
  const entry = typeof upstream === 'string' ? { type: 'openai-chat', url: upstream, ...server } : { type: 'scripted' }
  const rule = { match: '*', upstream: upstreamName, plan, ...(dialect !== undefined && { dialect }) }
  const config = parseConfig({ upstreams: { [upstreamName]: entry }, models: [rule], ...options.config } as unknown, {
    file: 'test',
    env: {},
    dialects: dialectNames,
  })
  const log: LogLine[] = []
  const gateway = createNodeGateway({
    config,
    upstreams: typeof upstream === 'string' ? createNodeUpstreams(config) : new Map([[upstreamName, upstream]]),
    log: (level, event, fields = {}) => log.push({ level, event, fields }),
  })
  const checked = checkedAnswers(gateway.handle)
  const running = await listen({ ...gateway, handle: checked.handle }, { host: '127.0.0.1', port: 0 })
  return {
    url: running.url,
    openaiUrl: `${running.url}/v1`,
    log,
    async close() {
      await running.close()
      await gateway.close()
      expect(checked.faults).toEqual([])
    },
  }
}

/** A gateway that runs until the test which asked for it is over. */
export async function gatewayForTest(options?: GatewayFixtureOptions): Promise<RunningGateway> {
  const gateway = await startGateway(options)
  onTestFinished(() => gateway.close())
  return gateway
}

/** A stand-in server that runs until the test which requested it is over. */
export async function upstreamServerForTest(script: ServerScript): Promise<UpstreamServer> {
  const server = await startUpstreamServer(script)
  onTestFinished(() => server.close())
  return server
}
