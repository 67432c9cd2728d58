import cluster from 'node:cluster'
import { isOrder, isReport, type PrimaryChannel, type WorkerProcess, type WorkerServices } from './messages.ts'

/**
 * Workers by `node:cluster`: each runs this command again, with the same arguments. The primary accepts the connections and gives them
 * to the workers in turn.
 */
export function clusterWorkers(): WorkerServices {
  return { fork, ...(cluster.isWorker && { primary: primaryChannel() }) }
}

function fork(): WorkerProcess {
  // Structured clones keep `undefined` and numbers as they are, which JSON does not.
  cluster.setupPrimary({ serialization: 'advanced' })
  const worker = cluster.fork()
  return {
    pid: worker.process.pid,
    send: (order) => {
      if (!worker.isConnected()) return
      // A worker that ends meanwhile is noticed by its exit.
      worker.send(order, () => {})
    },
    onReport: (listener) => {
      worker.on('message', (message: unknown) => {
        if (isReport(message)) listener(message)
      })
    },
    onExit: (listener) => {
      worker.process.once('exit', listener)
    },
    kill: () => {
      worker.process.kill('SIGKILL')
    },
  }
}

function primaryChannel(): PrimaryChannel {
  return {
    report: (report) => {
      // If the primary is gone, the disconnect ends this worker.
      process.send?.(report, undefined, {}, () => {})
    },
    onOrder: (listener) => {
      process.on('message', (message: unknown) => {
        if (isOrder(message)) listener(message)
      })
    },
  }
}
