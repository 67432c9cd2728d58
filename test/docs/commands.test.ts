// The shell commands of the pages for operators: each is run as far as it needs neither a cluster nor packages, or the page says that it is not.
import { execFile } from 'node:child_process'
import { createReadStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProgram, run } from '../../src/cli/run.ts'
import { createNodeGateway, listen, parseConfig, parseConfigText } from '../../src/gateway/index.ts'
import { fakeWorld } from '../support/cli/fake-world.ts'
import { blocks, page } from '../support/doc-blocks.ts'

const root = join(import.meta.dirname, '../..')
const shell = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'anycall-commands-'))
afterAll(() => rmSync(folder, { recursive: true }))

const key = 'a-key-of-metrics'
const gateway = createNodeGateway({
  config: parseConfig({ keys: ['a-client-key'], metrics: { key } } as unknown, { env: {} }),
})
let server: Awaited<ReturnType<typeof listen>>
beforeAll(async () => {
  server = await listen(gateway, { port: 0 })
})
afterAll(async () => {
  await server.close()
  await gateway.close()
})

/** Runs a line in a shell, in a folder of the test's own or in the project's. Throws if it fails; undefined if its program is not installed. */
async function inShell(line: string, cwd: string = folder): Promise<string | undefined> {
  const options = { cwd, env: { ...process.env, METRICS_KEY: key, ANYCALL_KEY: key } }
  const [program = ''] = line.split(' ')
  const isInstalled = await shell('sh', ['-c', `command -v ${program}`]).then(
    () => true,
    () => false,
  )
  return isInstalled ? (await shell('sh', ['-c', line], options)).stdout : undefined
}

/** Runs a command of anycall whose input is a file. */
async function anycall(args: string[], input: string): Promise<void> {
  const world = fakeWorld()
  const io = { ...world.io, stdin: () => createReadStream(join(folder, input)) }
  const code = await run(['node', 'anycall', ...args], { io, services: world.services })
  expect({ code, said: world.err }).toEqual({ code: 0, said: '' })
}

/** The flags of a command of anycall that it does not have. */
function unknownFlags([name = '', ...args]: string[]): string[] {
  const { io, services } = fakeWorld()
  const command = createProgram({ io, services, exit: () => {} }).commands.find((one) => one.name() === name)
  return command ? command.parseOptions(args).unknown : [name]
}

type Runner = (line: string) => unknown

/** The ways to run a command, by its beginning: kubectl shows what it would send to a cluster. */
const runners: [beginning: string, run: Runner][] = [
  ['openssl ', (line) => inShell(line)],
  ['anycall serve ', (line) => expect(unknownFlags(line.split(' ').slice(1))).toEqual([])],
  [
    'anycall ',
    (line) => {
      const [command = '', input = ''] = line.split(' < ')
      return anycall(command.split(' ').slice(1), input)
    },
  ],
  [
    'curl ',
    async (line) => {
      const metrics = await inShell(line.replace('http://127.0.0.1:8787', server.url))
      if (metrics !== undefined) expect(metrics).toContain('anycall_open_requests')
    },
  ],
  ['kubectl apply --kustomize ', (line) => inShell(line.replace('apply --kustomize', 'kustomize'), root)],
  [
    'kubectl ',
    async (line) => {
      const resource = await inShell(`${line} --dry-run=client --output yaml`)
      if (resource !== undefined) expect(resource).toContain('kind: ')
    },
  ],
]

/** Commands on a page with the paragraph after them, lines that go on joined, without comments. */
function commandsOf(text: string): { line: string; after: string }[] {
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```\n\n([^\n]*)/gm)].flatMap(([, block = '', after = '']) => {
    const lines = block.replaceAll(/\\\n\s*/g, '').split('\n')
    return lines.filter((line) => line !== '').map((line) => ({ line: line.replace(/\s+# .*$/, ''), after }))
  })
}

const pages = ['docs/operate.md', 'docs/scale.md'].map(page)
const commands = pages.flatMap(commandsOf)
const notRun = "not run by the project's checks"

test('the pages have commands', () => {
  expect(commands.length).toBeGreaterThan(10)
})

/** Returns the way to run a line; undefined if there is none. */
function runnerOf(line: string): Runner | undefined {
  return runners.find(([beginning]) => line.startsWith(beginning))?.[1]
}

// In order: some need what others wrote.
test.each(commands.filter(({ line }) => runnerOf(line)))('$line', async ({ line }) => {
  await runnerOf(line)?.(line)
})

test.each(commands.filter(({ line }) => !runnerOf(line)))('the page says that this is not run: $line', ({ after }) => {
  expect(after).toContain(notRun)
})

test('the scripts of the pages are there', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(page('package.json'))
  const named = pages.flatMap((text) => [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name))
  expect(named.length).toBeGreaterThan(3)
  expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
})

// Prometheus has a configuration of its own.
const configurations = pages
  .flatMap((text) => blocks(text, 'yaml'))
  .filter((text) => !text.startsWith('scrape_configs'))

test.each(configurations)('is a configuration: %s', (text) => {
  const env = { METRICS_KEY: key }
  expect(parseConfigText(text, { file: 'page.yaml', env }).listen.port).toBe(8787)
})
