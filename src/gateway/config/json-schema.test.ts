// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are what is tested
import { Validator } from '@cfworker/json-schema'
import { describe, expect, test } from 'vitest'
import { parseConfig } from './config.ts'
import { configJsonSchema } from './json-schema.ts'

const validator = new Validator(configJsonSchema(), '2020-12')
const url = 'http://127.0.0.1:11434/v1'

const right: unknown[] = [
  {},
  { $schema: './config.schema.json', keys: 'pass-through', cors: '*' },
  { keys: ['a', '${KEY}'], listen: { port: '${PORT:-1}' }, log: { level: '${LEVEL:-info}' } },
  { keys: ['a', { name: 'b', sha256: 'ab'.repeat(32), models: ['m'], limits: { tokensPerMinute: 5 } }] },
  {
    upstreams: {
      local: { type: 'openai-chat', url, timeouts: { idle: 1 }, retries: '${TRIES:-1}' },
      claude: { type: 'anthropic', url, promptCaching: false },
      oci: { type: 'oci-generative-ai', compartment: 'ocid1.compartment.oc1..x', models: { a: { format: 'cohere' } } },
      file: { type: 'gguf', file: 'model.gguf' },
      demo: { type: 'scripted', replies: [{ text: 'Hi', calls: [{ name: 'f', arguments: { any: [1] } }] }] },
    },
    models: [
      { match: 'a-*', upstream: 'local', dialect: 'hermes' },
      { match: ['b', 'c'], upstream: [{ name: 'local', weight: 2 }, 'demo'], reading: { looseCalls: true } },
      { match: 'd', upstream: { name: 'demo', model: 'x' }, corrections: 2 },
    ],
  },
]

const wrong: unknown[] = [
  'text',
  { listne: {} },
  { listen: { port: 'http' } },
  { keys: 'sk-1' },
  { keys: [] },
  { upstreams: { a: { type: 'openai', url } } },
  { upstreams: { a: { type: 'openai-chat' } } },
  { upstreams: { a: { type: 'openai-chat', url, kye: 'x' } } },
  { models: [{ match: 'x' }] },
  { models: [{ match: 'x', upstream: 'a', plan: 'natve' }] },
  { models: [{ match: 'x', upstream: 'a', dialect: 'Hermse' }] },
  { limits: { bodyMegabytes: 0 } },
]

describe('the JSON schema of a configuration', () => {
  test.each(right)('takes what the gateway takes: %j', (value) => {
    const env = { KEY: 'k', PORT: '1' }
    expect(() => parseConfig(value, { env })).not.toThrow()
    expect(validator.validate(value).errors).toEqual([])
  })

  test.each(wrong)('refuses what the gateway refuses: %j', (value) => {
    expect(() => parseConfig(value, { env: {} })).toThrow()
    expect(validator.validate(value).valid).toBe(false)
  })
})
