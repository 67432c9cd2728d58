import { describe, expect, test } from 'vitest'
import { AnycallError, type ReplyEvent, toAnycallError } from '../../conversation/index.ts'
import type { Log } from '../../upstreams/upstream.ts'
import { RequestLog } from './request-log.ts'

type Line = [level: string, event: string, fields: Record<string, unknown> | undefined]

function start(): { exchange: RequestLog; lines: Line[]; released: () => number; left: () => number } {
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
  return { exchange: new RequestLog('req_1', log, holds), lines, released: () => released, left: () => left }
}

const notice = (message = 'odd'): ReplyEvent => ({ type: 'notice', notice: { code: 'odd', message } })

test('one line tells of a request and its reply', () => {
  const { exchange, lines, released } = start()
  exchange.fields.model = 'm'
  exchange.saw([{ type: 'text', text: 'a secret of the user' }])
  exchange.saw([{ type: 'call-start', index: 0, id: 'c', name: 'run' }, notice()])
  exchange.saw([{ type: 'finish', reason: 'calls', usage: { inputTokens: 3, outputTokens: 2 } }])
  exchange.end(200)
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
  const { exchange, lines, released } = start()
  exchange.end(200)
  exchange.end(500, new AnycallError('upstream', 'late'))
  expect(lines).toHaveLength(1)
  expect(released()).toBe(1)
})

test.each<[string, number, AnycallError, string]>([
  ['what the client did wrong', 400, new AnycallError('invalid-request', 'wrong'), 'warn'],
  ['what failed here or upstream', 502, new AnycallError('upstream', 'wrong'), 'error'],
  ['what failed after the headers', 200, new AnycallError('upstream', 'wrong'), 'error'],
  ['a client that left', 499, new AnycallError('cancelled', 'wrong'), 'info'],
])('%s has its level', (_, status, error, level) => {
  const { exchange, lines } = start()
  exchange.end(status, error)
  expect(lines).toEqual([
    [level, 'request', expect.objectContaining({ status, error: { kind: error.code, message: 'wrong' } })],
  ])
})

test('the cause of a failure inside is in the log, and nowhere else', () => {
  const { exchange, lines } = start()
  const error = toAnycallError(new TypeError('x is not a function'))
  exchange.end(500, error)
  expect(error.message).not.toContain('x is not a function')
  expect(lines[0]?.[2]?.error).toMatchObject({ cause: expect.stringContaining('TypeError: x is not a function') })
})

describe('the log is not flooded', () => {
  test('by a reply with a thousand notices', () => {
    const { exchange, lines } = start()
    exchange.saw(Array.from({ length: 1000 }, () => notice()))
    exchange.end(200)
    expect(lines.length).toBeLessThan(30)
    expect(lines.at(-1)?.[2]).toMatchObject({ notices: 1000 })
  })

  test('by what others wrote at length', () => {
    const { exchange, lines } = start()
    const long = 'x'.repeat(1_000_000)
    exchange.saw([notice(long)])
    exchange.end(400, new AnycallError('invalid-request', `wrong: ${long}`))
    expect(JSON.stringify(lines).length).toBeLessThan(5000)
    expect(JSON.stringify(lines)).toContain('wrong: xxx')
  })
})

test('a reply has begun with its first events, or when it is said to', () => {
  const { exchange } = start()
  expect(exchange.hasBegun).toBe(false)
  exchange.begin()
  expect(exchange.hasBegun).toBe(true)
})

test('what is held is let go of once, when the reply is made', () => {
  const { exchange, lines, released } = start()
  exchange.release()
  expect([released(), lines.length]).toEqual([1, 0])
  exchange.end(200)
  expect([released(), lines.length]).toEqual([1, 1])
})

test('an abandoned reply is stopped, and told as cancelled; one that was over is neither', () => {
  const first = start()
  first.exchange.abandon()
  first.exchange.abandon()
  expect([first.left(), first.released()]).toEqual([1, 1])
  expect(first.lines).toEqual([
    ['info', 'request', expect.objectContaining({ error: expect.objectContaining({ kind: 'cancelled' }) })],
  ])
  const second = start()
  second.exchange.end(200)
  second.exchange.abandon()
  expect([second.left(), second.lines.length]).toEqual([0, 1])
})
