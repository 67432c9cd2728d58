import type { ExchangeSummary } from '../record/summary.ts'
import type { FaultBucket, HealthView, ModelHealth, UpstreamHealth } from './types.ts'

/** The upper bounds of the histogram, in milliseconds; the last bucket is for all above. */
const bounds = [50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000]
/** The longest time that is divided into buckets, and their number. */
const mostBuckets = 60

/** The facts that only the gateway has. */
export interface GatewayFacts {
  upstreams: Pick<UpstreamHealth, 'name' | 'type' | 'isReady'>[]
  models: ModelHealth[]
}

/** Sums up exchanges by upstream, fault and time. */
export function healthOf(rows: Iterable<ExchangeSummary>, facts: GatewayFacts, kept: HealthView['kept']): HealthView {
  const all = [...rows].filter(({ state }) => state !== 'running')
  const tokens = { input: 0, output: 0, cached: 0 }
  const latency = { bounds, firstByte: bins(), total: bins() }
  for (const { usage, firstByteMs, ms } of all) {
    tokens.input += usage?.inputTokens ?? 0
    tokens.output += usage?.outputTokens ?? 0
    tokens.cached += usage?.cachedTokens ?? 0
    addTo(latency.firstByte, firstByteMs)
    addTo(latency.total, ms)
  }
  const upstreams = facts.upstreams.map((upstream) => {
    const own = all.filter((row) => row.upstream === upstream.name)
    return { ...upstream, exchanges: own.length, failed: own.filter(({ state }) => state === 'failed').length }
  })
  return { upstreams, models: facts.models, faults: faultsOf(all), tokens, latency, kept }
}

function bins(): number[] {
  return Array.from({ length: bounds.length + 1 }, () => 0)
}

function addTo(counts: number[], ms: number | undefined): void {
  if (ms === undefined) return
  const at = bounds.findIndex((bound) => ms < bound)
  const bin = at < 0 ? bounds.length : at
  counts[bin] = (counts[bin] ?? 0) + 1
}

/** Counts notices and errors by code, in times of equal length. */
function faultsOf(rows: readonly ExchangeSummary[]): FaultBucket[] {
  const times = rows.map(({ at }) => Date.parse(at))
  const first = times.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY)
  const last = times.reduce((one, other) => Math.max(one, other), 0)
  const width = Math.max(60_000, Math.ceil((last - first + 1) / mostBuckets))
  const buckets = new Map<number, FaultBucket>()
  for (const [index, { notices, error }] of rows.entries()) {
    const start = first + Math.floor(((times[index] ?? first) - first) / width) * width
    const bucket = buckets.get(start) ?? { at: new Date(start).toISOString(), exchanges: 0, counts: {} }
    buckets.set(start, bucket)
    bucket.exchanges++
    for (const code of [...notices, ...(error ? [error.code] : [])])
      bucket.counts[code] = (bucket.counts[code] ?? 0) + 1
  }
  return [...buckets].sort(([a], [b]) => a - b).map(([, bucket]) => bucket)
}
