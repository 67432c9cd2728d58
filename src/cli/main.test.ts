import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { build } from 'tsdown'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { someOf } from '../../test/support/draws.ts'
import { eventually } from '../../test/support/eventually.ts'

let folder = ''
beforeAll(async () => {
  // Within the project, so that packages are found.
  const cache = join(import.meta.dirname, '../../.cache')
  await mkdir(cache, { recursive: true })
  folder = await mkdtemp(join(cache, 'main-'))
  await build({
    config: false,
    entry: { main: join(import.meta.dirname, 'main.ts') },
    outDir: folder,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    dts: false,
    logLevel: 'warn',
  })
}, 60_000)
afterAll(() => rm(folder, { recursive: true }))

type Output = 'pipe' | number

function anycall(args: readonly string[], stdout: Output, stderr: Output): ChildProcess {
  const child = spawn(process.execPath, [join(folder, 'main.mjs'), ...args], { stdio: ['ignore', stdout, stderr] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** Nothing listens on port 9: a request for models is answered, and the log has an entry. */
const unreachable = ['--upstream', 'http://127.0.0.1:9']

/** Serves; gives the gateway's URL. */
async function serving(stderr: Output, flags = unreachable): Promise<{ child: ChildProcess; url: string }> {
  const child = anycall(['serve', ...flags, '--port', '0'], 'pipe', stderr)
  let out = ''
  for await (const piece of child.stdout ?? []) {
    out += String(piece)
    const [url] = /http:\/\/127\.0\.0\.1:(?!9\b)\d+/.exec(out) ?? []
    if (url !== undefined) return { child, url }
  }
  throw new Error(`no address in ${out}`)
}

async function expectAlive(url: string): Promise<void> {
  // Each is a line of the log.
  for (let n = 0; n < 3; n++) expect((await fetch(`${url}/v1/models`)).status).toBe(200)
}

describe('a log that cannot be written leaves the gateway as it is', () => {
  test('where its reader has left', async () => {
    const { child, url } = await serving('pipe')
    child.stderr?.destroy()
    await expectAlive(url)
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
  })

  test.runIf(existsSync('/dev/full'))('where its disk is full', async () => {
    const { child, url } = await serving(openSync('/dev/full', 'w'))
    await expectAlive(url)
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
  })
})

test.runIf(process.platform !== 'win32')('a reader that is slow gets all of the output', async () => {
  const input = join(folder, 'long.txt')
  writeFileSync(input, 'word '.repeat(30_000))
  // More than a pipe holds, read long after the command has written it.
  const slow = '"$0" "$1" read "$2" --tool f --json | (sleep 3; wc -c)'
  const child = spawn('sh', ['-c', slow, process.execPath, join(folder, 'main.mjs'), input])
  onTestFinished(() => void child.kill('SIGKILL'))
  expect(Number(await text(child.stdout))).toBeGreaterThan(150_000)
})

describe('a gateway that is told to stop', () => {
  /** A request that is not whole yet: the gateway waits for it. */
  async function withRequest(): Promise<{ child: ChildProcess; said: Promise<string> }> {
    const { child, url } = await serving('pipe')
    const said = text(child.stderr ?? Readable.from([]))
    const { hostname, port } = new URL(url)
    const sent = request({ hostname, port, path: '/v1/messages', method: 'POST', headers: { 'content-length': 100 } })
    sent.on('error', () => {})
    sent.write('{')
    await once(sent, 'socket')
    // The answer to another request shows that the gateway has read up to it.
    await fetch(`${url}/health`)
    return { child, said }
  }

  const signals = [
    ['SIGHUP', 'SIGTERM', 143],
    ['SIGTERM', 'SIGINT', 130],
    ['SIGINT', 'SIGHUP', 129],
  ] as const
  test.each(someOf(signals, 3))(
    'by %s waits for what runs; by %s as well it ends at once, and says so',
    async (first, second, code) => {
      const { child, said } = await withRequest()
      const exit = once(child, 'exit')
      const stopping = new Promise<void>((resolve) => {
        child.stderr?.on('data', (piece) => String(piece).includes('stopping') && resolve())
      })
      child.kill(first)
      await stopping
      child.kill(second)
      expect(await exit).toEqual([code, null])
      expect(await said).toContain(`${second} while stopping: ended at once`)
    },
  )
})

describe('a gateway with a configuration file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'anycall-reload-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'anycall.yaml')
  const configured = (model: string): string =>
    `listen: { port: 0 }\nupstreams: { demo: { type: scripted } }\nmodels: [{ match: ${model}, upstream: demo }]\n`

  async function modelsOf(url: string): Promise<string[]> {
    const { data }: { data: { id: string }[] } = JSON.parse(await (await fetch(`${url}/v1/models`)).text())
    return data.map(({ id }) => id)
  }

  test('reads it again on SIGHUP and when it changes; refuses a wrong one and serves on', async () => {
    writeFileSync(file, configured('first'))
    const { child, url } = await serving('pipe', ['--config', file])
    let said = ''
    child.stderr?.on('data', (piece) => {
      said += piece
    })
    expect(await modelsOf(url)).toEqual(['first'])
    writeFileSync(file, configured('second'))
    child.kill('SIGHUP')
    await eventually(async () => expect(await modelsOf(url)).toEqual(['second']))
    writeFileSync(file, configured('second').replace('upstream: demo', 'upstream: nobody'))
    child.kill('SIGHUP')
    await eventually(() => expect(said).toMatch(/nobody.*"event":"config.refused"/))
    expect(await modelsOf(url)).toEqual(['second'])
    writeFileSync(file, configured('third'))
    await eventually(async () => expect(await modelsOf(url)).toEqual(['third']))
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
  })
})

describe('output that cannot be written', () => {
  test.runIf(existsSync('/dev/full'))('is an error in one line', async () => {
    const child = anycall(['--help'], openSync('/dev/full', 'w'), 'pipe')
    const [[code], err] = await Promise.all([once(child, 'exit'), text(child.stderr ?? Readable.from([]))])
    expect([code, err]).toEqual([1, expect.stringMatching(/^error: the output cannot be written: ENOSPC.*\n$/)])
  })

  test('since its reader has seen enough is none', async () => {
    const child = anycall(['demo'], 'pipe', 'pipe')
    child.stdout?.destroy()
    const [[code], err] = await Promise.all([once(child, 'exit'), text(child.stderr ?? Readable.from([]))])
    expect([code, err]).toEqual([0, ''])
  })
})

describe('several workers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'anycall-workers-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  test('serve one address; their metrics are added up; one that is killed is restarted, and all end with the primary', async () => {
    const file = join(folder, 'anycall.json')
    const upstreams = { demo: { type: 'scripted' } }
    const models = [{ match: '*', upstream: 'demo' }]
    writeFileSync(file, JSON.stringify({ listen: { workers: 2 }, upstreams, models, metrics: true }))
    const { child, url } = await serving('pipe', ['--config', file])
    const lines: { event?: string; worker?: number; pid?: number }[] = []
    let rest = ''
    child.stderr?.on('data', (piece) => {
      const parts = (rest + String(piece)).split('\n')
      rest = parts.pop() ?? ''
      lines.push(...parts.map((line) => JSON.parse(line)))
    })
    // A connection of its own for each: they go to the workers in turn.
    const ask = async (): Promise<number> =>
      (await fetch(`${url}/v1/models`, { headers: { connection: 'close' } })).status
    for (let n = 0; n < 4; n++) expect(await ask()).toBe(200)
    await eventually(() => expect(new Set(lines.map(({ worker }) => worker))).toEqual(new Set([1, 2])))

    const metrics = await (await fetch(`${url}/metrics`)).text()
    // Each worker has the gauge with 1, the least of which is 1, and a heap of its own.
    expect(metrics).toContain('anycall_upstream_ready{upstream="demo"} 1\n')
    expect(metrics.match(/^nodejs_heap_size_total_bytes \d+$/gm)?.length).toBe(1)

    const children = await workersOf(child.pid)
    expect(children.length).toBe(2)
    process.kill(children[0] ?? 0, 'SIGKILL')
    await eventually(() => expect(lines).toContainEqual(expect.objectContaining({ event: 'worker.ended' })))
    for (let n = 0; n < 4; n++) expect(await ask()).toBe(200)
    await eventually(async () => expect((await workersOf(child.pid)).length).toBe(2))

    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
  })

  /** Returns the processes that a process has started. */
  async function workersOf(pid: number | undefined): Promise<number[]> {
    const list = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return list.split(' ').filter(Boolean).map(Number)
  }
})
