// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are what is tested
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ConfigError, type GatewayConfig, parseConfig } from './config.ts'
import type { Environment } from './env.ts'
import { sessionHeaders } from './schema/session-headers.ts'
import { upstreamTypes } from './schema/upstreams.ts'

const dialects = ['toolify', 'tool-call-json']

function parse(value: unknown, env: Environment = {}): GatewayConfig {
  return parseConfig(value, { file: 'config.yaml', env, dialects })
}

function problems(value: unknown, env: Environment = {}): string[] {
  try {
    parse(value, env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n').map((line) => line.replace('config.yaml: ', ''))
    throw error
  }
  return []
}

const local = { type: 'openai-chat', url: 'http://127.0.0.1:11434/v1' }
const demo = { type: 'scripted' }
const origin = 'an origin in small letters and without a path, such as https://app.example, or *'

describe('what is right', () => {
  test.each([[{}], [undefined], [null]])('%j is a loopback gateway', (value) => {
    expect(parse(value)).toEqual({
      listen: { host: '127.0.0.1', port: 8787, workers: 1, drainSeconds: 0, graceSeconds: 5 },
      keys: [],
      cors: [],
      upstreams: {},
      models: [],
      anthropicPrefix: 'anthropic/',
      responses: { timeout: 2 },
      limits: {
        bodyMegabytes: 32,
        bodyValues: 250_000,
        bodiesMegabytes: 512,
        requestSeconds: 900,
        concurrentRequests: 256,
        startSeconds: 10,
        toolCount: 512,
        schemaDepth: 64,
        attempts: 32,
        responsesMegabytes: 64,
        responsesMinutes: 60,
        repliesMegabytes: 32,
      },
      log: { level: 'info', format: 'auto' },
    })
  })

  test('an upstream gets its defaults, and no slash at the end of its URL', () => {
    expect(parse({ upstreams: { local: { ...local, url: 'http://h:1/v1//' }, demo } }).upstreams).toEqual({
      local: {
        type: 'openai-chat',
        url: 'http://h:1/v1',
        headers: {},
        timeouts: { connect: 5, firstByte: 600, idle: 120 },
        retries: 2,
        passHeaders: [...sessionHeaders],
        maxTokensField: 'max_tokens',
      },
      demo: { type: 'scripted' },
    })
  })

  test('everything that can be set is kept', () => {
    const written = {
      listen: { host: '0.0.0.0', port: 0, workers: 2, drainSeconds: 2, graceSeconds: 60 },
      metrics: { key: 'metrics-key' },
      secret: 'sixteen letters!',
      keys: ['one', 'two'],
      cors: ['https://app.example', 'http://localhost:3000', 'app://obsidian.md', '*'],
      upstreams: {
        local: {
          ...local,
          key: 'sk-1',
          headers: { 'x-team': 'a b' },
          timeouts: { connect: 0.5, firstByte: 1, idle: 2 },
          retries: 0,
          passHeaders: ['x-team'],
          maxTokensField: 'max_completion_tokens',
        },
      },
      models: [
        {
          match: ['claude-*'],
          upstream: [
            { name: 'local', weight: 2 },
            { name: 'local', model: 'other' },
          ],
          model: 'qwen',
          plan: 'prompted',
          dialect: 'toolify',
          template: 'qwen.jinja',
          reasoning: 'drop',
          showReasoning: 'always',
          delivery: 'whole',
          corrections: 1,
          continuations: 2,
          toolSearch: 0,
        },
      ],
      anthropicPrefix: 'my-claude/',
      responses: { store: 'valkeys://user:pass@h:6380/2', timeout: 3 },
      limits: {
        bodyMegabytes: 1,
        bodyValues: 1000,
        bodiesMegabytes: 7,
        requestSeconds: 2,
        concurrentRequests: 3,
        startSeconds: 4,
        toolCount: 5,
        schemaDepth: 6,
        attempts: 7,
        responsesMegabytes: 8,
        responsesMinutes: 9,
        repliesMegabytes: 10,
      },
      log: { level: 'debug', format: 'json' },
    }
    const models = written.models.map(({ upstream, ...rule }) => ({ ...rule, upstreams: upstream }))
    expect(parse(written)).toEqual({ ...written, models })
  })

  test('there may be one origin or a list', () => {
    expect(parse({ cors: '*' }).cors).toEqual(['*'])
  })

  test('a rule may have one pattern or a list', () => {
    const { models } = parse({
      upstreams: { demo },
      models: [
        { match: 'claude-*', upstream: 'demo' },
        { match: ['a', 'b'], upstream: 'demo' },
      ],
    })
    expect(models).toEqual([
      {
        match: ['claude-*'],
        upstreams: [{ name: 'demo' }],
        plan: 'auto',
        reasoning: 'field',
        showReasoning: 'asked',
        delivery: 'live',
        corrections: 0,
        continuations: 0,
        toolSearch: 0,
      },
      {
        match: ['a', 'b'],
        upstreams: [{ name: 'demo' }],
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

  test('an editor may be told of the JSON schema', () => {
    expect(parse({ $schema: './config.schema.json' })).toEqual(parse({}))
  })

  test('the name of the configuration and the environment have defaults', () => {
    expect(() => parseConfig({ listen: { port: -1 } })).toThrow('configuration: listen.port: ')
    expect(parseConfig({ listen: { host: '${PATH}' } }).listen.host).toBe(process.env.PATH)
  })

  test('keys may be passed through', () => {
    expect(parse({ keys: 'pass-through' }).keys).toBe('pass-through')
  })
})

describe('the environment', () => {
  const env = { KEY: 'k-1', EMPTY: '', PORT: '9000', TRICK: 'x\nkeys: [y] ${KEY}', WORD: 'pass-through' }

  test.each<[unknown, unknown, unknown]>([
    ['a reference', { keys: ['${KEY}'] }, { keys: ['k-1'] }],
    ['references within a text', { listen: { host: 'a-${KEY}-${PORT}' } }, { listen: { host: 'a-k-1-9000' } }],
    ['a default', { listen: { host: '${NO:-::1}' } }, { listen: { host: '::1' } }],
    ['a default for what is empty', { listen: { host: '${EMPTY:-h}' } }, { listen: { host: 'h' } }],
    ['no default for what is set', { keys: ['${KEY:-other}'] }, { keys: ['k-1'] }],
    ['a number', { listen: { port: '${PORT}' } }, { listen: { port: 9000 } }],
    ['a word', { keys: '${WORD}' }, { keys: 'pass-through' }],
    [
      'text that looks like YAML and like a reference',
      { listen: { host: '${TRICK}' } },
      { listen: { host: env.TRICK } },
    ],
    ['a dollar alone', { listen: { host: '$KEY' } }, { listen: { host: '$KEY' } }],
  ])('%s', (_, value, expected) => {
    expect(parse(value, env)).toMatchObject(expected as object)
  })

  test.each<[unknown, string[]]>([
    [
      { keys: ['ok', '${NO_KEY}'] },
      ['keys[1]: the environment variable NO_KEY is not set; set it, or write ${NO_KEY:-default}'],
    ],
    [{ keys: '${NO_KEY}' }, ['keys: the environment variable NO_KEY is not set; set it, or write ${NO_KEY:-default}']],
    [
      { listen: { port: '${NO_PORT}' } },
      ['listen.port: the environment variable NO_PORT is not set; set it, or write ${NO_PORT:-default}'],
    ],
    [{ secret: '${A B}' }, ['secret: expected ${NAME} or ${NAME:-default}, with a name of letters, digits and _']],
    [{ secret: '${}' }, ['secret: expected ${NAME} or ${NAME:-default}, with a name of letters, digits and _']],
  ])('%j is refused', (value, expected) => {
    expect(problems(value, env)).toEqual(expected)
  })

  test('a variable that JavaScript has is not one that the environment has', () => {
    expect(problems({ secret: '${toString}' }, { ...env })).toEqual([
      'secret: the environment variable toString is not set; set it, or write ${toString:-default}',
    ])
  })

  test('what a variable holds is never shown', () => {
    const found = problems(
      { log: { level: '${KEY}' }, listen: { port: '${KEY}' }, keys: ['${SPACED}'], secret: '${KEY}' },
      { ...env, SPACED: 'k-1 ' },
    )
    expect(found).toHaveLength(4)
    expect(found.join('\n')).not.toContain('k-1')
  })
})

describe('what is wrong', () => {
  test.each<[unknown, string[]]>([
    [
      'text',
      [
        'expected an object with listen, secret, keys, cors, upstreams, models, anthropicPrefix, responses, limits, records, metrics, log, got a string',
      ],
    ],
    [{ listne: {} }, ['listne: not a known key; did you mean listen?']],
    [
      { zzz: 1 },
      [
        'zzz: not a known key; there is listen, secret, keys, cors, upstreams, models, anthropicPrefix, responses, limits, records, metrics, log',
      ],
    ],
    [
      { listen: 8787 },
      ['listen: expected an object with host, port, workers, drainSeconds, graceSeconds, got a number'],
    ],
    [
      { listen: null },
      ['listen: expected an object with host, port, workers, drainSeconds, graceSeconds, got an empty value'],
    ],
    [{ listen: { host: '' } }, ['listen.host: expected a host name or address, got ""']],
    [{ listen: { port: 65536 } }, ['listen.port: expected a port number from 0 to 65535, got 65536']],
    [{ listen: { port: 'http' } }, ['listen.port: expected a port number from 0 to 65535, got "http"']],
    [{ listen: { workers: 0 } }, ['listen.workers: expected auto, or a whole number from 1 to 256, got 0']],
    [{ listen: { workers: 'many' } }, ['listen.workers: expected auto, or a whole number from 1 to 256, got "many"']],
    [{ listen: { graceSeconds: -1 } }, ['listen.graceSeconds: expected seconds from 0 to 86400, got -1']],
    [{ listen: { port: 1.5 } }, ['listen.port: expected a port number from 0 to 65535, got 1.5']],
    [{ listen: { Port: 1 } }, ['listen.Port: not a known key; did you mean port?']],
    [{ listen: { drainSeconds: -1 } }, ['listen.drainSeconds: expected seconds from 0 to 86400, got -1']],
    [{ metrics: 7 }, ['metrics: expected true, false, or an object with key, got 7']],
    [
      { metrics: { key: 'a b' } },
      [`metrics.key: expected a key of visible ASCII characters, without white space, got a string`],
    ],
    [{ secret: 'short' }, ['secret: expected a text of at least 16 characters, got a string']],
    [{ secret: 1234567890123456 }, ['secret: expected a text of at least 16 characters, got a number']],
    [{ keys: [] }, ['keys: expected at least one key (leave `keys` out to ask for none), got a list']],
    [{ keys: 'sk-1' }, ['keys: expected a list of keys, or the word pass-through, got a string']],
    [
      { keys: 'passthrough' },
      ['keys: expected a list of keys, or the word pass-through, got a string; did you mean pass-through?'],
    ],
    [{ keys: ['sk-1\n'] }, ['keys[0]: expected a key of visible ASCII characters, without white space, got a string']],
    [{ keys: [5] }, ['keys[0]: expected a key, or an object with name and key or sha256, got a number']],
    [{ cors: [] }, ['cors: expected an origin, or a list of them, got a list']],
    [{ cors: {} }, ['cors: expected an origin, or a list of them, got an object']],
    [{ cors: 'https://app.example/' }, [`cors: expected ${origin}, got "https://app.example/"`]],
    [{ cors: ['app.example'] }, [`cors[0]: expected ${origin}, got "app.example"`]],
    [{ cors: ['https://App.example'] }, [`cors[0]: expected ${origin}, got "https://App.example"`]],
    [{ cors: ['https://*.example'] }, [`cors[0]: expected ${origin}, got "https://*.example"`]],
    [{ upstreams: [local] }, ['upstreams: expected an object of upstreams by name, got a list']],
    [{ upstreams: { 'a b': demo } }, ['upstreams["a b"]: expected a name of letters, digits, ., _ and -']],
    [{ upstreams: { a: 'x' } }, ['upstreams.a: expected an object with the type of the upstream, got a string']],
    [{ upstreams: { a: {} } }, [`upstreams.a.type: expected one of ${upstreamTypes.join(', ')}, got nothing`]],
    [
      { upstreams: { a: { type: 'openai' } } },
      [`upstreams.a.type: expected one of ${upstreamTypes.join(', ')}, got "openai"; did you mean openai-chat?`],
    ],
    [
      { upstreams: { a: { type: 'openai', kye: 'k', url: 'localhost', timeouts: { connect: '5s' } } } },
      [
        `upstreams.a.type: expected one of ${upstreamTypes.join(', ')}, got "openai"; did you mean openai-chat?`,
        'upstreams.a.url: expected an http:// or https:// URL, got a string',
        'upstreams.a.timeouts.connect: expected seconds from 0.001 to 86400, got "5s"',
        'upstreams.a.kye: not a known key; did you mean key?',
      ],
    ],
    [
      { upstreams: { a: { retries: -1, other: true } } },
      [
        `upstreams.a.type: expected one of ${upstreamTypes.join(', ')}, got nothing`,
        'upstreams.a.retries: expected a whole number from 0 to 20, got -1',
      ],
    ],
    [{ upstreams: { a: { ...demo, url: 'http://h' } } }, ['upstreams.a.url: not a known key; there is type, replies']],
    [
      { upstreams: { a: { type: 'openai-chat' } } },
      ['upstreams.a.url: expected an http:// or https:// URL, got nothing'],
    ],
    [
      { upstreams: { a: { ...local, url: 'localhost:11434' } } },
      ['upstreams.a.url: expected an http:// or https:// URL, got a string'],
    ],
    [
      { upstreams: { a: { ...local, url: 'http://me:pw@h/v1' } } },
      [
        'upstreams.a.url: expected a URL without user name and password (those go into `key` or `headers`), got a string',
      ],
    ],
    [
      { upstreams: { a: { ...local, url: 'http://h/v1?key=pw' } } },
      ['upstreams.a.url: expected a URL without ? and # (paths are appended to it), got a string'],
    ],
    [{ upstreams: { a: { ...local, api_key: 'sk-1' } } }, ['upstreams.a.api_key: not a known key; did you mean key?']],
    [
      { upstreams: { a: { ...local, headers: { 'a b': 'x' } } } },
      ['upstreams.a.headers["a b"]: expected the name of an HTTP header'],
    ],
    [
      { upstreams: { a: { ...local, headers: { a: 'x\ny' } } } },
      ['upstreams.a.headers.a: expected a text of printable ASCII characters, got a string'],
    ],
    [
      { upstreams: { a: { ...local, timeouts: { idle: 0 } } } },
      ['upstreams.a.timeouts.idle: expected seconds from 0.001 to 86400, got 0'],
    ],
    [
      { upstreams: { a: { ...local, retries: -1 } } },
      ['upstreams.a.retries: expected a whole number from 0 to 20, got -1'],
    ],
    [
      { upstreams: { a: { ...local, maxTokensField: 'max-tokens' } } },
      [
        'upstreams.a.maxTokensField: expected one of max_tokens, max_completion_tokens, got "max-tokens"; did you mean max_tokens?',
      ],
    ],
    [
      { anthropicPrefix: 'mine/' },
      ['anthropicPrefix: expected a prefix that contains claude or anthropic, or an empty text for none, got "mine/"'],
    ],
    [{ models: {} }, ['models: expected a list of rules, each with match and upstream, got an object']],
    [
      { models: ['x'] },
      [
        'models[0]: expected an object with match, upstream, order, model, plan, dialect, promptTemplate, reading, template, reasoning, showReasoning, delivery, corrections, continuations, toolSearch, got a string',
      ],
    ],
    [
      { models: [{ match: 'x', upstream: 'a' }] },
      ['models[0].upstream: expected the name of an upstream, of which there is none, got "a"'],
    ],
    [
      { upstreams: { local, demo }, models: [{ match: 'x', upstream: 'locl' }] },
      ['models[0].upstream: expected the name of an upstream (local, demo), got "locl"; did you mean local?'],
    ],
    [
      { upstreams: { demo }, models: [{ match: 'x', upstream: 'toString' }] },
      ['models[0].upstream: expected the name of an upstream (demo), got "toString"'],
    ],
    [
      { upstreams: { demo }, models: [{ upstream: 'demo' }] },
      ['models[0].match: expected a model name or pattern, or a list of them, got nothing'],
    ],
    [
      { upstreams: { demo }, models: [{ match: [], upstream: 'demo' }] },
      ['models[0].match: expected at least one model name or pattern, got a list'],
    ],
    [
      { upstreams: { demo }, models: [{ match: '', upstream: 'demo' }] },
      ['models[0].match: expected a model name or pattern, got ""'],
    ],
    [
      { upstreams: { demo }, models: [{ match: 'x', upstream: 'demo', plan: 'natve' }] },
      ['models[0].plan: expected one of native, prompted, templated, auto, got "natve"; did you mean native?'],
    ],
    [
      { upstreams: { demo }, models: [{ match: 'x', upstream: 'demo', dialect: 'Toolfy' }] },
      ['models[0].dialect: expected a dialect (toolify, tool-call-json), got "Toolfy"; did you mean toolify?'],
    ],
    [
      { upstreams: { demo }, models: [{ match: 'x', upstream: 'demo', reasoning: true }] },
      ['models[0].reasoning: expected one of field, drop, got true'],
    ],
    [{ limits: { bodyMegabytes: 0 } }, ['limits.bodyMegabytes: expected megabytes from 0.001 to 4096, got 0']],
    [
      { limits: { concurrentRequests: Number.NaN } },
      ['limits.concurrentRequests: expected a whole number from 1 to 1000000, got NaN'],
    ],
    [
      { log: { level: 'warning' } },
      ['log.level: expected one of debug, info, warn, error, silent, got "warning"; did you mean warn?'],
    ],
  ])('%j', (value, expected) => {
    expect(problems(value)).toEqual(expected)
  })

  test('all problems are said at once, those of the environment too', () => {
    expect(
      problems({
        listne: {},
        keys: ['${NO_KEY}'],
        upstreams: { local: { ...local, retries: 'x' } },
        models: [{ match: 'x', upstream: 'other', plan: 'x', extra: 1 }],
      }).map((line) => line.split(':')[0]),
    ).toEqual([
      'keys[0]',
      'upstreams.local.retries',
      'models[0].upstream',
      'models[0].plan',
      'models[0].extra',
      'listne',
    ])
  })
})

test('no key and no secret is ever shown, wherever it is wrong', () => {
  const secret = fc.constantFrom('sk-very-secret', 'sk-very-secret ', 'sk-very-secret\n', 'http://sk-very-secret@h')
  const bad = fc.oneof(secret, fc.tuple(secret), fc.record({ a: secret }), fc.constant(null))
  fc.assert(
    fc.property(bad, bad, bad, bad, bad, (root, keys, secretValue, url, key) => {
      const upstreams = { a: { type: 'openai-chat', url, key, headers: { 'x-key': key }, extra: 1 } }
      const message = [...problems(root), ...problems({ keys, secret: secretValue, upstreams, listen: key })].join('\n')
      expect(message).toContain('upstreams.a.extra')
      expect(message).not.toContain('sk-very')
    }),
  )
})
