import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** The server that is installed: Valkey, or Redis, which has the same protocol. */
const program = ['valkey-server', 'redis-server'].find((name) => spawnSync(name, ['--version']).status === 0)

/** The reason why tests with a server are left out; undefined if there is one. */
export const noValkey: string | undefined =
  program === undefined ? 'left out: neither valkey-server nor redis-server is installed' : undefined

/** A server of Valkey or Redis, with its data in a temporary folder. */
export interface ValkeyServer {
  url: string
  /** Ends the server as a crash does. */
  stop(): Promise<void>
  /** Starts it again on the same port and with the same data. */
  start(): Promise<void>
  /** Stops the server and removes its data. */
  close(): Promise<void>
}

/** Starts a server on a free port of this machine. */
export async function startValkey(): Promise<ValkeyServer> {
  const folder = await mkdtemp(join(tmpdir(), 'anycall-valkey-'))
  const port = await freePort()
  let running: ChildProcess | undefined
  const start = async (): Promise<void> => {
    const where = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder]
    const keeping = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'always']
    running = spawn(program ?? '', [...where, ...keeping], { stdio: ['ignore', 'pipe', 'ignore'] })
    if (running.stdout) await lineWith(running.stdout, 'Ready to accept connections')
  }
  const stop = async (): Promise<void> => {
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return
    const exited = once(running, 'exit')
    running.kill('SIGKILL')
    await exited
  }
  await start()
  return {
    url: `valkey://127.0.0.1:${port}`,
    start,
    stop,
    close: async () => {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function lineWith(stream: NodeJS.ReadableStream, text: string): Promise<void> {
  const lines: string[] = []
  for await (const line of createInterface(stream)) {
    lines.push(line)
    if (!line.includes(text)) continue
    stream.resume()
    return
  }
  throw new Error(`the server ended: ${lines.slice(-5).join('\n')}`)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('a server without a port')
  return address.port
}
