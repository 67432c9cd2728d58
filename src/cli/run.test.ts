// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are what is tested
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeWorld, fakeWorld, portOf, serveHttp } from '../../test/support/cli/fake-world.ts'
import { version } from './io/io.ts'
import { run } from './run.ts'
import type { LocalServer } from './serve/discover.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'anycall-cli-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function file(text: string, name = `${Math.random()}.yaml`): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

function anycall(world: FakeWorld, args: readonly string[], servers: readonly LocalServer[] = []): Promise<number> {
  return run(['node', 'anycall', ...args], { io: world.io, services: world.services, servers })
}

/** Serves until the banner is out, then stops. */
async function serveOnce(
  world: FakeWorld,
  args: readonly string[],
  servers: readonly LocalServer[] = [],
): Promise<string> {
  const port = args.includes('--port') ? [] : ['--port', '0']
  const code = anycall(world, ['serve', ...port, ...args], servers)
  await Promise.race([world.printed('Ctrl-C'), code])
  world.stop()
  expect({ code: await code, err: world.err.match(/^error.*/m)?.[0] }).toEqual({ code: 0, err: undefined })
  return world.out
}

const url = 'http://127.0.0.1:9/v1'

describe('usage', () => {
  test.each([[['--version']], [['-V']]])('%j', async (args) => {
    const world = fakeWorld()
    expect(await anycall(world, args)).toBe(0)
    expect(world.out).toBe(`${version}\n`)
    expect(version).toMatch(/^\d+\.\d+\.\d+/)
  })

  test.each([
    [['--help'], ['serve', 'config', 'Examples:']],
    [
      ['help', 'serve'],
      ['--upstream', '--dialect', 'told to write calls', 'anycall dialects', 'ANYCALL_KEY'],
    ],
    [['serve', '--help'], ['--port']],
    [['config', '--help'], ['check']],
  ])('%j prints help', async (args, expected) => {
    const world = fakeWorld()
    expect(await anycall(world, args)).toBe(0)
    for (const text of expected) expect(world.out).toContain(text)
    expect(world.err).toBe('')
  })

  test.each<[string[], string]>([
    [[], 'Usage: anycall'],
    [['srve'], "unknown command 'srve'\n(Did you mean serve?)"],
    [['config'], 'Usage: anycall config'],
    [['config', 'chek'], "unknown command 'chek'\n(Did you mean check?)"],
    [['serve', '--prot', '1'], "unknown option '--prot'\n(Did you mean --port?)"],
    [['serve', 'extra'], 'too many arguments'],
    [['serve', '--dialect', 'x'], 'there is no dialect "x"; run "anycall dialects" for the list'],
    [['serve', '--log-level', 'x'], 'Allowed choices are debug, info, warn, error, silent'],
    [['serve', '--plan', 'x'], 'Allowed choices are native, prompted, templated, auto'],
    [['serve', '--upstream', url, '--type', 'x'], 'Allowed choices are openai-chat'],
    [['serve', '--type', 'openai-chat'], 'error: --type: it says what kind of server --upstream URL is'],
    [['serve', '--port', 'x'], 'error: --port: expected a port number from 0 to 65535, got "x"\n'],
    [['serve', '--upstream', 'ftp://h'], 'error: --upstream: expected an http:// or https:// URL, got a string\n'],
    [['serve', '--key', 'sk secret'], 'error: --key (or ANYCALL_KEY): expected a key of visible ASCII characters'],
    [['serve', '--kye=sk secret'], "unknown option '--kye'"],
  ])('%j is wrong', async (args, expected) => {
    const world = fakeWorld()
    expect(await anycall(world, args)).toBe(2)
    expect(world.err).toContain(expected)
    expect(world.err).not.toContain('secret')
    expect(world.out).toBe('')
  })
})

