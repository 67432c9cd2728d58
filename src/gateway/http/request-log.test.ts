import { describe, expect, test } from 'vitest'
import { AnycallError, type ReplyEvent, toAnycallError } from '../../conversation/index.ts'
import type { Log } from '../../upstreams/upstream.ts'
import { RequestLog } from './request-log.ts'

type Line = [level: string, event: string, fields: Record<string, unknown> | undefined]

function start(): { requestLog: RequestLog; lines: Line[]; released: () => number; left: () => number } {
  const lines: Line[] = []
  let released = 0
  let left = 0
  const log: Log = (level, event, fields) => lines.push([level, event, fields])
  const holds = {
    release: () => {
      released++
    },
    leave: () => {
      left++
    },
  }
  return { requestLog: new RequestLog('req_1', log, holds), lines, released: () => released, left: () => left }
}

const notice = (message = 'odd'): ReplyEvent => ({ type: 'notice', notice: { code: 'odd', message } })

test('one line tells of a request and its reply', () => {
  const { requestLog, lines, released } = start()
  requestLog.fields.model = 'm'
  requestLog.saw([{ type: 'text', text: 'a secret of the user' }])
  requestLog.saw([{ type: 'call-start', index: 0, id: 'c', name: 'run' }, notice()])
  requestLog.saw([{ type: 'finish', reason: 'calls', usage: { inputTokens: 3, outputTokens: 2 } }])
  requestLog.end(200)
  expect(lines).toEqual([
    ['info', 'notice', { requestId: 'req_1', code: 'odd', message: 'odd' }],
    [
      'info',
      'request',
      {
        requestId: 'req_1',
        model: 'm',
        status: 200,
        ms: expect.any(Number),
        firstEventMs: expect.any(Number),
        finish: 'calls',
        inputTokens: 3,
        outputTokens: 2,
        calls: 1,
        notices: 1,
      },
    ],
  ])
  expect(JSON.stringify(lines)).not.toContain('secret')
  expect(released()).toBe(1)
})

test('only the first end counts', () => {
  const { requestLog, lines, released } = start()
  requestLog.end(200)
  requestLog.end(500, new AnycallError('upstream', 'late'))
  expect(lines).toHaveLength(1)
  expect(released()).toBe(1)
})

test.each<[string, number, AnycallError, string]>([
  ['what the client did wrong', 400, new AnycallError('invalid-request', 'wrong'), 'warn'],
  ['what failed here or upstream', 502, new AnycallError('upstream', 'wrong'), 'error'],
  ['what failed after the headers', 200, new AnycallError('upstream', 'wrong'), 'error'],
  ['a client that left', 499, new AnycallError('cancelled', 'wrong'), 'info'],
])('%s has its level', (_, status, error, level) => {
  const { requestLog, lines } = start()
  requestLog.end(status, error)
  expect(lines).toEqual([
    [level, 'request', expect.objectContaining({ status, error: { kind: error.code, message: 'wrong' } })],
  ])
})

test('a quiet request is logged at debug, its failure as any other', () => {
  const { requestLog, lines } = start()
  requestLog.isQuiet = true
  requestLog.end(200)
  const failed = start()
  failed.requestLog.isQuiet = true
  failed.requestLog.end(500, new AnycallError('internal', 'wrong'))
  expect([...lines, ...failed.lines].map(([level]) => level)).toEqual(['debug', 'error'])
})

test('the cause of a failure inside is in the log, and nowhere else', () => {
  const { requestLog, lines } = start()
  const error = toAnycallError(new TypeError('x is not a function'))
  requestLog.end(500, error)
  expect(error.message).not.toContain('x is not a function')
  expect(lines[0]?.[2]?.error).toMatchObject({ cause: expect.stringContaining('TypeError: x is not a function') })
})

describe('the log is not flooded', () => {
  test('by a reply with a thousand notices', () => {
    const { requestLog, lines } = start()
    requestLog.saw(Array.from({ length: 1000 }, () => notice()))
    requestLog.end(200)
    expect(lines.length).toBeLessThan(30)
    expect(lines.at(-1)?.[2]).toMatchObject({ notices: 1000 })
  })

  test('by what others wrote at length', () => {
    const { requestLog, lines } = start()
    const long = 'x'.repeat(1_000_000)
    requestLog.saw([notice(long)])
    requestLog.end(400, new AnycallError('invalid-request', `wrong: ${long}`))
    expect(JSON.stringify(lines).length).toBeLessThan(5000)
    expect(JSON.stringify(lines)).toContain('wrong: xxx')
  })
})

test('a reply has begun with its first events, or when it is said to', () => {
  const { requestLog } = start()
  expect(requestLog.hasBegun).toBe(false)
  requestLog.begin()
  expect(requestLog.hasBegun).toBe(true)
})

test('what is held is let go of once, when the reply is made', () => {
  const { requestLog, lines, released } = start()
  requestLog.release()
  expect([released(), lines.length]).toEqual([1, 0])
  requestLog.end(200)
  expect([released(), lines.length]).toEqual([1, 1])
})

test('an abandoned reply is stopped, and told as cancelled; one that was over is neither', () => {
  const first = start()
  first.requestLog.abandon()
  first.requestLog.abandon()
  expect([first.left(), first.released()]).toEqual([1, 1])
  expect(first.lines).toEqual([
    ['info', 'request', expect.objectContaining({ error: expect.objectContaining({ kind: 'cancelled' }) })],
  ])
  const second = start()
  second.requestLog.end(200)
  second.requestLog.abandon()
  expect([second.left(), second.lines.length]).toEqual([0, 1])
})
