import { expect, test } from 'vitest'
import { isJsonObject, type JsonObject } from '../../conversation/index.ts'
import { createLog } from './log.ts'

function collect(level: 'debug' | 'info' | 'silent'): { log: ReturnType<typeof createLog>; lines: JsonObject[] } {
  const lines: JsonObject[] = []
  const log = createLog(level, (line) => {
    expect(line.endsWith('\n')).toBe(true)
    const value: unknown = JSON.parse(line)
    if (isJsonObject(value)) lines.push(value)
  })
  return { log, lines }
}

test('an event is a line of JSON with its fields', () => {
  const { log, lines } = collect('info')
  log('warn', 'retry', { requestId: 'req_1', status: 503 })
  expect(lines).toEqual([{ level: 'warn', time: expect.any(String), requestId: 'req_1', status: 503, event: 'retry' }])
})

test.each([
  ['debug', ['debug', 'info', 'warn', 'error']],
  ['info', ['info', 'warn', 'error']],
  ['silent', []],
] as const)('level %s', (level, expected) => {
  const { log, lines } = collect(level)
  for (const at of ['debug', 'info', 'warn', 'error'] as const) log(at, 'x')
  expect(lines.map((line) => line.level)).toEqual(expected)
})

test('an error is logged with its message and stack', () => {
  const { log, lines } = collect('info')
  log('error', 'failed', { error: new TypeError('why') })
  expect(lines[0]?.error).toMatchObject({ type: 'TypeError', message: 'why', stack: expect.any(String) })
})

test('what looks like a key is not logged', () => {
  const { log, lines } = collect('info')
  const secret = 'sk-secret'
  const fields = { key: secret, apiKey: secret, keys: [secret], authorization: secret, 'x-api-key': secret }
  log('info', 'x', {
    ...fields,
    upstream: fields,
    request: { headers: fields },
    error: Object.assign(new Error('e'), { headers: fields }),
  })
  expect(lines).toHaveLength(1)
  expect(JSON.stringify(lines)).not.toContain(secret)
})
