import { AnycallError } from '../../conversation/index.ts'
import type { GatewayConfig, MeasuredMetrics } from '../../gateway/index.ts'
import type { Io, Services } from '../io/io.ts'
import { Preparation } from './preparation.ts'

/** The configuration of a gateway with all that belongs to it. */
export type Served = Parameters<Services['createGateway']>[0]

/** The ways in which a server ends: see `listen.drainSeconds` and `listen.graceSeconds`. */
export type Stop = Pick<GatewayConfig['listen'], 'drainSeconds' | 'graceSeconds'>

export const atOnce: Stop = { drainSeconds: 0, graceSeconds: 0 }

/** Returns the way in which a configuration wants the server to end. */
export function stopOf({ listen: { drainSeconds, graceSeconds } }: Pick<GatewayConfig, 'listen'>): Stop {
  return { drainSeconds, graceSeconds }
}

/** A server that runs. */
export interface Running {
  url: string
  /** Serves another configuration. Rejects or throws for one that cannot be served; nothing has changed then. */
  reload(served: Served): Promise<void> | void
  /** Returns what this process has measured. */
  metrics?(): Promise<MeasuredMetrics>
  /** Stops, and resolves when no request runs any more. */
  close(stop: Stop): Promise<void>
}

/** A gateway that listens. */
interface OpenGateway {
  gateway: ReturnType<Services['createGateway']>
  server: Awaited<ReturnType<Services['listen']>>
}

/** Creates a gateway that listens. Throws errors whose messages are for a person. */
export async function openGateway(
  served: Served,
  services: Pick<Services, 'createGateway' | 'listen'>,
): Promise<OpenGateway> {
  const gateway = services.createGateway(served)
  const { host, port } = served.config.listen
  try {
    return { gateway, server: await services.listen(gateway, { host, port }) }
  } catch (error) {
    await gateway.close()
    throw listenError(error, host, port)
  }
}

/** Serves in this process. Throws errors whose messages are for a person. */
export async function startHere(
  served: Served,
  { io, services }: { io: Pick<Io, 'signal'>; services: Pick<Services, 'createGateway' | 'listen'> },
): Promise<Running> {
  const closing = new AbortController()
  const preparation = new Preparation(AbortSignal.any([io.signal, closing.signal]))
  await preparation.beforeListening(served)
  const { gateway, server } = await openGateway(served, services)
  preparation.inBackground(served)
  return {
    url: server.url,
    reload: async (next) => {
      await gateway.reload(next)
      preparation.inBackground(next)
    },
    metrics: () => gateway.metrics(),
    close: async ({ drainSeconds, graceSeconds }) => {
      closing.abort()
      await preparation.end()
      try {
        await server.close(graceSeconds * 1000, drainSeconds * 1000)
      } finally {
        await gateway.close()
      }
    },
  }
}

const listenErrors: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) =>
    `port ${port} on ${host} is in use; stop the program that uses it, or choose another port with --port`,
  EACCES: (host, port) => `port ${port} on ${host} is not allowed for this user; choose one above 1023 with --port`,
  EADDRNOTAVAIL: (host) => `${host} is not an address of this machine; set one with --host`,
  ENOTFOUND: (host) => `the host name ${host} is not known; set an address with --host`,
}

function listenError(error: unknown, host: string, port: number): unknown {
  const code = errorCode(error) ?? (error instanceof Error ? errorCode(error.cause) : undefined)
  const message = code === undefined ? undefined : listenErrors[code]?.(host, port)
  return message === undefined ? error : new AnycallError('invalid-request', message, { cause: error })
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
