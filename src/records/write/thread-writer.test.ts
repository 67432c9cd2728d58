import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../../../test/support/eventually.ts'
import { Masker } from '../redact/masker.ts'
import { MemoryStore } from '../store/memory.ts'
import { openSqliteStore } from '../store/sqlite.ts'
import { Draft } from '../watch/draft.ts'
import { BatchWriter } from './batch-writer.ts'
import type { FinishedRecord } from './finished.ts'
import { Packer } from './packer.ts'
import { ThreadWriter, type ThreadWriterOptions } from './thread-writer.ts'

const limits = { bytes: 4 * 1024 ** 2, ageMs: 3_600_000 }
const secret = 'key-of-the-test'

function finished(id: string): FinishedRecord {
  const draft = new Draft(
    { id, at: Date.now(), method: 'POST', path: '/', isReplay: false, header: () => undefined },
    1e6,
    () => 0,
  )
  draft.add({ type: 'received', text: `{"say": "${secret}"}` })
  draft.add({ type: 'log', level: 'warn', event: 'a-function', fields: { odd: () => {} } })
  draft.add({ type: 'end', status: 200 })
  return draft.finished()
}

function newFolder(): string {
  // Below the project, where packages are found.
  const cache = fileURLToPath(new URL('../../../.cache/', import.meta.url))
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'thread-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Builds the program of the thread, as not every version of Node runs TypeScript. */
async function buildThread(folder: string): Promise<URL> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./thread.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    external: ['#undici'],
    write: false,
  })
  writeFileSync(join(folder, 'thread.mjs'), outputFiles[0]?.text ?? '')
  return pathToFileURL(join(folder, 'thread.mjs'))
}

/** Returns a writer with this program as its thread. `told` lists its events; `store` has the records if there is no file. */
function writerOf(program: URL, file?: string, pace: ThreadWriterOptions['pace'] = { rest: () => 0, wrote: () => {} }) {
  const told: [event: string, count?: number][] = []
  const store = new MemoryStore(limits)
  const events = {
    written: ({ count }: { count: number }) => void told.push(['written', count]),
    lost: ({ count }: { count: number }) => void told.push(['lost', count]),
    threadless: () => void told.push(['threadless']),
    stopped: () => void told.push(['stopped']),
  }
  const packer = new Packer({ masker: new Masker({ secrets: [secret] }), paths: [] })
  const add = store.add.bind(store)
  const settings = { limits, secrets: [secret], patterns: [], paths: [], ...(file !== undefined && { file }) }
  const fallback = () => new BatchWriter({ packer, add, events })
  return { writer: new ThreadWriter({ settings, events, keep: add, fallback, pace, program }), store, told }
}

const scriptOf = (source: string): URL => new URL(`data:text/javascript,${encodeURIComponent(source)}`)

test('a thread masks records and writes them into a file, or gives them back without one', async () => {
  const folder = newFolder()
  const program = await buildThread(folder)
  const file = join(folder, 'records.db')
  const { writer } = writerOf(program, file)
  for (const id of ['a', 'b', 'c']) writer.add(finished(id))
  await writer.flush()
  const store = openSqliteStore(file, limits)
  expect(store.list({ limit: 9 }).map(({ id }) => id)).toEqual(['c', 'b', 'a'])
  expect(store.get('a')?.client.body).toBe(`{"say": "${'*'.repeat(secret.length)}"}`)
  store.close()
  await writer.close()
  expect(readFileSync(file).includes(secret)).toBe(false)

  const { writer: other, store: memory } = writerOf(program)
  other.add(finished('a'))
  await other.close()
  expect(memory.get('a')?.client.body).toBe(`{"say": "${'*'.repeat(secret.length)}"}`)
})

test('records wait as long as the pace demands, and are written at once if somebody waits for them', async () => {
  const program = await buildThread(newFolder())
  const worked: number[] = []
  let asked = 0
  const pace = { rest: () => (++asked < 4 ? 1 : 0), wrote: (ms: number) => void worked.push(ms) }
  const { writer, told } = writerOf(program, undefined, pace)
  for (const id of ['a', 'b']) writer.add(finished(id))
  await eventually(() => expect(told).toEqual([['written', 2]]))
  expect(asked).toBe(4)
  expect(worked).toHaveLength(1)
  asked = Number.NEGATIVE_INFINITY
  for (let number = 0; number < 40; number++) writer.add(finished(`${number}`))
  await writer.flush()
  expect(told).toEqual([
    ['written', 2],
    ['written', 32],
    ['written', 8],
  ])
  await writer.close()
})

test('without a thread, records are written all the same', async () => {
  const { writer, store, told } = writerOf(scriptOf('throw new Error("no")'))
  writer.add(finished('a'))
  await writer.flush()
  writer.add(finished('b'))
  await writer.close()
  expect(store.size().exchanges).toBe(2)
  expect(told).toEqual([['threadless'], ['written', 1], ['written', 1]])
})

test('the records of a thread that crashes are counted, and it is started again a few times', async () => {
  const { writer, told } = writerOf(
    scriptOf(`import { parentPort } from 'node:worker_threads'
      parentPort.postMessage({ type: 'ready' })
      parentPort.on('message', () => process.exit(1))`),
  )
  for (const id of ['a', 'b', 'c']) {
    writer.add(finished(id))
    await writer.flush()
  }
  expect(told).toEqual([['lost', 1], ['lost', 1], ['lost', 1], ['stopped']])
  await writer.close()
})