describe('config check', () => {
  const good = `
listen: { host: 0.0.0.0, port: 80 }
secret: "\${SECRET}"
keys: ["\${KEY}", sk-other-0123456789]
upstreams:
  local: { type: openai-chat, url: "http://h/v1", key: sk-up, headers: { x-a: sk-header } }
  demo: { type: scripted }
models:
  - { match: "claude-*", upstream: local, model: qwen, dialect: toolify, reasoning: drop }
  - { match: [a, b], upstream: demo }
`

  test('says what would be served, without keys', async () => {
    const world = fakeWorld({ KEY: 'sk-env-0123456789', SECRET: 'sk-secret-0123456789' })
    const path = file(good)
    expect(await anycall(world, ['config', 'check', path])).toBe(0)
    expect(world.out).toBe(`${path} is valid. With it, anycall serve would serve:

listen     0.0.0.0:80, 2 keys
upstreams  local: openai-chat at http://h/v1, a key, 1 header, retries 2, timeouts 5 s connect, 600 s first byte, 120 s idle
           demo: the scripted model, which is not a language model
models     claude-* -> local, model qwen (auto, dialect toolify, earlier reasoning dropped)
           a, b -> demo (auto)
limits     bodies of 32 MB and 250000 values, 512 MB of them at once
           512 tools, schemas 64 deep
           256 requests at once, 900 s each, 10 s to the first byte
           32 requests to upstreams for one request
secret     set
log        info
`)
  })

  test('names the keys that have names', async () => {
    const world = fakeWorld()
    const keys = `keys: [one, { name: team-a, key: two }, { name: team-b, sha256: ${'ab'.repeat(32)} }]`
    expect(await anycall(world, ['config', 'check', file(keys)])).toBe(0)
    expect(world.out).toContain('listen     127.0.0.1:8787, 3 keys (team-a, team-b)\n')
  })

  test.each([
    ['keys: [short]', 'keys[0]: the key has less than 16 characters'],
    ['keys: [{ name: a, key: ababababababababab }]', 'keys[0].key: the key has less than 6 different characters'],
    [
      'keys: [sk-other-0123456789]\nrecords: { adminKey: admin }',
      'records.adminKey: the key has less than 16 characters',
    ],
  ])('refuses keys that can be guessed on an address that others can reach: %s', async (keys, said) => {
    const world = fakeWorld()
    expect(await anycall(world, ['config', 'check', file(`listen: { host: 0.0.0.0 }\n${keys}`)])).toBe(2)
    expect(world.err).toContain(
      `${said}, and 0.0.0.0 can be reached from other machines; make one with: openssl rand -hex 24`,
    )
    expect(await anycall(world, ['config', 'check', file(keys)])).toBe(0)
  })

  test.each([
    ['', 'keys: missing, and 0.0.0.0 can be reached from other machines; '],
    ['\nkeys: pass-through', ''],
    ['\nkeys: [sk-other-0123456789]', ''],
  ])('refuses to have no keys on an address that others can reach: %j', async (keys, said) => {
    const world = fakeWorld()
    expect(await anycall(world, ['config', 'check', file(`listen: { host: 0.0.0.0 }${keys}`)])).toBe(
      said === '' ? 0 : 2,
    )
    expect(world.err).toContain(said)
  })

  test('names model files that are missing, that are no models, and that their upstream does not run', async () => {
    const world = fakeWorld()
    const right = file('GGUF...', 'right.gguf')
    const wrong = file('<html>', 'wrong.gguf')
    const config = `upstreams:
  right: { type: gguf, file: ${right} }
  wrong: { type: gguf, file: ${wrong} }
  none: { type: gguf, file: nofile.gguf }
models:
  - { match: a, upstream: right, model: right.gguf }
  - { match: b, upstream: right, model: other.gguf }
`
    expect(await anycall(world, ['config', 'check', file(config)])).toBe(2)
    expect(world.err).toContain(`upstreams.wrong.file: ${wrong}: is not a GGUF file`)
    expect(world.err).toMatch(/upstreams\.none\.file: .*nofile\.gguf: there is no such file/)
    expect(world.err).toContain('models[1].model: other.gguf: upstream "right" runs right.gguf; leave the model out')
    expect(world.err).not.toContain('models[0]')
    expect(world.err).not.toContain('upstreams.right')
  })

  test.each([
    ['"*"', 'any web page may use it'],
    ['["https://a.example", "https://b.example"]', 'web pages from https://a.example, https://b.example may use it'],
  ])('says which web pages may use it: %s', async (cors, said) => {
    const world = fakeWorld()
    expect(await anycall(world, ['config', 'check', file(`cors: ${cors}`)])).toBe(0)
    expect(world.out).toContain(`listen     127.0.0.1:8787, no key asked for\n           ${said}\n`)
  })

  test('names all problems', async () => {
    const world = fakeWorld({ SECRET: 'sk-secret-0123456789' })
    const path = file(good.replace('upstream: demo', 'upstream: dmeo'))
    expect(await anycall(world, ['config', 'check', path])).toBe(2)
    expect(world.err).toBe(`The configuration is wrong:
${path}:4: keys[0]: the environment variable KEY is not set; set it, or write \${KEY:-default}
${path}:10: models[1].upstream: expected the name of an upstream (local, demo), got "dmeo"; did you mean demo?
`)
    expect(world.out).toBe('')
  })

  test('takes the file from ANYCALL_CONFIG, and does without', async () => {
    const path = file('log: { level: warn }')
    const named = fakeWorld({ ANYCALL_CONFIG: path })
    expect(await anycall(named, ['config', 'check'])).toBe(0)
    expect(named.out).toContain(`${path} is valid`)
    const none = fakeWorld()
    expect(await anycall(none, ['config', 'check'])).toBe(0)
    expect(none.out).toContain('No configuration file was given. Without one, anycall serve would serve:')
    expect(none.out).toContain('no key asked for')
  })

  test('names a model file that is not there, from the folder of the configuration', async () => {
    writeFileSync(join(folder, 'there.gguf'), 'GGUF')
    const path = file(`
upstreams:
  there: { type: gguf, file: there.gguf }
  gone: { type: gguf, file: models/gone.gguf }
  folder: { type: gguf, file: . }`)
    const world = fakeWorld()
    expect(await anycall(world, ['config', 'check', path])).toBe(2)
    expect(world.err).toBe(`The configuration is wrong:
${path}: upstreams.gone.file: ${join(folder, 'models/gone.gguf')}: there is no such file
${path}: upstreams.folder.file: ${folder}: there is no such file
`)
    const right = fakeWorld()
    expect(await anycall(right, ['config', 'check', file('upstreams: { a: { type: gguf, file: there.gguf } }')])).toBe(
      0,
    )
    expect(right.out).toContain(`a: the model file ${join(folder, 'there.gguf')}, run in this process`)
  })

  test('names a plan that no upstream of its rule can be asked by', async () => {
    const path = file(`
upstreams: { a: { type: openai-chat, url: "${url}" } }
models: [{ match: x, upstream: a }, { match: y, upstream: a, plan: templated }]`)
    const world = fakeWorld()
    expect(await anycall(world, ['config', 'check', path])).toBe(2)
    expect(world.err).toBe(
      `The configuration is wrong:\n${path}: models[1].plan: Upstream "a" does not accept prompts, which plan templated needs. Use another plan (auto, prompted), or another type of upstream.\n`,
    )
  })

  test('names rules and patterns that no model name comes to', async () => {
    const path = file(`
upstreams: { a: { type: scripted } }
models:
  - { match: ["gpt-*", "o*-mini"], upstream: a }
  - { match: ["gpt-4*", claude], upstream: a }
  - { match: o3-mini, upstream: a }
  - { match: "*", upstream: a }
  - { match: ["x-*", y], upstream: a }`)
    const world = fakeWorld()
    expect(await anycall(world, ['config', 'check', path])).toBe(2)
    expect(world.err).toBe(`The configuration is wrong:
${path}: models[1].match[0]: gpt-4*: never used, as models[0] matches it first; move it up, or remove it
${path}: models[2]: o3-mini: never used, as models[0] matches it first; move it up, or remove it
${path}: models[4]: x-*, y: never used, as models[3] matches it first; move it up, or remove it
`)
  })

  test.each([
    ['a pattern that reaches further than an earlier one', ['"gpt-4*"', '"gpt-*"']],
    ['a pattern with text where an earlier one has other text', ['"*-mini"', '"*-max"']],
    ['a name that an earlier pattern does not match', ['"*-mini"', 'o3']],
  ])('finds no fault with %s', async (_, [first, second]) => {
    const path = file(
      `{ upstreams: { a: { type: scripted } }, models: [{ match: ${first}, upstream: a }, { match: ${second}, upstream: a }] }`,
    )
    expect(await anycall(fakeWorld(), ['config', 'check', path])).toBe(0)
  })

  test('reads standard input', async () => {
    const world = fakeWorld()
    const check = (text: string) => {
      const io = { ...world.io, stdin: () => Readable.from([Buffer.from(text)]) }
      return run(['node', 'anycall', 'config', 'check', '-'], { io, services: world.services })
    }
    expect(await check('listen: { port: 9999 }')).toBe(0)
    expect(world.out).toContain('standard input is valid.')
    expect(world.out).toContain('127.0.0.1:9999')
    expect(await check('keys: []')).toBe(2)
    expect(world.err).toContain('standard input:1: keys: expected at least one key')
  })

  test('prints the JSON schema', async () => {
    const world = fakeWorld()
    expect(await anycall(world, ['config', 'schema'])).toBe(0)
    expect(Object.keys(JSON.parse(world.out).properties)).toContain('upstreams')
  })

  test('a file that is not there', async () => {
    const world = fakeWorld()
    expect(await anycall(world, ['config', 'check', join(folder, 'no.yaml')])).toBe(2)
    expect(world.err).toBe(`error: Cannot read ${join(folder, 'no.yaml')}: no such file\n`)
  })
})

