import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { run } from '../../src/cli/run.ts'
import { normalizeTools, parseToolCalls } from '../../src/index.ts'
import { createUpstreams, parseConfig } from '../../src/node.ts'
import { fakeWorld } from '../support/cli/fake-world.ts'
import { blockRunner, blocks, page, printingBlocks, section, shownLines } from '../support/doc-blocks.ts'

const root = join(import.meta.dirname, '../..')
const { folder, run: runBlock, lines: linesOf, remove } = blockRunner('readme')
afterAll(remove)

describe('the code in the README and in docs/library.md', () => {
  const readme = page('README.md')
  const program = page('docs/library.md')
  const library = section(readme, 'Library: read calls out of a text')
  const readers = section(program, 'Readers')
  const loop = section(program, 'A loop without the gateway')
  const messages = section(program, 'Messages of an API')
  const json = section(program, 'Replies in JSON')
  const examples = printingBlocks(library + readers + loop + messages + json)

  test('of the library is followed by what it prints', () => {
    expect(examples.length).toBeGreaterThan(2)
    expect(examples).toHaveLength(blocks(library + readers + loop + messages + json, 'ts').length)
  })

  test.each(examples.map((example, index) => [index + 1, example] as const))(
    'example %d of the library prints what the page says',
    async (index, { code, output }) => {
      expect(await linesOf(code, `library-${index}`)).toEqual(shownLines(output))
    },
  )

  test('runs a gateway in a program', async () => {
    const block = blocks(program, 'ts').find((text) => text.includes('createGateway')) ?? ''
    const { response, server, gateway } = (await runBlock(block, 'gateway', 'response, server, gateway')) as {
      response: Response
      server: { url: string; close(): Promise<void> }
      gateway: { close(): Promise<void> }
    }
    try {
      expect(response.status).toBe(200)
      expect((await fetch(`${server.url}/health`)).status).toBe(200)
    } finally {
      await server.close()
      await gateway.close()
    }
  })

  test('names scripts that there are', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(page('package.json'))
    const pages = readme + page('CONTRIBUTING.md') + page('docs/benchmarks.md')
    const named = [...pages.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name)
    expect(named.length).toBeGreaterThan(0)
    expect([...new Set(named)].filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
  })

  const lines = blocks(library, 'sh').flatMap((block) => block.split('\n').filter((line) => line !== ''))
  test.each(lines)('on the command line: %s', async (line) => {
    const text = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>'
    writeFileSync(join(folder, 'reply.txt'), text)
    writeFileSync(join(folder, 'tools.json'), '["get_weather"]')
    const [, command = ''] = /(?:^|\| )anycall ([^#]+)/.exec(line) ?? []
    const args = command.trim().split(/\s+/)
    const files = args.map((arg) => (/^\w+\.\w+$/.test(arg) ? join(folder, arg) : arg))
    const world = fakeWorld()
    const io = { ...world.io, stdin: () => Readable.from([Buffer.from(text)]) }
    const code = await run(['node', 'anycall', ...files], { io, services: world.services })
    expect({ code, err: code === 0 ? '' : world.err }).toEqual({ code: 0, err: '' })
    expect(world.out).toContain('get_weather')
  })
})

describe('docs/reading.md', () => {
  test.each<[calls: string, options: object, ids: string[]]>([
    ['{"id": "call_1", "name": "f"}', {}, ['call_1']],
    ['{"id": "call_1", "name": "f"}', { modelIds: false }, ['new_1']],
    ['{"id": "call_1", "name": "f"}</tool_call><tool_call>{"id": "call_1", "name": "f"}', {}, ['call_1', 'new_1']],
    ['{"id": "a b", "name": "f"}', {}, ['new_1']],
    ['{"name": "f", "arguments": {}, "id": "call_1"}', {}, ['call_1']],
    ['{"name": "f", "arguments": {}, "id": "call_1"}', { delivery: 'live' }, ['new_1']],
  ])('is right about the ids of %s, %o', (calls, options, ids) => {
    let made = 0
    const newCallId = () => `new_${++made}`
    const tools = normalizeTools(['f'])
    const reply = parseToolCalls(`<tool_call>${calls}</tool_call>`, { tools, newCallId, ...options })
    expect(reply.calls.map(({ id }) => id)).toEqual(ids)
  })

  const reading = page('docs/reading.md')

  test('has the codes of all notices that the reader gives', () => {
    const codes = noticeCodes()
    const table = section(reading, 'Notices').matchAll(/^\| `([a-z-]+)` \|/gm)
    expect([...table].map(([, code]) => code).sort()).toEqual(codes)
  })

  const rows = [
    ...section(reading, 'Where a call counts').matchAll(/^\| (`+)(.+)\1 \|(?: `(\w+): (.+)`)? \| (a call|text) \|$/gm),
  ]

  test('has texts with what they are', () => {
    expect(rows.length).toBeGreaterThan(20)
  })

  test.each(rows.map(([, , text = '', option, value = '', is]) => [text, option, value, is] as const))(
    'is right about %s (%s %s)',
    (text, option, value, is) => {
      const json = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
      const written = text
        .replaceAll('⟨call⟩', `<tool_call>${json}</tool_call>`)
        .replaceAll('⟨json⟩', json)
        .replaceAll('↵', '\n')
      const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
      const tools = [{ name: 'get_weather', description: '', schema }]
      const valueJson = value.replaceAll("'", '"').replace(/(\w+):/g, '"$1":')
      const options = option === undefined ? {} : { [option]: JSON.parse(valueJson) }
      const { calls } = parseToolCalls(written, { tools, ...options })
      expect(calls.map((call) => call.arguments)).toEqual(is === 'a call' ? [{ city: 'Paris' }] : [])
    },
  )

  const seams = [...section(reading, 'White space').matchAll(/^\| `(.+)` \| `(.+)` \|$/gm)]

  test('has texts with their content', () => {
    expect(seams.length).toBeGreaterThan(5)
  })

  test.each(seams.map(([, text = '', content = '']) => [text, content] as const))(
    'is right about the white space of %s',
    (text, content) => {
      const call = '<tool_call>{"name": "get_weather", "arguments": {}}</tool_call>'
      const written = text.replaceAll('⟨call⟩', call).replaceAll('↵', '\n')
      expect(parseToolCalls(written, { tools: normalizeTools(['get_weather']) }).text).toBe(
        content.replaceAll('↵', '\n'),
      )
    },
  )
})

/** The codes in the sources of the rooms that read. */
function noticeCodes(): string[] {
  const sources = ['src/dialects/read', 'src/grammar/read'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => join(folder, file)),
  )
  const found = sources.flatMap((file) => [...page(file).matchAll(/(?:notice|refuse)\(\s*'([a-z-]+)'/g)])
  return [...new Set(found.map(([, code = '']) => code))].sort()
}

test('the configuration in docs/configuration.md is right', () => {
  const [yaml = ''] = blocks(page('docs/configuration.md'), 'yaml')
  const env = { ANYCALL_SECRET: 'a secret of enough characters', TEAM_KEY: 'team-key' }
  const config = parseConfig(parse(yaml), { file: 'docs/configuration.md', env })
  expect(config.keys).toMatchObject(['team-key', { name: 'team-a' }, { name: 'team-b' }])
  expect(Object.keys(config.upstreams)).toEqual(['local', 'file', 'demo'])
  // The values that the page names as defaults are the defaults.
  expect(config.limits).toEqual(parseConfig({}, { file: 'none', env }).limits)
})

test('each type of upstream in docs/configuration.md is right, and can be made', () => {
  const [, ...examples] = blocks(page('docs/configuration.md'), 'yaml')
  const types = examples.flatMap((yaml) => {
    const config = parseConfig(parse(yaml), { file: 'docs/configuration.md', env: {} })
    return [...createUpstreams(config).values()].map(({ type }) => type)
  })
  expect(types).toEqual(expect.arrayContaining(['anthropic', 'ollama', 'llama-server', 'vllm', 'sglang']))
})

describe('docs/plans.md', () => {
  const plans = page('docs/plans.md')

  test.each(blocks(plans, 'yaml').map((yaml, index) => [index + 1, yaml] as const))(
    'configuration %d is right',
    (_, yaml) => {
      const config = parseConfig(parse(yaml), { file: 'docs/plans.md', env: { HOSTED_KEY: 'key' } })
      expect(config.models.length).toBeGreaterThan(0)
    },
  )

  /** The codes of a table's first column. */
  const told = (heading: string) =>
    [...section(plans, heading).matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([a-z.-]+)`/g)].map(([, code = '']) => code),
    )

  test('has the notices and the log events of the plans', () => {
    const files = readdirSync(join(root, 'src/gateway'), { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
    )
    const source = files.map((file) => page(`src/gateway/${file}`)).join('\n')
    const codes = [...source.matchAll(/code: '([a-z-]+)'/g)].map(([, code = '']) => code)
    const events = [...source.matchAll(/log\('(?:info|warn|error)', '([a-z.-]+)'/g)].map(([, event = '']) => event)
    // Codes and events that do not concern plans.
    const others = ['notice', 'models-unavailable']
    const missing = [...codes, ...events].filter(
      (code) => !others.includes(code) && !told('Notices and log events').includes(code),
    )
    expect([...new Set(missing)]).toEqual([])
  })
})

test('the configurations in docs/operate.md are right', () => {
  const all: unknown[] = blocks(page('docs/operate.md'), 'yaml').map((yaml) => parse(yaml))
  // The other one is Prometheus' own.
  const examples = all.filter((example) => !Object.hasOwn(Object(example), 'scrape_configs'))
  expect(examples.length).toBe(all.length - 1)
  for (const example of examples) parseConfig(example, { file: 'docs/operate.md', env: { METRICS_KEY: 'a-key' } })
})
