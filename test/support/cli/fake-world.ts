import { createServer, type RequestListener, type Server } from 'node:http'
import type { Io, Services } from '../../../src/cli/io/io.ts'
import { AnycallError } from '../../../src/conversation/index.ts'
import type { GatewayConfig } from '../../../src/gateway/config/config.ts'
import type { ChatTemplate } from '../../../src/templates/index.ts'
import type { Upstream } from '../../../src/upstreams/upstream.ts'

/** For tests: the world outside of a command, and the services it calls, all visible from the test. */
export interface FakeWorld {
  io: Io
  services: Services
  out: string
  err: string
  /** The arguments with which the gateway was created. */
  config?: GatewayConfig
  templates?: ReadonlyMap<string, ChatTemplate>
  /** The events, in order. */
  events: string[]
  stop(): void
  /** Resolves when `out` has `text`. */
  printed(text: string): Promise<void>
}

/** `models` are those that upstreams list, by URL or type; an upstream that is not in it does not answer. */
export function fakeWorld(env: Io['env'] = {}, models: Readonly<Record<string, string[]>> = {}): FakeWorld {
  const controller = new AbortController()
  const waiting: { text: string; done: () => void }[] = []
  const world: FakeWorld = {
    out: '',
    err: '',
    events: [],
    stop: () => controller.abort(),
    printed: (text) =>
      new Promise((done) => {
        if (world.out.includes(text)) done()
        else waiting.push({ text, done })
      }),
    io: {
      stdout: (text) => {
        world.out += text
        for (const { text: wanted, done } of waiting) if (world.out.includes(wanted)) done()
      },
      stderr: (text) => {
        world.err += text
      },
      env,
      fetch,
      signal: controller.signal,
    },
    services: {
      dialects: ['toolify', 'tool-call-json'],
      readPage: async () => undefined,
      createUpstreams: (config) =>
        new Map(
          Object.entries(config.upstreams).map(([name, upstream]) => [
            name,
            fakeUpstream(name, models['url' in upstream ? upstream.url : upstream.type]),
          ]),
        ),
      createGateway: ({ config, templates, log }) => {
        world.config = config
        if (templates) world.templates = templates
        log('info', 'gateway-made', { key: 'sk-log' })
        return {
          fetch: async () => new Response('the gateway'),
          handle: async () => ({ status: 200, headers: {}, body: 'the gateway' }),
          requiresKey: config.keys.length > 0,
          reload: (next) => {
            if (next.config) world.config = next.config
          },
          metrics: async () => [],
          drain: () => {},
          close: async () => {
            world.events.push('gateway closed')
          },
        }
      },
      listen: async ({ requiresKey }, { host, port }) => {
        if (host === '0.0.0.0' && !requiresKey)
          throw new AnycallError('invalid-request', '0.0.0.0 is public; give a key')
        const server = await serveHttp((_request, response) => response.end('the gateway'), port)
        world.events.push('listening')
        return {
          url: `http://${host}:${portOf(server)}`,
          port: portOf(server),
          close: async (graceMs) => {
            world.events.push(`server closed with ${graceMs} ms of grace`)
            await new Promise((done) => server.close(done))
          },
        }
      },
    },
  }
  return world
}

function fakeUpstream(name: string, models: string[] | undefined): Upstream {
  return {
    name,
    type: 'fake',
    abilities: { requests: ['messages'] },
    models: async () => {
      if (!models) throw new AnycallError('upstream', 'nothing listens there')
      return models.map((id) => ({ id }))
    },
    generate: () => Promise.reject(new Error('a command generates nothing')),
  }
}

/** A real server on loopback. It closes no idle connection by itself: a client that sends just then would see a reset. */
export function serveHttp(listener: RequestListener, port = 0): Promise<Server> {
  const server = createServer(listener)
  server.keepAliveTimeout = 0
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

export function portOf(server: Server): number {
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server does not listen')
  return address.port
}