describe('keys hash', () => {
  const hash = async (text: string) => {
    const world = fakeWorld()
    const io = { ...world.io, stdin: () => Readable.from([Buffer.from(text)]) }
    const code = await run(['node', 'anycall', 'keys', 'hash'], { io, services: world.services })
    return [code, world.out, world.err]
  }

  test('prints the digest of a key, with or without a line end', async () => {
    // `printf abc | sha256sum`
    const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\n'
    for (const text of ['abc', 'abc\n', 'abc\r\n']) expect(await hash(text)).toEqual([0, digest, ''])
  })

  test.each(['', '\n', 'two words', 'one\ntwo', 'é', 'x'.repeat(5000)])('refuses %j', async (text) => {
    const [code, out] = await hash(text)
    expect([code, out]).toEqual([2, ''])
  })
})

describe('serve', () => {
  describe('a model file', () => {
    const model = () => {
      const path = join(folder, 'tiny.gguf')
      writeFileSync(path, 'GGUF')
      return path
    }

    test('is all it takes', async () => {
      const path = model()
      const world = fakeWorld({}, { gguf: ['tiny'] })
      const out = await serveOnce(world, ['--model', path])
      expect(out).toContain(`  Upstream: the model file ${path}, run in this process.\n`)
      expect(out).toContain('  Model: tiny, whatever name a client asks for.\n')
      expect(out).toContain('claude --model tiny\n')
      expect(world.config?.upstreams).toEqual({ upstream: { type: 'gguf', file: path, sequences: 2 } })
      expect(world.config?.models).toMatchObject([
        { match: ['*'], upstreams: [{ name: 'upstream' }], model: 'tiny', plan: 'templated' },
      ])
    })

    test('that cannot be run is an error, as nothing else could answer', async () => {
      const world = fakeWorld()
      expect(await anycall(world, ['serve', '--port', '0', '--model', model()])).toBe(1)
      expect(world.err).toContain('error: nothing listens there')
    })

    test('that is not there is an error', async () => {
      const world = fakeWorld()
      expect(await anycall(world, ['serve', '--port', '0', '--model', './no.gguf'])).toBe(2)
      expect(world.err).toBe('error: --model: ./no.gguf: there is no such file\n')
    })

    test('is the name of a model if a server is named', async () => {
      const world = fakeWorld({}, { [url]: ['other.gguf'] })
      await serveOnce(world, ['--upstream', url, '--model', 'other.gguf'])
      expect(world.config?.models).toMatchObject([{ match: ['*'], model: 'other.gguf' }])
      expect(Object.values(world.config?.upstreams ?? {}).map(({ type }) => type)).not.toContain('gguf')
    })

    test('is the name of a model if a server on this machine has one of that name', async () => {
      const list = await serveHttp((_, response) => response.end(JSON.stringify({ data: [{ id: 'other.gguf' }] })))
      const world = fakeWorld()
      await serveOnce(world, ['--model', 'other.gguf'], [{ id: 'local', name: 'Local', port: portOf(list) }])
      list.close()
      expect(world.config?.models).toMatchObject([{ match: ['*'], model: 'other.gguf' }])
      expect(world.config?.upstreams).toMatchObject({ local: { type: 'openai-chat' } })
    })

    test.each([
      ['no.gguf', 'there is no such file, and no model server was found here that could have a model of that name:'],
      ['models/no.gguf', 'there is no such file, and no model server was found here that could have'],
      ['qwen2.5:7b', 'no model server was found here that could have it:'],
    ])('or another model (%s) that nothing here has is an error, and not the scripted model', async (name, message) => {
      const world = fakeWorld()
      const servers = [{ id: 'local', name: 'Local', port: 9 }]
      expect(await anycall(world, ['serve', '--port', '0', '--model', name], servers)).toBe(2)
      expect(world.err).toContain(`error: --model: ${name}: ${message}`)
      expect(world.err).toContain('  Local, port 9: nothing listens there\n')
      expect(world.config).toBeUndefined()
    })
  })

  test('listens, prints the lines to paste, answers, and stops in order', async () => {
    const world = fakeWorld({}, { [url]: ['qwen', 'llama'] })
    const code = anycall(world, ['serve', '--port', '0', '--upstream', url])
    await world.printed('Ctrl-C')
    const [, address = ''] = /listens on (\S+)/.exec(world.out) ?? []
    expect(await (await fetch(address)).text()).toBe('the gateway')
    expect(world.out).toContain(`ANTHROPIC_BASE_URL=${address} ANTHROPIC_API_KEY=anycall claude --model qwen`)
    expect(world.out).toContain(`OPENAI_BASE_URL=${address}/v1`)
    world.stop()
    expect(await code).toBe(0)
    expect(world.events).toEqual(['listening', 'server closed with 5000 ms of grace', 'gateway closed'])
  })

  test('logs JSON to stderr, without keys', async () => {
    const world = fakeWorld({}, { [url]: ['qwen'] })
    await serveOnce(world, ['--upstream', url])
    const events = world.err
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line))
    expect(events).toMatchObject([{ level: 'info', event: 'gateway-made', key: '[Redacted]' }, { event: 'stopping' }])
    const silent = fakeWorld({}, { [url]: ['qwen'] })
    await serveOnce(silent, ['--upstream', url, '--log-level', 'silent'])
    expect(silent.err).toBe('')
  })

  test('a given upstream: listed names pass, others go to the first', async () => {
    const world = fakeWorld({}, { [url]: ['qwen', 'llama'] })
    const out = await serveOnce(world, ['--upstream', url, '--dialect', 'tool-call-json'])
    expect(out).toContain(`Upstream: ${url}, with 2 models.`)
    expect(out).toContain('Model: qwen, for every name that the upstream does not list.')
    const rule = {
      upstreams: [{ name: 'upstream' }],
      plan: 'auto',
      dialect: 'tool-call-json',
      reasoning: 'field',
      showReasoning: 'asked',
      delivery: 'live',
      corrections: 0,
      continuations: 0,
      toolSearch: 0,
    }
    expect(world.config?.models).toEqual([
      { ...rule, match: ['qwen', 'llama'] },
      { ...rule, match: ['*'], model: 'qwen' },
    ])
  })

  test.each([
    ['127.0.0.1:9', url],
    ['http://127.0.0.1:9/', url],
    ['http://127.0.0.1:9/v1/', url],
    ['http://127.0.0.1:9/v1/chat/completions', url],
    ['https://h/api/openai', 'https://h/api/openai'],
  ])('--upstream %s is %s', async (given, expected) => {
    const world = fakeWorld()
    await serveOnce(world, ['--upstream', given])
    expect(world.config?.upstreams).toMatchObject({ upstream: { type: 'openai-chat', url: expected } })
  })

  test('--model answers to every name', async () => {
    const world = fakeWorld({}, { [url]: ['qwen'] })
    const out = await serveOnce(world, ['--upstream', url, '--model', 'other'])
    expect(out).toContain('Model: other, whatever name a client asks for. The upstream does not list it.')
    expect(world.config?.models).toMatchObject([{ match: ['*'], model: 'other' }])
  })

  test('an upstream that does not answer is served all the same, and said', async () => {
    const world = fakeWorld()
    const out = await serveOnce(world, ['--upstream', url])
    expect(out).toContain(`Upstream: ${url}, which does not answer at this time: nothing listens there`)
    expect(out).toContain('Models: names are passed on to the upstream as they are.')
    expect(world.config?.models).toEqual([
      {
        match: ['*'],
        upstreams: [{ name: 'upstream' }],
        plan: 'auto',
        reasoning: 'field',
        showReasoning: 'asked',
        delivery: 'live',
        corrections: 0,
        continuations: 0,
        toolSearch: 0,
      },
    ])
  })

  test('flags go over the file', async () => {
    const path = file(`
listen: { port: 1 }
keys: [from-file]
upstreams: { demo: { type: scripted } }
models: [{ match: x, upstream: demo, model: y }]
limits: { toolCount: 7 }
log: { level: error }`)
    const kept = fakeWorld({}, { scripted: ['anycall-scripted'] })
    await serveOnce(kept, ['--config', path])
    expect(kept.config).toMatchObject({
      keys: ['from-file'],
      models: [{ match: ['x'], model: 'y' }],
      log: { level: 'error' },
      limits: { toolCount: 7 },
    })
    expect(kept.out).toContain('Configured: 1 model rule for 1 upstream (demo).')

    const over = fakeWorld({ ANYCALL_KEY: 'from-env' }, { [url]: ['qwen'] })
    await serveOnce(over, ['--config', path, '--upstream', url, '--key', 'k1', '--key', 'k2', '--log-level', 'warn'])
    expect(over.config).toMatchObject({ keys: ['k1', 'k2'], log: { level: 'warn' }, limits: { toolCount: 7 } })
    expect(Object.keys(over.config?.upstreams ?? {})).toEqual(['upstream'])
    expect(over.config?.models.map((rule) => rule.match)).toEqual([['qwen'], ['*']])

    const env = fakeWorld({ ANYCALL_KEY: 'from-env', ANYCALL_CONFIG: path }, { scripted: ['anycall-scripted'] })
    await serveOnce(env, ['--model', 'z'])
    expect(env.config).toMatchObject({
      keys: ['from-env'],
      models: [{ match: ['*'], upstreams: [{ name: 'demo' }], model: 'z' }],
    })
    expect(env.out + env.err).not.toContain('from-env')
  })

  test('without an upstream, what runs on this machine is taken', async () => {
    const list = (...ids: string[]): string => JSON.stringify({ data: ids.map((id) => ({ id })) })
    const first = await serveHttp((_, response) => response.end(list('qwen')))
    const second = await serveHttp((_, response) => response.end(list('llama')))
    const servers = [
      { id: 'one', name: 'One', port: portOf(first) },
      { id: 'two', name: 'Two', port: portOf(second), type: 'ollama' as const },
    ]
    try {
      const world = fakeWorld()
      const out = await serveOnce(world, [], servers)
      expect(out).toContain(
        `Upstream: One at http://127.0.0.1:${portOf(first)}/v1, found on this machine with 1 model.`,
      )
      expect(out).toContain('Model: qwen, for every name')
      expect(world.config?.upstreams).toMatchObject({
        one: { type: 'openai-chat', url: `http://127.0.0.1:${portOf(first)}/v1` },
      })

      const other = fakeWorld()
      await serveOnce(other, ['--model', 'llama'], servers)
      expect(other.config?.upstreams).toMatchObject({ two: { type: 'ollama' } })
      expect(other.config?.models).toMatchObject([{ match: ['*'], upstreams: [{ name: 'two' }], model: 'llama' }])
    } finally {
      first.close()
      second.close()
    }
  })

  test('else the scripted model, which says what was tried', async () => {
    const world = fakeWorld({}, { scripted: ['scripted-model'] })
    const empty = await serveHttp((_, response) => response.end('{"data":[]}'))
    try {
      const out = await serveOnce(world, [], [{ id: 'one', name: 'One', port: portOf(empty) }])
      expect(out).toContain('Upstream: the built-in scripted model, which is not a language model')
      expect(out).toContain(`One, port ${portOf(empty)}: has no models`)
      expect(out).toContain('claude --model scripted-model')
      expect(world.config?.upstreams).toEqual({ scripted: { type: 'scripted' } })
    } finally {
      empty.close()
    }
  })

  test('a port in use is named, with what to do', async () => {
    const server = await serveHttp(() => undefined)
    try {
      const world = fakeWorld()
      expect(
        await anycall(world, ['serve', '--upstream', url, '--port', `${portOf(server)}`, '--log-level', 'silent']),
      ).toBe(1)
      expect(world.err).toBe(
        `error: port ${portOf(server)} on 127.0.0.1 is in use; stop the program that uses it, or choose another port with --port\n`,
      )
      expect(world.events).toEqual(['gateway closed'])
    } finally {
      server.close()
    }
  })

  test('model files are found beside the file, absolute ones where they are', async () => {
    const path = file('upstreams: { a: { type: gguf, file: a.gguf }, b: { type: gguf, file: /models/b.gguf } }')
    const world = fakeWorld({}, { gguf: ['a'] })
    await serveOnce(world, ['--config', path])
    expect(world.config?.upstreams).toMatchObject({
      a: { file: join(folder, 'a.gguf') },
      b: { file: '/models/b.gguf' },
    })
  })

  test('templates of rules are found beside the file, and handed to the gateway', async () => {
    const template = file('{{ bos_token }}{% for message in messages %}<m>{{ message.content }}</m>{% endfor %}')
    const path = file(`
upstreams: { demo: { type: scripted } }
models:
  - { match: a, upstream: demo, plan: templated, template: ${basename(template)} }
  - { match: b, upstream: demo }`)
    const world = fakeWorld({}, { scripted: ['anycall-scripted'] })
    await serveOnce(world, ['--config', path])
    expect(world.config?.models.map((rule) => rule.template)).toEqual([template, undefined])
    expect([...(world.templates ?? [])].map(([name, { source }]) => [name, source.slice(0, 15)])).toEqual([
      [template, '{{ bos_token }}'],
    ])
  })

  test.each<[string, string | undefined, string]>([
    ['serve', undefined, 'there is no such file'],
    ['serve', 'no template at all', 'it is not a chat template: it has neither {{ … }} nor {% … %}'],
    ['serve', '{% if %}', 'line 1 of the template: '],
    ['check', undefined, 'there is no such file'],
  ])('%s names the rule whose template %j is wrong', async (command, text, expected) => {
    const template = text === undefined ? join(folder, 'none.jinja') : file(text)
    const path = file(`
upstreams: { demo: { type: scripted } }
models:
  - { match: b, upstream: demo }
  - { match: ["x-*", y], upstream: demo, template: ${basename(template)} }`)
    const world = fakeWorld({}, { scripted: ['anycall-scripted'] })
    const args = command === 'serve' ? ['serve', '--port', '0', '--config', path] : ['config', 'check', path]
    expect(await anycall(world, args)).toBe(2)
    expect(world.err).toContain(`The configuration is wrong:\n${path}: models[1].template: ${template}: ${expected}`)
    expect(world.err).toContain('(the rule for x-*, y)')
    expect(world.events).toEqual([])
  })

  test('--plan and --template go over all rules', async () => {
    const template = file('{{ messages }}')
    const world = fakeWorld({}, { [url]: ['qwen', 'llama'] })
    await serveOnce(world, ['--upstream', url, '--plan', 'templated', '--template', template])
    expect(world.config?.models).toMatchObject([
      { match: ['qwen', 'llama'], plan: 'templated', template },
      { match: ['*'], plan: 'templated', template },
    ])
    expect([...(world.templates?.keys() ?? [])]).toEqual([template])
    const wrong = fakeWorld({}, { [url]: ['qwen'] })
    expect(await anycall(wrong, ['serve', '--upstream', url, '--template', join(folder, 'none')])).toBe(2)
    expect(wrong.err).toBe(`error: --template: ${join(folder, 'none')}: there is no such file\n`)
  })

  test('--type says what the upstream is', async () => {
    const world = fakeWorld({}, { [url]: ['qwen'] })
    await serveOnce(world, ['--upstream', url, '--type', 'openai-chat'])
    expect(world.config?.upstreams).toMatchObject({ upstream: { type: 'openai-chat', url } })
  })

  test('what the gateway refuses is said', async () => {
    const world = fakeWorld()
    expect(await anycall(world, ['serve', '--upstream', url, '--host', '0.0.0.0', '--log-level', 'silent'])).toBe(1)
    expect(world.err).toBe('error: 0.0.0.0 is public; give a key\n')
  })

  test('stopped before it listens, it does not listen', async () => {
    const world = fakeWorld()
    world.stop()
    expect(await anycall(world, ['serve', '--upstream', url])).toBe(0)
    expect(world.events).toEqual([])
  })
})
