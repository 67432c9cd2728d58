import { toAnycallError } from '../../conversation/index.ts'
import type { MeasuredMetrics } from '../../gateway/index.ts'
import type { Io, Services } from '../io/io.ts'
import { createLog } from '../io/log.ts'
import { loadRuleTemplates } from '../template/rule-templates.ts'
import type { Order, PrimaryChannel } from './messages.ts'
import { MetricsOfAll } from './metrics.ts'
import { atOnce, type Running, type Served, type Stop, startHere, stopOf } from './running.ts'

type ServeOrder = Extract<Order, { kind: 'serve' }>

/** Serves as the primary orders, until it orders to stop or `io.signal` aborts. Resolves with the exit code. */
export async function serveAsWorker(
  primary: PrimaryChannel,
  { io, services }: { io: Io; services: Services },
): Promise<number> {
  let running: Running | undefined
  let stop = atOnce
  // Only the primary reloads on SIGHUP.
  io.onHangup?.(() => {})

  const metrics = new MetricsOfAll(primary)
  const measured = async (): Promise<MeasuredMetrics> => (await running?.metrics?.()) ?? []

  const serve = async (order: ServeOrder): Promise<void> => {
    const served = { ...(await servedOf(order, { io, services })), metricsText: metrics.text }
    if (running) await running.reload(served)
    else running = await startHere(served, { io, services })
    stop = stopOf(served.config)
  }

  const ordered = await new Promise<Stop>((resolve, reject) => {
    let work = Promise.resolve()
    primary.onOrder((order) => {
      if (order.kind === 'stop') {
        resolve(order.stop)
        return
      }
      if (order.kind === 'metrics') {
        metrics.answered(order)
        return
      }
      if (order.kind === 'measure') {
        const { id } = order
        measured().then((own) => primary.report({ kind: 'measured', id, metrics: own }), reject)
        return
      }
      const { version } = order
      work = work
        .then(() => serve(order))
        .then(
          () => primary.report({ kind: 'serving', version }),
          (error: unknown) => {
            primary.report({ kind: 'refused', version, error: toAnycallError(error).message })
            if (!running) reject(error)
          },
        )
    })
    io.signal.addEventListener('abort', () => resolve(stop), { once: true })
    primary.report({ kind: 'started' })
  })
  await running?.close(ordered)
  return 0
}

async function servedOf(
  { settings: { config, naming }, worker }: ServeOrder,
  { io, services }: { io: Io; services: Services },
): Promise<Served> {
  return {
    config,
    upstreams: services.createUpstreams(config),
    templates: await loadRuleTemplates(config.models, naming, io),
    log: createLog(config.log, io, { worker }),
  }
}
