import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, onTestFinished, test } from 'vitest'
import { openSqliteStore } from './sqlite.ts'

const limits = { bytes: 4 * 1024 ** 2, ageMs: 3_600_000 }

/** A program that writes records without end, and prints a line for each batch that was written. */
const program = `
import { randomBytes } from 'node:crypto'
import { Draft } from './watch/draft.ts'
import { summaryOf } from './record/summary.ts'
import { openSqliteStore } from './store/sqlite.ts'
import { pack } from './store/pack.ts'
const store = openSqliteStore(process.argv[2], ${JSON.stringify(limits)})
const writer = process.argv[3] ?? ''
for (let batch = 0; ; batch++) {
  const packed = []
  for (let index = 0; index < 8; index++) {
    const draft = new Draft({ id: writer + batch + '-' + index, at: Date.now(), method: 'POST', path: '/', isReplay: false, header: () => undefined }, 1e9, () => 0)
    draft.add({ type: 'received', text: randomBytes(15_000).toString('hex') + batch })
    draft.add({ type: 'end', status: 200 })
    const record = draft.record()
    packed.push({ summary: summaryOf(record), data: pack(record) })
  }
  store.add(packed)
  process.stdout.write(batch + '\\n')
  await new Promise((resolve) => setImmediate(resolve))
}`

/** Starts the program, and kills it once it has written so many batches. */
async function killedAfter(batches: number, script: string, file: string, name = ''): Promise<number> {
  const writer: ChildProcess = spawn(process.execPath, [script, file, name], { stdio: ['ignore', 'pipe', 'inherit'] })
  let last = -1
  for await (const chunk of writer.stdout ?? []) {
    for (const line of String(chunk).split('\n')) if (line !== '') last = Number(line)
    if (last < batches) continue
    const exit = once(writer, 'exit')
    writer.kill('SIGKILL')
    await exit
    return last
  }
  throw new Error('the writer ended by itself')
}

/** Builds the program, and returns its file, and one for records beside it. */
async function buildWriter(): Promise<{ script: string; file: string }> {
  // Below the project, where packages are found.
  const cache = fileURLToPath(new URL('../../../.cache/', import.meta.url))
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'crash-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const script = join(folder, 'writer.mjs')
  const resolveDir = fileURLToPath(new URL('..', import.meta.url))
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    external: ['#undici'],
    write: false,
  })
  writeFileSync(script, outputFiles[0]?.text ?? '')
  return { script, file: join(folder, 'records.db') }
}

test('no record is torn, and none that was written is lost, when the process is killed', async () => {
  const { script, file } = await buildWriter()
  for (const batches of [3, 40]) {
    const last = await killedAfter(batches, script, file)
    const store = openSqliteStore(file, limits)
    const rows = store.list({ limit: 10_000 })
    expect(rows.some(({ id }) => id === `${last}-7`)).toBe(true)
    for (const { id } of rows) expect(store.get(id)?.id).toBe(id)
    expect(store.size().bytes).toBeLessThanOrEqual(limits.bytes)
    store.close()
  }
})

test('several processes open and write one file at once', async () => {
  const { script, file } = await buildWriter()
  const lasts = await Promise.all(['a', 'b', 'c'].map((name) => killedAfter(3, script, file, name)))
  const store = openSqliteStore(file, limits)
  const rows = store.list({ limit: 10_000 })
  const written = ['a', 'b', 'c'].filter((name, at) => rows.some(({ id }) => id === `${name}${lasts[at]}-7`))
  expect(written).not.toEqual([])
  for (const { id } of rows) expect(store.get(id)?.id).toBe(id)
  expect(store.size().bytes).toBeLessThanOrEqual(limits.bytes)
  store.close()
})
