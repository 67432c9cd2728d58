import { AnycallError } from '../../conversation/index.ts'
import type { Log } from '../../upstreams/index.ts'
import type { Report, WorkerProcess, WorkerServices, WorkerSettings } from './messages.ts'
import { MetricsCollector } from './metrics.ts'
import type { Stop } from './running.ts'

/** The pause before a worker is restarted: doubled each time that it ends early, up to the longest. */
const firstPauseMs = 100
const longestPauseMs = 30_000
/** A worker that lived for this long did not end because of its start. */
const steadyMs = 60_000
/** The time that a worker has to end after that. */
const lastMs = 3000

export interface SupervisorOptions {
  workers: Pick<WorkerServices, 'fork'>
  count: number
  log: Log
}

/** The place of one worker: the process in it changes when it is restarted. */
interface Place {
  number: number
  process?: WorkerProcess
  begunAt: number
  earlyEnds: number
  restart?: ReturnType<typeof setTimeout>
  /** The one who waits for the answer to the last order. */
  waiting?: { settle: () => void; fail: (error: AnycallError) => void; isStart: boolean }
  ended?: () => void
}

/**
 * Keeps a number of workers running. Each serves the last settings; one that ends is restarted after a pause.
 *
 * @example
 * const supervisor = new Supervisor({ workers, count: 2, log })
 * await supervisor.serve(settings)
 * await supervisor.stop({ drainSeconds: 0, graceSeconds: 5 })
 */
export class Supervisor {
  readonly #options: SupervisorOptions
  readonly #places: readonly Place[]
  readonly #metrics = new MetricsCollector(() => this.#places.flatMap(({ process }) => process ?? []))
  #settings: WorkerSettings | undefined
  #version = 0
  /** The way in which the workers are to end, once they are. */
  #stop: Stop | undefined

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.#places = Array.from({ length: options.count }, (_, index) => ({
      number: index + 1,
      begunAt: 0,
      earlyEnds: 0,
    }))
  }

  /**
   * Has all workers serve these settings, and starts those that do not run. Rejects with an AnycallError if a worker refuses them, or
   * ends before it served for the first time.
   */
  async serve(settings: WorkerSettings): Promise<void> {
    const isStart = this.#settings === undefined
    this.#settings = settings
    this.#version++
    const answers = this.#places.map(
      (place) =>
        new Promise<void>((settle, fail) => {
          place.waiting = { settle, fail, isStart }
          if (isStart) this.#start(place)
          else if (place.process) this.#order(place, place.process)
          // It serves the new settings once it is restarted.
          else settle()
        }),
    )
    await Promise.all(answers)
  }

  /** Has all workers end, and resolves when they have. */
  async stop(stop: Stop): Promise<void> {
    this.#stop = stop
    const stopMs = (stop.drainSeconds + stop.graceSeconds) * 1000
    await Promise.all(
      this.#places.map(async (place) => {
        clearTimeout(place.restart)
        const { process } = place
        if (!process) return
        const ended = new Promise<void>((resolve) => {
          place.ended = resolve
        })
        process.send({ kind: 'stop', stop })
        const last = setTimeout(() => process.kill(), stopMs + lastMs)
        await ended
        clearTimeout(last)
      }),
    )
  }

  #start(place: Place): void {
    const process = this.#options.workers.fork()
    place.process = process
    place.begunAt = Date.now()
    process.onReport((report) => this.#reported(place, process, report))
    process.onExit((code, signal) => this.#ended(place, { pid: process.pid, code, signal }))
  }

  #order({ number: worker }: Place, process: WorkerProcess): void {
    if (this.#settings) process.send({ kind: 'serve', worker, version: this.#version, settings: this.#settings })
  }

  #reported(place: Place, process: WorkerProcess, report: Report): void {
    if (report.kind === 'started') {
      // An order that came before a worker listens is lost.
      if (this.#stop) process.send({ kind: 'stop', stop: this.#stop })
      else this.#order(place, process)
      return
    }
    if (report.kind === 'metrics') {
      void this.#metrics.answer(process, report.ask)
      return
    }
    if (report.kind === 'measured') {
      this.#metrics.received(process, report.id, report.metrics)
      return
    }
    // An older version: the answer to the order that followed is still to come.
    if (report.version !== this.#version) return
    const { waiting } = place
    delete place.waiting
    if (report.kind === 'serving') waiting?.settle()
    else waiting?.fail(new AnycallError('invalid-config', `worker ${place.number}: ${report.error}`))
  }

  #ended(place: Place, how: { pid: number | undefined; code: number | null; signal: string | null }): void {
    const { waiting, number } = place
    delete place.process
    delete place.waiting
    place.ended?.()
    if (this.#stop) return
    const isEarly = Date.now() - place.begunAt < steadyMs
    place.earlyEnds = isEarly ? place.earlyEnds + 1 : 0
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.max(0, place.earlyEnds - 1))
    this.#options.log('error', 'worker.ended', { worker: number, ...how, restartMs: pauseMs })
    place.restart = setTimeout(() => this.#start(place), pauseMs)
    if (waiting?.isStart) {
      waiting.fail(new AnycallError('unavailable', `worker ${number} ended before it served; see its log`))
    } else waiting?.settle()
  }
}
