export { Metrics } from './metrics.ts'
export { type MeasuredMetrics, sumMetrics } from './sum.ts'
