import { loadPromClient } from './prom-client.ts'

/** The metrics of one process: the objects that prom-client's `getMetricsAsJSON` returns. */
export type MeasuredMetrics = readonly object[]

/**
 * Adds up the metrics of several processes, and returns them as Prometheus' text. Counters and histograms are summed; the process
 * metrics of prom-client say of themselves how they are put together.
 *
 * @example
 * const text = await sumMetrics(await Promise.all(gateways.map((gateway) => gateway.metrics())))
 */
export function sumMetrics(measured: readonly MeasuredMetrics[]): Promise<string> {
  const { AggregatorRegistry } = loadPromClient()
  return AggregatorRegistry.aggregate([...measured]).metrics()
}
