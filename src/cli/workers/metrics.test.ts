import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Metrics } from '../../gateway/metrics/index.ts'
import type { Order, Report, WorkerProcess } from './messages.ts'
import { MetricsCollector, MetricsOfAll } from './metrics.ts'

function fakeWorker(): WorkerProcess & { orders: Order[] } {
  const orders: Order[] = []
  return { orders, pid: 1, send: (order) => orders.push(order), onReport: () => {}, onExit: () => {}, kill: () => {} }
}

/** Metrics of a process whose only upstream is ready, or not. */
function measured(isReady: boolean): Promise<readonly object[]> {
  const metrics = new Metrics()
  metrics.observe(() => ({ upstreams: new Map([['u', isReady]]), recordsDropped: 2 }))
  return metrics.measured()
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('the primary', () => {
  test.each([
    ['all workers', [true, false], 4, 0],
    ['the workers that answer in time', [true], 2, 1],
  ] as const)('adds up the metrics of %s', async (_, ready, dropped, least) => {
    const workers = [fakeWorker(), fakeWorker()]
    const collector = new MetricsCollector(() => workers)
    const [asker = fakeWorker()] = workers
    const answered = collector.answer(asker, 7)
    for (const [index, isReady] of ready.entries()) {
      const worker = workers[index] ?? fakeWorker()
      expect(worker.orders).toEqual([{ kind: 'measure', id: 1 }])
      collector.received(worker, 1, await measured(isReady))
      // The same answer again counts once.
      collector.received(worker, 1, await measured(isReady))
    }
    await vi.advanceTimersByTimeAsync(3000)
    await answered
    const answer = asker.orders.at(-1)
    expect(answer).toMatchObject({ kind: 'metrics', ask: 7 })
    const text = answer?.kind === 'metrics' ? answer.text : ''
    expect(text).toContain(`\nanycall_records_dropped ${dropped}\n`)
    expect(text).toContain(`\nanycall_upstream_ready{upstream="u"} ${least}\n`)
  })

  test('says why it has no metrics', async () => {
    const asker = fakeWorker()
    const collector = new MetricsCollector(() => [asker])
    const answered = collector.answer(asker, 1)
    collector.received(asker, 1, [{ name: 'a', aggregator: 'none' }])
    await answered
    expect(asker.orders.at(-1)).toEqual({ kind: 'metrics', ask: 1, error: "'none' is not a defined aggregator." })
  })
})

describe('a worker', () => {
  function asked(): { all: MetricsOfAll; reports: Report[] } {
    const reports: Report[] = []
    const all = new MetricsOfAll({ report: (report) => reports.push(report), onOrder: () => {} })
    return { all, reports }
  }

  test('gets the text that belongs to its question', async () => {
    const { all, reports } = asked()
    const [one, other] = [all.text(), all.text()]
    expect(reports).toEqual([
      { kind: 'metrics', ask: 1 },
      { kind: 'metrics', ask: 2 },
    ])
    all.answered({ kind: 'metrics', ask: 2, text: 'two' })
    all.answered({ kind: 'metrics', ask: 1, text: 'one' })
    expect([await one, await other]).toEqual(['one', 'two'])
  })

  test.each([
    ['the reason', { kind: 'metrics', ask: 1, error: 'no such package' }, /no such package/],
    ['that nobody answers', undefined, /does not answer/],
  ] as const)('is told %s', async (_, answer, message) => {
    const { all } = asked()
    const text = expect(all.text()).rejects.toThrow(message)
    if (answer) all.answered(answer)
    vi.advanceTimersByTime(10_000)
    await text
  })
})
