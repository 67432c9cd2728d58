import { randomBytes } from 'node:crypto'
import type { Services } from '../io/io.ts'
import type { TemplateNaming } from '../template/rule-templates.ts'
import type { WorkerServices, WorkerSettings } from './messages.ts'
import { atOnce, openGateway, type Running, type Served } from './running.ts'
import { checkShared, shareOf, workerCount } from './share.ts'
import { Supervisor } from './supervisor.ts'

export interface WorkersOptions {
  services: Services
  workers: WorkerServices
  naming: TemplateNaming
}

/**
 * Serves in several processes, which share the address and a secret. This process serves nothing itself: it accepts connections,
 * restarts workers and sends them configurations. Throws errors whose messages are for a person.
 */
export async function startWorkers(served: Served, { services, workers, naming }: WorkersOptions): Promise<Running> {
  const count = workerCount(served.config)
  checkShared(served.config, count)
  // A configuration that cannot be served, or an address that cannot be had, is found here, once and before there are workers.
  const first = await openGateway(served, services)
  await first.server.close(0, 0)
  await first.gateway.close()
  const { url, port } = first.server
  const secret = randomBytes(32).toString('base64url')
  const settingsOf = (config: Served['config']): WorkerSettings => ({
    config: { ...shareOf(config, count), listen: { ...config.listen, port }, secret: config.secret ?? secret },
    naming,
  })

  const supervisor = new Supervisor({ workers, count, log: served.log })
  try {
    await supervisor.serve(settingsOf(served.config))
  } catch (error) {
    await supervisor.stop(atOnce)
    throw error
  }
  return {
    url,
    reload: async (next) => {
      checkShared(next.config, count)
      await services.createGateway(next).close()
      await supervisor.serve(settingsOf(next.config))
    },
    close: (stop) => supervisor.stop(stop),
  }
}
