import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { parseConfig } from '../../gateway/index.ts'
import type { Order, Report, WorkerProcess } from './messages.ts'
import { Supervisor } from './supervisor.ts'

class FakeWorker implements WorkerProcess {
  readonly pid: number
  readonly orders: Order[] = []
  isKilled = false
  #report: (report: Report) => void = () => {}
  #exit: (code: number | null, signal: string | null) => void = () => {}

  constructor(pid: number) {
    this.pid = pid
  }

  send(order: Order): void {
    this.orders.push(order)
  }

  onReport(listener: (report: Report) => void): void {
    this.#report = listener
  }

  onExit(listener: (code: number | null, signal: string | null) => void): void {
    this.#exit = listener
  }

  kill(): void {
    this.isKilled = true
    this.exit(null, 'SIGKILL')
  }

  report(report: Report): void {
    this.#report(report)
  }

  exit(code: number | null, signal: string | null = null): void {
    this.#exit(code, signal)
  }

  /** Serves the last order. */
  serve(): void {
    this.report({ kind: 'serving', version: this.lastVersion })
  }

  get lastVersion(): number {
    const last = this.orders.at(-1)
    return last?.kind === 'serve' ? last.version : 0
  }
}

const stop = { drainSeconds: 2, graceSeconds: 5 }
const settings = { config: parseConfig({}), naming: { flag: undefined, file: undefined } }

function supervised(count = 2): {
  supervisor: Supervisor
  forked: FakeWorker[]
  logged: Record<string, unknown>[]
  started(): Promise<void>
} {
  const forked: FakeWorker[] = []
  const logged: Record<string, unknown>[] = []
  const supervisor = new Supervisor({
    count,
    log: (level, event, fields) => logged.push({ level, event, ...fields }),
    workers: {
      fork: () => {
        const worker = new FakeWorker(100 + forked.length)
        forked.push(worker)
        return worker
      },
    },
  })
  const started = async (): Promise<void> => {
    const serving = supervisor.serve(settings)
    for (const worker of forked) {
      worker.report({ kind: 'started' })
      worker.serve()
    }
    await serving
  }
  return { supervisor, forked, logged, started }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('the start', () => {
  test('is done when all workers serve; each has its number', async () => {
    const { forked, started } = supervised(3)
    await started()
    expect(forked.map(({ orders }) => orders)).toEqual(
      [1, 2, 3].map((worker) => [{ kind: 'serve', worker, version: 1, settings }]),
    )
  })

  test('fails if a worker refuses the settings', async () => {
    const { supervisor, forked } = supervised()
    const serving = supervisor.serve(settings)
    forked[0]?.report({ kind: 'started' })
    forked[0]?.report({ kind: 'refused', version: 1, error: 'no such thing' })
    await expect(serving).rejects.toThrow('worker 1: no such thing')
  })

  test('fails if a worker ends before it served', async () => {
    const { supervisor, forked } = supervised()
    const serving = supervisor.serve(settings)
    forked[1]?.exit(1)
    await expect(serving).rejects.toThrow('worker 2 ended before it served; see its log')
  })
})

describe('a worker that ends', () => {
  test('is restarted with the last settings after a pause that doubles up to 30 s', async () => {
    const { forked, logged, started } = supervised(1)
    await started()
    const pauses: unknown[] = []
    for (let ends = 0; ends < 11; ends++) {
      forked.at(-1)?.exit(null, 'SIGKILL')
      const pause = Number(logged.at(-1)?.restartMs)
      pauses.push(pause)
      const before = forked.length
      vi.advanceTimersByTime(pause - 1)
      expect(forked.length).toBe(before)
      vi.advanceTimersByTime(1)
      expect(forked.length).toBe(before + 1)
    }
    expect(pauses).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000])
    forked.at(-1)?.report({ kind: 'started' })
    expect(forked.at(-1)?.orders).toEqual([{ kind: 'serve', worker: 1, version: 1, settings }])
    expect(logged[0]).toEqual({
      level: 'error',
      event: 'worker.ended',
      worker: 1,
      pid: 100,
      code: null,
      signal: 'SIGKILL',
      restartMs: 100,
    })
  })

  test('after a minute is restarted after the shortest pause', async () => {
    const { forked, logged, started } = supervised(1)
    await started()
    for (let ends = 0; ends < 3; ends++) {
      forked.at(-1)?.exit(1)
      vi.advanceTimersByTime(1000)
    }
    vi.advanceTimersByTime(60_000)
    forked.at(-1)?.exit(1)
    expect(logged.map(({ restartMs }) => restartMs)).toEqual([100, 200, 400, 100])
  })
})

describe('other settings', () => {
  test('go to all workers, and are in use when all serve them', async () => {
    const { supervisor, forked, started } = supervised()
    await started()
    let isDone = false
    const reloaded = supervisor.serve(settings).then(() => {
      isDone = true
    })
    forked[0]?.serve()
    // An answer to the order before.
    forked[1]?.report({ kind: 'serving', version: 1 })
    await vi.advanceTimersByTimeAsync(0)
    expect(isDone).toBe(false)
    forked[1]?.serve()
    await reloaded
    expect(forked.map(({ lastVersion }) => lastVersion)).toEqual([2, 2])
  })

  test('do not wait for workers that ended: they serve them after their restart', async () => {
    const { supervisor, forked, started } = supervised()
    await started()
    forked[0]?.exit(1)
    const reloaded = supervisor.serve(settings)
    forked[1]?.exit(1)
    await reloaded
    vi.advanceTimersByTime(100)
    for (const worker of forked.slice(2)) worker.report({ kind: 'started' })
    expect(forked.map(({ lastVersion }) => lastVersion)).toEqual([1, 2, 2, 2])
  })

  test('that a worker refuses are refused', async () => {
    const { supervisor, forked, started } = supervised()
    await started()
    const reloaded = supervisor.serve(settings)
    forked[0]?.serve()
    forked[1]?.report({ kind: 'refused', version: 2, error: 'no' })
    await expect(reloaded).rejects.toThrow('worker 2: no')
  })
})

describe('the stop', () => {
  test('lets all workers end, and starts none again', async () => {
    const { supervisor, forked, started } = supervised()
    await started()
    forked[0]?.exit(1)
    const stopped = supervisor.stop(stop)
    expect(forked[1]?.orders.at(-1)).toEqual({ kind: 'stop', stop })
    forked[1]?.exit(0)
    await stopped
    vi.advanceTimersByTime(60_000)
    expect(forked.length).toBe(2)
  })

  test('is ordered again once a worker listens that was just started: the first order was lost', async () => {
    const { supervisor, forked, started } = supervised(1)
    await started()
    forked[0]?.exit(1)
    vi.advanceTimersByTime(100)
    const stopped = supervisor.stop(stop)
    forked[1]?.report({ kind: 'started' })
    expect(forked[1]?.orders).toEqual([
      { kind: 'stop', stop },
      { kind: 'stop', stop },
    ])
    forked[1]?.exit(0)
    await stopped
  })

  test('kills a worker that does not end', async () => {
    const { supervisor, forked, started } = supervised(1)
    await started()
    const stopped = supervisor.stop(stop)
    vi.advanceTimersByTime(9999)
    expect(forked[0]?.isKilled).toBe(false)
    vi.advanceTimersByTime(1)
    expect(forked[0]?.isKilled).toBe(true)
    await stopped
  })
})
