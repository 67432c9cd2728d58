// The metrics as the documentation and the dashboard name them.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isJsonObject } from '../../src/conversation/index.ts'
import { Metrics } from '../../src/gateway/metrics/index.ts'

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

interface Family {
  type: string
  labels: string[]
}

/** All metrics of a gateway, those of the process among them, by name. */
const families = new Map<string, Family>(
  new Metrics().registry.getMetricsAsArray().map((metric) => {
    const labels: unknown = Reflect.get(metric, 'labelNames')
    return [metric.name, { type: typeOf(metric), labels: Array.isArray(labels) ? labels.map(String) : [] }]
  }),
)

function typeOf(metric: object): string {
  return metric.constructor.name.toLowerCase()
}

test('docs/operate.md has each metric with its type and labels', () => {
  const rows = [...read('docs/operate.md').matchAll(/^\| `(anycall_\w+)` \| (\w+) \| (.*?) \|/gm)]
  const shown = rows.map(([, name = '', type = '', labels = '']) => {
    return [name, { type, labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label) }] as const
  })
  const own = [...families].filter(([name]) => name.startsWith('anycall_'))
  expect(sorted(new Map(shown))).toEqual(sorted(new Map(own)))
})

function sorted(of: ReadonlyMap<string, Family>): [string, Family][] {
  const entries = [...of].map(([name, { type, labels }]): [string, Family] => [name, { type, labels: labels.sort() }])
  return entries.sort(([one], [other]) => (one < other ? -1 : 1))
}

/** The queries of the dashboard, by the titles of its panels. */
function queries(): [title: string, query: string][] {
  const dashboard: unknown = JSON.parse(read('deploy/grafana/anycall.json'))
  const panels = isJsonObject(dashboard) && Array.isArray(dashboard.panels) ? dashboard.panels : []
  return panels.filter(isJsonObject).flatMap(({ title, targets }) => {
    const list = Array.isArray(targets) ? targets.filter(isJsonObject) : []
    return list.map(({ expr }): [string, string] => [String(title), String(expr)])
  })
}

/** The metric that a name in a query is of: histograms have three names. */
function familyOf(name: string): Family | undefined {
  const whole = families.get(name)
  if (whole) return whole
  const histogram = families.get(name.replace(/_(?:bucket|sum|count)$/, ''))
  return histogram?.type === 'histogram' ? { type: 'histogram', labels: [...histogram.labels, 'le'] } : undefined
}

/** Prometheus adds this label to all metrics. */
const added = 'instance'

test.each(queries())('the panel "%s" asks for metrics and labels that there are: %s', (_, query) => {
  const selectors = [...query.matchAll(/\b((?:anycall|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)]
  expect(selectors.length).toBeGreaterThan(0)
  const labels = new Set([added])
  for (const [, name = '', selector = ''] of selectors) {
    const family = familyOf(name)
    expect(family, name).toBeDefined()
    for (const label of family?.labels ?? []) labels.add(label)
    const selected = [...selector.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label)
    expect(family?.labels).toEqual(expect.arrayContaining(selected))
  }
  const grouped = [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(',').map((one) => one.trim()),
  )
  expect(grouped.filter((label) => !labels.has(label))).toEqual([])
})

test('the dashboard shows each metric', () => {
  const asked = queries()
    .map(([, query]) => query)
    .join('\n')
  const own = [...families.keys()].filter((name) => name.startsWith('anycall_'))
  expect(own.filter((name) => !asked.includes(name))).toEqual([])
})
