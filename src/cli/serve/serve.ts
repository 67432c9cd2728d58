import { AnycallError } from '../../conversation/index.ts'
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

export interface ServeOptions {
  io: Io
  services: Services
  /** The model servers to look for; absent: all known ones on their default ports. */
  servers?: readonly LocalServer[]
}

/** The time that running requests get to finish after the gateway is stopped. */
const graceMs = 5000

/** Runs the gateway until `io.signal` aborts. Resolves with the exit code; throws errors whose messages are for a person. */
export async function serve(flagsGiven: ServeFlags, { io, services, servers }: ServeOptions): Promise<number> {
  const { flags, notes: recognised } = await withRecognisedType(flagsGiven, io)
  const settings = readSettings(flags, { env: io.env, dialects: services.dialects })
  const {
    config: given,
    upstreams,
    notes: chosen,
  } = await choose(settings, { io, services, flags, ...(servers && { servers }) })
  const { config, ownKey } = flags.inspect ? withInspector(given) : { config: given }
  const notes = [...recognised, ...chosen]
  const templates = await loadRuleTemplates(
    config.models,
    { flag: flags.template, file: configFileOf(flags.config, io) },
    io,
  )
  if (io.signal.aborted) return 0

  const log = createLog(config.log.level, io.stderr)
  const gateway = services.createGateway({ config, upstreams, templates, log })
  const { host, port } = config.listen
  try {
    const server = await services.listen(gateway, { host, port }).catch((error: unknown) => {
      throw listenError(error, host, port)
    })
    const inspector = flags.inspect ? [inspectorNote(server.url, ownKey)] : []
    io.stdout(banner({ version, url: server.url, config, notes: [...notes, ...inspector] }))
    await aborted(io.signal)
    log('info', 'stopping', { graceMs })
    await server.close(graceMs)
  } finally {
    await gateway.close()
  }
  return 0
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
