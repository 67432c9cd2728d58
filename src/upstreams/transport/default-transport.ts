import { createNodeTransport, loadUndici, type Undici } from './node-transport.ts'
import { type ClosableTransport, createFetchTransport, type HttpTransport } from './transport.ts'
import { TransportError } from './transport-error.ts'

/**
 * Returns the best transport for the runtime: undici's dispatcher on Node and Deno, otherwise the global `fetch`. It is
 * chosen with the first request, or by `prepare`, so that undici is not loaded without need. `close` ends its connections.
 *
 * @example
 * const transport = createNodeTransport()
 * const upstreams = createUpstreams(config, { transport })
 */
export function createDefaultTransport(load: () => Promise<Undici | undefined> = loadUndici): ClosableTransport {
  let chosen: ClosableTransport | undefined
  let choosing: Promise<ClosableTransport> | undefined
  let isClosed = false
  const prepared = async (): Promise<ClosableTransport> => {
    choosing ??= choose(load)
    chosen = await choosing
    return chosen
  }
  const transport: HttpTransport = async (request) => {
    if (chosen) return chosen(request)
    if (isClosed) throw new TransportError('closed', request.url)
    return (await prepared())(request)
  }
  return Object.assign(transport, {
    async prepare() {
      if (!isClosed) await prepared()
    },
    async close() {
      isClosed = true
      await (await choosing)?.close()
    },
  })
}

async function choose(load: () => Promise<Undici | undefined>): Promise<ClosableTransport> {
  const undici = await load()
  return undici ? createNodeTransport(undici) : createFetchTransport()
}
