import { AnycallError } from '../../conversation/index.ts'
import { type MeasuredMetrics, sumMetrics } from '../../gateway/index.ts'
import type { Order, PrimaryChannel, WorkerProcess } from './messages.ts'

/** The time that workers have to send their metrics. One that takes longer is left out. */
const collectMs = 3000
/** The time for which a worker waits for the metrics of all. */
const answerMs = 10_000

interface Collection {
  missing: Set<WorkerProcess>
  parts: MeasuredMetrics[]
  finish(): void
}

/** Collects the metrics of all workers in the primary, for the worker that was asked for them. */
export class MetricsCollector {
  readonly #workers: () => readonly WorkerProcess[]
  readonly #open = new Map<number, Collection>()
  #last = 0

  constructor(workers: () => readonly WorkerProcess[]) {
    this.#workers = workers
  }

  /** Answers a worker's question for the metrics of all workers. */
  async answer(asker: WorkerProcess, ask: number): Promise<void> {
    const parts = await this.#collect()
    try {
      asker.send({ kind: 'metrics', ask, text: await sumMetrics(parts) })
    } catch (error) {
      asker.send({ kind: 'metrics', ask, error: error instanceof Error ? error.message : String(error) })
    }
  }

  /** Takes the metrics that a worker sent. */
  received(from: WorkerProcess, id: number, metrics: MeasuredMetrics): void {
    const collection = this.#open.get(id)
    if (!collection?.missing.delete(from)) return
    collection.parts.push(metrics)
    if (collection.missing.size === 0) collection.finish()
  }

  #collect(): Promise<MeasuredMetrics[]> {
    const id = ++this.#last
    const workers = this.#workers()
    return new Promise((resolve) => {
      const parts: MeasuredMetrics[] = []
      const finish = (): void => {
        clearTimeout(timer)
        this.#open.delete(id)
        resolve(parts)
      }
      const timer = setTimeout(finish, collectMs)
      this.#open.set(id, { missing: new Set(workers), parts, finish })
      for (const worker of workers) worker.send({ kind: 'measure', id })
    })
  }
}

/** The metrics of all workers, as a worker has them from the primary. */
export class MetricsOfAll {
  readonly #primary: PrimaryChannel
  readonly #waiting = new Map<number, (answer: Extract<Order, { kind: 'metrics' }>) => void>()
  #last = 0

  constructor(primary: PrimaryChannel) {
    this.#primary = primary
  }

  /** Returns Prometheus' text. Rejects with an AnycallError if the primary has none, or does not answer. */
  readonly text = (): Promise<string> => {
    const ask = ++this.#last
    return new Promise((resolve, reject) => {
      const fail = (why: string): void =>
        reject(new AnycallError('unavailable', `The metrics of the workers cannot be added up: ${why}`))
      const timer = setTimeout(() => {
        this.#waiting.delete(ask)
        fail('the primary process does not answer')
      }, answerMs)
      this.#waiting.set(ask, ({ text, error }) => {
        clearTimeout(timer)
        if (text === undefined) fail(error ?? 'no reason was given')
        else resolve(text)
      })
      this.#primary.report({ kind: 'metrics', ask })
    })
  }

  /** Takes an answer of the primary. */
  answered(answer: Extract<Order, { kind: 'metrics' }>): void {
    this.#waiting.get(answer.ask)?.(answer)
    this.#waiting.delete(answer.ask)
  }
}
