// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are what is tested
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ConfigError } from './config.ts'
import { loadConfigFile, parseConfigText } from './file.ts'
import { upstreamTypes } from './schema/upstreams.ts'

const context = { env: { KEY: 'k-1' }, dialects: ['toolify'] }

function problems(text: string): string[] {
  try {
    parseConfigText(text, { ...context, file: 'f.yaml' })
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n')
    throw error
  }
  return []
}

const yaml = `
# a comment
keys: [ "\${KEY}" ]
upstreams:
  local: { type: openai-chat, url: http://127.0.0.1:11434/v1, key: "\${KEY}" }
models:
  - { match: "claude-*", upstream: local }
  - match: gpt-*
    upstream: local
`

describe('files', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'anycall-config-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test.each([
    ['a.yaml', yaml],
    [
      'a.json',
      '{\n\t"keys": ["${KEY}"],\n\t"upstreams": {"local": {"type": "openai-chat", "url": "http://127.0.0.1:11434/v1", "key": "${KEY}"}},\n\t"models": [\n\t\t{"match": "claude-*", "upstream": "local"}, {"match": "gpt-*", "upstream": "local"}]\n}',
    ],
  ])('%s is read', (name, text) => {
    writeFileSync(join(folder, name), text)
    const config = loadConfigFile(join(folder, name), context)
    expect(config.keys).toEqual(['k-1'])
    expect(config.upstreams.local).toMatchObject({ url: 'http://127.0.0.1:11434/v1', key: 'k-1' })
    expect(config.models.map((rule) => rule.match)).toEqual([['claude-*'], ['gpt-*']])
  })

  test('an empty file is a gateway of defaults', () => {
    writeFileSync(join(folder, 'empty.yaml'), '# nothing yet\n')
    expect(loadConfigFile(join(folder, 'empty.yaml'), context).listen.port).toBe(8787)
  })

  test('a file that is not there, and a directory', () => {
    const absent = join(folder, 'absent.yaml')
    expect(() => loadConfigFile(absent, context)).toThrow(`${absent}: there is no such file`)
    expect(() => loadConfigFile(folder, context)).toThrow(
      `${folder}: this is a directory; name a YAML or JSON file in it`,
    )
  })
})

describe('problems have lines', () => {
  test.each<[string, string[]]>([
    [
      yaml.replace('gpt-*\n    upstream: local', 'gpt-*\n    upstream: lokal').replace('"claude-*"', '5'),
      [
        'f.yaml:7: models[0].match: expected a model name or pattern, or a list of them, got a number',
        'f.yaml:9: models[1].upstream: expected the name of an upstream (local), got "lokal"; did you mean local?',
      ],
    ],
    [
      'keys:\n  - ok\n  - ${NO}',
      ['f.yaml:3: keys[1]: the environment variable NO is not set; set it, or write ${NO:-default}'],
    ],
    ['log:\n  level: info\n\n  color: true', ['f.yaml:4: log.color: not a known key; there is level, format']],
    [
      'models:\n  - upstream: a\n    match: x\nupstreams:\n  a:\n    kind: scripted',
      [`f.yaml:5: upstreams.a.type: expected one of ${upstreamTypes.join(', ')}, got nothing`],
    ],
    [
      'models:\n  - match: ""\n    upstream: a\nupstreams: {a: {type: scripted}}',
      ['f.yaml:2: models[0].match: expected a model name or pattern, got ""'],
    ],
    [
      '- a',
      [
        'f.yaml: expected an object with listen, secret, keys, cors, upstreams, models, anthropicPrefix, responses, limits, records, metrics, log, got a list',
      ],
    ],
  ])('%j', (text, expected) => {
    expect(problems(text)).toEqual(expected)
  })
})

describe('what is not YAML', () => {
  test.each<[string, string[]]>([
    ['keys: [ ${KEY} ]', ['f.yaml:1: inside [ ] and { } a reference must be quoted: "${NAME}"']],
    ['a: 1\nx: {a: ${KEY}}', ['f.yaml:2: inside [ ] and { } a reference must be quoted: "${NAME}"']],
    [
      'models:\n  - match: *\n    upstream: a',
      ['f.yaml:2: a value that begins with * is an alias in YAML; quote a pattern: "*"'],
    ],
    ['match: *all', ['f.yaml: a YAML alias (*name) has no anchor; quote a pattern: "*name"']],
    ['log: {}\nlog: {}', ['f.yaml:2: this key is here twice']],
    ['listen:\n\tport: 1', ['f.yaml:2: there is a tab in the indentation; YAML wants spaces']],
    ['{"keys": ["a"', ['f.yaml:1: the indentation does not fit the lines above, or a bracket is not closed']],
    ['a: 1\n---\nb: 1', ['f.yaml:2: there is more than one document (---); a configuration is one']],
  ])('%j', (text, expected) => {
    expect(problems(text)).toEqual(expected)
  })

  test.each(['keys: [sk-secret', 'keys: *sk-secret', 'keys: @sk-secret', 'key: a: sk-secret', '"sk-secret'])(
    '%j: the text is not shown',
    (text) => {
      expect(problems(text)).not.toEqual([])
      expect(problems(text).join()).not.toContain('sk-secret')
    },
  )
})
