import { AnycallError } from '../../conversation/index.ts'
import type { GatewayResponse } from '../http/http.ts'
import { json } from '../http/json-answer.ts'
import type { Route, RouteContext } from './context.ts'
import { checkReaderOf } from './reader-access.ts'

const safeHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** The routes for those who run a gateway: probes and metrics. */
export const operationRoutes: readonly Route[] = [
  { method: 'GET', path: /^\/health$/, isOpen: true, isQuiet: true, handle: async () => json({ status: 'ok' }) },
  { method: 'GET', path: /^\/livez$/, isOpen: true, isQuiet: true, handle: async () => json({ status: 'ok' }) },
  { method: 'GET', path: /^\/readyz$/, isOpen: true, isQuiet: true, handle: ready },
  { method: 'GET', path: /^\/metrics$/, isOpen: true, isQuiet: true, handle: readMetrics },
]

/** Answers 503 once the gateway is to be stopped, so that a load balancer sends it no more requests. */
async function ready({ isDraining }: RouteContext): Promise<GatewayResponse> {
  return isDraining() ? { ...json({ status: 'draining' }), status: 503 } : json({ status: 'ok' })
}

async function readMetrics(context: RouteContext): Promise<GatewayResponse> {
  const { metrics, config } = context
  await checkReaderOf({ what: 'metrics', key: config.metrics?.key, setting: 'metrics.key' }, context)
  if (!metrics)
    throw new AnycallError('not-found', 'Nothing is measured: set "metrics: true" in the configuration of the gateway.')
  return {
    status: 200,
    headers: { 'content-type': metrics.contentType, ...safeHeaders },
    body: await (context.metricsText?.() ?? metrics.text()),
  }
}
