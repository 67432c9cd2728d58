// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are what is tested
import { describe, expect, test } from 'vitest'
import { isJsonObject, type JsonValue } from '../../../conversation/index.ts'
import { ConfigError, parseConfig } from '../config.ts'
import { configJsonSchema } from '../json-schema.ts'
import { secretsOf } from '../secrets.ts'

const digest = 'AB'.repeat(32)
const parse = (keys: JsonValue) => parseConfig({ keys } as unknown, { env: { KEY: 'from-env' } }).keys

function faultsOf(keys: JsonValue): string[] {
  try {
    parse(keys)
    return []
  } catch (error) {
    if (!ConfigError.isInstance(error)) throw error
    return error.message.split('\n').map((line) => line.replace('configuration: ', ''))
  }
}

describe('keys', () => {
  test.each<[written: JsonValue, read: unknown]>([
    [['plain'], ['plain']],
    [[{ name: 'a', key: '${KEY}' }], [{ name: 'a', key: 'from-env' }]],
    [
      [{ name: 'a', sha256: digest }, 'b'],
      [{ name: 'a', sha256: digest.toLowerCase() }, 'b'],
    ],
    [
      [{ name: 'a', key: 'k', models: ['gpt-*'], limits: { requestsPerMinute: '60', concurrentRequests: 2 } }],
      [{ name: 'a', key: 'k', models: ['gpt-*'], limits: { requestsPerMinute: 60, concurrentRequests: 2 } }],
    ],
  ])('%j are read', (written, read) => {
    expect(parse(written)).toEqual(read)
  })

  test.each<[written: JsonValue, faults: string[]]>([
    [['a b'], ['keys[0]: expected a key of visible ASCII characters, without white space, got a string']],
    [[7], ['keys[0]: expected a key, or an object with name and key or sha256, got a number']],
    [[{ name: 'a' }], ['keys[0]: expected either `key` or `sha256`, got an object']],
    [[{ name: 'a', key: 'k', sha256: digest }], ['keys[0]: expected either `key` or `sha256`, got an object']],
    [[{ key: 'k' }], ['keys[0].name: expected a name of up to 100 letters, digits, ., _ and -, got nothing']],
    [[{ nam: 'a', name: 'a', key: 'k' }], ['keys[0].nam: not a known key; did you mean name?']],
    [
      [{ name: 'a', sha256: 'ab' }],
      [
        'keys[0].sha256: expected a SHA-256 digest of 64 hexadecimal digits, as `anycall keys hash` prints it, got a string',
      ],
    ],
    [
      [{ name: 'a', key: 'k', limits: { requestsPerMinute: 0, tokens: 1 } }],
      [
        'keys[0].limits.requestsPerMinute: expected a whole number from 1 to 1000000000, got a number',
        'keys[0].limits.tokens: not a known key; did you mean tokensPerMinute?',
      ],
    ],
    [
      [{ name: 'a', key: 'k', models: [] }],
      ['keys[0].models: expected at least one model name or pattern (leave `models` out to allow all), got a list'],
    ],
    [
      [{ name: 'a', key: 'k' }, 'plain', { name: 'a', key: 'l' }],
      ['keys: expected a name for each key that no other key has, got a list'],
    ],
  ])('%j are refused', (written, faults) => {
    expect(faultsOf(written)).toEqual(faults)
  })

  test('that are known are secrets; digests are none', () => {
    const keys = ['plain-key', { name: 'a', key: 'named-key' }, { name: 'b', sha256: digest }]
    const limits = { store: 'valkey://:pass-word@h' }
    expect(secretsOf(parseConfig({ keys, limits }, { env: {} }))).toEqual([
      'pass-word',
      'pass-word',
      'plain-key',
      'named-key',
    ])
  })

  test('have both forms in the JSON schema', () => {
    const { properties } = configJsonSchema()
    expect(isJsonObject(properties) && properties.keys).toMatchObject({
      anyOf: [
        { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'object', required: ['name'] }] } },
        { const: 'pass-through' },
        { type: 'string' },
      ],
    })
  })
})
