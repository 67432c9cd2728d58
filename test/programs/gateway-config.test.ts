// A configuration that a program writes is checked by its types, and one from a file when it is read.
import { expect, test } from 'vitest'
import { ConfigError, parseConfig } from '../../src/gateway.ts'
import { AnycallError } from '../../src/index.ts'

test('a configuration object is typed, and a value from outside is taken', () => {
  const config = parseConfig({
    upstreams: { local: { type: 'openai-chat', url: 'http://127.0.0.1:9/v1' } },
    models: [{ match: '*', upstream: 'local', reading: { fences: 'lenient' } }],
  })
  const outside: unknown = JSON.parse(JSON.stringify({ models: config.models.map(({ match }) => ({ match })) }))
  expect(() => parseConfig(outside)).toThrow(ConfigError)
  // @ts-expect-error there is no such type of upstream
  expect(() => parseConfig({ upstreams: { local: { type: 'openai', url: 'http://127.0.0.1:9/v1' } } })).toThrow()
  // @ts-expect-error the key is wrong
  expect(() => parseConfig({ limts: {} })).toThrow('did you mean limits?')
})

test('its error is one of anycall, with a code', () => {
  let thrown: unknown
  try {
    parseConfig(JSON.parse('{"limts": {}}'))
  } catch (error) {
    thrown = error
  }
  expect(AnycallError.isInstance(thrown) && thrown.code).toBe('invalid-config')
  expect(ConfigError.isInstance(thrown) && thrown.problems[0]?.path).toEqual(['limts'])
})
