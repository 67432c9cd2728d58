import { AnycallError } from '../../conversation/index.ts'
import { warmUp } from '../../dialects/index.ts'
import type { GatewayConfig } from '../../gateway/index.ts'
import type { ServeFlags } from '../io/flags.ts'
import type { Io, Services } from '../io/io.ts'
import { version } from '../io/io.ts'
import { configFileOf, readSettings } from '../io/settings.ts'
import { loadRuleTemplates } from '../template/rule-templates.ts'
import { banner } from './banner.ts'
import { choose } from './choose.ts'
import type { LocalServer } from './discover.ts'
import { inspectorNote, withInspector } from './inspect.ts'
import { createLog } from './log.ts'
import { withRecognisedType } from './recognise.ts'
import { type ReloadOptions, Reloads, watchContent } from './reload.ts'

export interface ServeOptions {
  io: Io
  services: Services
  /** The model servers to look for; absent: all known ones on their default ports. */
  servers?: readonly LocalServer[]
}

/** The gateway to make, and the notes for the person who started it. */
interface Prepared {
  served: Parameters<Services['createGateway']>[0]
  notes: string[]
  /** The admin key that was made for the inspector. A reload keeps it, as a page is open with it. */
  ownKey?: string
}

/**
 * Runs the gateway until `io.signal` aborts. A configuration file is read again when it changes, and on SIGHUP. Resolves with the exit
 * code; throws errors whose messages are for a person.
 */
export async function serve(given: ServeFlags, options: ServeOptions): Promise<number> {
  const { io, services } = options
  const { served, notes, ownKey } = await prepare(given, options)
  if (io.signal.aborted) return 0

  const { config, log } = served
  const gateway = services.createGateway(served)
  const { host, port } = config.listen
  const file = configFileOf(given.config, io)
  let stopWatching: (() => void) | undefined
  try {
    const server = await services.listen(gateway, { host, port }).catch((error: unknown) => {
      throw listenError(error, host, port)
    })
    const warm = warmUp(io.signal)
    const inspector = given.inspect ? [inspectorNote(server.url, ownKey)] : []
    io.stdout(banner({ version, url: server.url, config, notes: [...notes, ...inspector] }))
    if (file !== undefined) {
      stopWatching = followFile(file, io, {
        log,
        reload: async () => {
          const { served: next } = await prepare(given, options, ownKey)
          checkAddress(next.config, config)
          gateway.reload(next)
        },
      })
    }
    await aborted(io.signal)
    await warm
    stopWatching?.()
    const { graceSeconds, drainSeconds } = config.listen
    log('info', 'stopping', { graceSeconds, drainSeconds })
    await server.close(graceSeconds * 1000, drainSeconds * 1000)
  } finally {
    stopWatching?.()
    await gateway.close()
  }
  return 0
}

/** Reads flags, file and machine. Throws errors whose messages are for a person. */
async function prepare(
  given: ServeFlags,
  { io, services, servers }: ServeOptions,
  keptKey?: string,
): Promise<Prepared> {
  const { flags, notes: recognised } = await withRecognisedType(given, io)
  const settings = readSettings(flags, { env: io.env, dialects: services.dialects })
  const chosen = await choose(settings, { io, services, flags, ...(servers && { servers }) })
  const { upstreams } = chosen
  const { config, ownKey } = flags.inspect ? withInspector(chosen.config, keptKey) : { config: chosen.config }
  const named = { flag: flags.template, file: configFileOf(flags.config, io) }
  const templates = await loadRuleTemplates(config.models, named, io)
  const log = createLog(config.log, io)
  return {
    served: { config, upstreams, templates, log },
    notes: [...recognised, ...chosen.notes],
    ...(ownKey !== undefined && { ownKey }),
  }
}

/** Reloads when the file changes and on SIGHUP. Returns the function that ends it. */
function followFile(file: string, io: Io, options: ReloadOptions): () => void {
  const reloads = new Reloads(options)
  const stopWatching = watchContent(file, () => reloads.request('the file changed'))
  const stopListening = io.onHangup?.(() => reloads.request('SIGHUP'))
  return () => {
    stopWatching()
    stopListening?.()
  }
}

/** The server keeps its address, so a configuration for another one, or one that may not be served on it, is refused. */
function checkAddress({ listen, keys }: GatewayConfig, running: GatewayConfig): void {
  const { host, port } = running.listen
  if (listen.host !== host || listen.port !== port) {
    throw new AnycallError(
      'invalid-request',
      `listen: ${listen.host}:${listen.port} in place of ${host}:${port} needs a restart`,
      { param: 'listen' },
    )
  }
  if (keys.length > 0 || running.keys.length === 0) return
  throw new AnycallError('invalid-request', 'keys: removing all keys needs a restart', { param: 'keys' })
}

const listenErrors: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) =>
    `port ${port} on ${host} is in use; stop the program that has it, or take another port with --port`,
  EACCES: (host, port) => `port ${port} on ${host} is not allowed for this user; take one above 1023 with --port`,
  EADDRNOTAVAIL: (host) => `${host} is not an address of this machine; give one with --host`,
  ENOTFOUND: (host) => `the host name ${host} is not known; give an address with --host`,
}

function listenError(error: unknown, host: string, port: number): unknown {
  const code = errorCode(error) ?? (error instanceof Error ? errorCode(error.cause) : undefined)
  const message = code === undefined ? undefined : listenErrors[code]?.(host, port)
  return message === undefined ? error : new AnycallError('invalid-request', message, { cause: error })
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
