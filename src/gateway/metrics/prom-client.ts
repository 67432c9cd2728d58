import type * as PromClientModule from 'prom-client'
import { AnycallError } from '../../conversation/index.ts'
import { neededModule } from '../../upstreams/index.ts'

export type PromClient = typeof PromClientModule

const packageName: string = 'prom-client'

/**
 * Loads the package prom-client, which only gateways with metrics need. Throws an AnycallError on a runtime without Node's modules, and
 * if the package is missing.
 */
export function loadPromClient(): PromClient {
  const { createRequire } = neededModule('node:module', 'metrics')
  let client: unknown
  try {
    client = createRequire(import.meta.url)(packageName)
  } catch (error) {
    throw new AnycallError(
      'invalid-config',
      `metrics: the package ${packageName} cannot be loaded. Run "npm install ${packageName}", or leave metrics out.`,
      { cause: error },
    )
  }
  if (isPromClient(client)) return client
  throw new AnycallError(
    'invalid-config',
    `metrics: the package ${packageName} is not as expected. Install version 15.`,
  )
}

function isPromClient(client: unknown): client is PromClient {
  return typeof client === 'object' && client !== null && 'Registry' in client && 'collectDefaultMetrics' in client
}
