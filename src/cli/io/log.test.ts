import { expect, test } from 'vitest'
import { isJsonObject, type JsonObject } from '../../conversation/index.ts'
import { createLog } from './log.ts'

function collect(level: 'debug' | 'info' | 'silent'): { log: ReturnType<typeof createLog>; lines: JsonObject[] } {
  const lines: JsonObject[] = []
  const stderr = (line: string): void => {
    expect(line.endsWith('\n')).toBe(true)
    const value: unknown = JSON.parse(line)
    if (isJsonObject(value)) lines.push(value)
  }
  const log = createLog({ level, format: 'auto' }, { stderr, env: {} })
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

test('the name of a key is logged', () => {
  const { log, lines } = collect('info')
  log('info', 'request', { keyName: 'team-a' })
  expect(lines[0]).toMatchObject({ keyName: 'team-a' })
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

test.each([
  ['auto', true, 'pretty'],
  ['auto', false, 'json'],
  ['pretty', false, 'pretty'],
  ['json', true, 'json'],
] as const)('format %s, on a terminal: %s', (format, isErrorTerminal, expected) => {
  let written = ''
  const stderr = (text: string): void => {
    written += text
  }
  const log = createLog({ level: 'warn', format }, { stderr, env: { TERM: 'dumb' }, isErrorTerminal })
  log('info', 'started')
  log('warn', 'retry', { status: 503, key: 'sk-secret' })
  if (expected === 'json') expect(JSON.parse(written)).toMatchObject({ event: 'retry', status: 503 })
  else expect(written).toMatch(/^[\d:.]{12} WARN {2}retry status=503 key=\[Redacted\]\n$/)
  expect(written).not.toContain('sk-secret')
})
