import { AnycallError } from '../../conversation/index.ts'
import type { GatewayConfig } from '../../gateway/index.ts'
import type { ServeFlags } from '../io/flags.ts'
import type { Io, Services } from '../io/io.ts'
import { version } from '../io/io.ts'
import { createLog } from '../io/log.ts'
import { configFileOf, readSettings } from '../io/settings.ts'
import { loadRuleTemplates, type TemplateNaming } from '../template/rule-templates.ts'
import type { WorkerServices } from '../workers/messages.ts'
import { atOnce, type Served, startHere, stopOf } from '../workers/running.ts'
import { workerCount, workerNotes } from '../workers/share.ts'
import { startWorkers } from '../workers/start.ts'
import { serveAsWorker } from '../workers/worker.ts'
import { banner } from './banner.ts'
import { choose } from './choose.ts'
import type { LocalServer } from './discover.ts'
import { inspectorNote, withInspector } from './inspect.ts'
import { withRecognisedType } from './recognise.ts'
import { type ReloadOptions, Reloads, watchContent } from './reload.ts'

export interface ServeOptions {
  io: Io
  services: Services
  /** The model servers to look for; absent: all known ones on their default ports. */
  servers?: readonly LocalServer[]
  /** The processes that can serve with this one. Absent: this one serves alone. */
  workers?: WorkerServices
}

/** The configuration to serve, and the notes for the person who started it. */
interface Prepared {
  served: Served
  naming: TemplateNaming
  notes: string[]
  /** The admin key that was made for the inspector. A reload keeps it, as a page is open with it. */
  ownKey?: string
}

/**
 * Runs the gateway until `io.signal` aborts. A configuration file is read again when it changes, and on SIGHUP. Resolves with the exit
 * code; throws errors whose messages are for a person.
 */
export async function serve(given: ServeFlags, options: ServeOptions): Promise<number> {
  const { io, services, workers } = options
  if (workers?.primary) return serveAsWorker(workers.primary, options)
  const { served, naming, notes, ownKey } = await prepare(given, options)
  if (io.signal.aborted) return 0

  const { config, log } = served
  const count = workerCount(config)
  const running =
    workers && count > 1
      ? await startWorkers(served, { services, workers, naming })
      : await startHere(served, { io, services })
  let stop = stopOf(config)
  let stopWatching: (() => void) | undefined
  try {
    const about = [...notes, ...workerNotes(config, count)]
    if (given.inspect) about.push(inspectorNote(running.url, ownKey))
    io.stdout(banner({ version, url: running.url, config, notes: about }))
    const file = configFileOf(given.config, io)
    if (file !== undefined) {
      stopWatching = followFile(file, io, {
        log,
        reload: async () => {
          const { served: next } = await prepare(given, options, ownKey)
          checkAddress(next.config, config)
          await running.reload(next)
          stop = stopOf(next.config)
        },
      })
    }
    await aborted(io.signal)
    log('info', 'stopping', { ...stop })
  } finally {
    stopWatching?.()
    await running.close(io.signal.aborted ? stop : atOnce)
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
    naming: named,
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
  const { host, port, workers } = running.listen
  if (listen.workers !== workers) {
    throw new AnycallError(
      'invalid-request',
      `listen.workers: ${listen.workers} in place of ${workers} needs a restart`,
      { param: 'listen.workers' },
    )
  }
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

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
