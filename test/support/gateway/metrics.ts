import type { Gateway } from '../../../src/gateway/gateway.ts'

/** Returns the value of one series; undefined for one that there is not. */
export type MetricValues = (name: string, labels?: Record<string, string>) => number | undefined

/** Reads the metrics of a gateway as Prometheus does. */
export async function metricValues(gateway: Pick<Gateway, 'fetch'>): Promise<MetricValues> {
  // A whole answer is counted with the next timers.
  await new Promise((resolve) => setTimeout(resolve, 1))
  const response = await gateway.fetch(new Request('http://127.0.0.1/metrics', { headers: { host: '127.0.0.1' } }))
  if (response.status !== 200) throw new Error(`/metrics answered ${response.status}: ${await response.text()}`)
  const series = parseMetrics(await response.text())
  return (name, labels = {}) => series.get(keyOf(name, labels))
}

/** Parses Prometheus' text format: the values by name and labels. */
export function parseMetrics(text: string): Map<string, number> {
  const series = new Map<string, number>()
  for (const line of text.split('\n')) {
    const [, name, labels = '', value] = /^([a-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? []
    if (name === undefined || value === undefined) continue
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', text = '']) => [label, text])
    series.set(keyOf(name, Object.fromEntries(pairs)), Number(value))
  }
  return series
}

function keyOf(name: string, labels: Record<string, string>): string {
  const pairs = Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1))
  return JSON.stringify([name, pairs])
}
