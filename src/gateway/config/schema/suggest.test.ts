import { expect, test } from 'vitest'
import { closest } from './suggest.ts'

test.each<[string, string[], string | undefined]>([
  ['lisetn', ['listen', 'limits'], 'listen'],
  ['dmeo', ['local', 'demo'], 'demo'],
  ['body_megabytes', ['bodyMegabytes', 'toolCount'], 'bodyMegabytes'],
  ['apiKey', ['url', 'key', 'headers'], 'key'],
  ['baseURL', ['url', 'key', 'headers'], 'url'],
  ['warning', ['info', 'warn'], 'warn'],
  ['level', ['listen', 'log'], undefined],
  ['x', ['listen'], undefined],
  ['', ['a'], undefined],
  ['b', ['a'], undefined],
  ['anything', [], undefined],
  ['timeout', ['timeouts', 'type'], 'timeouts'],
])('%j among %j is %j', (word, candidates, expected) => {
  expect(closest(word, candidates)).toBe(expected)
})
