import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { HealthView } from '../../src/records/api/types.ts'
import { askJson } from '../api/client.ts'
import { Problem, sentenceOf } from '../parts/problem.tsx'
import { duration, size, timeOfDay } from '../text/format.ts'
import { Chart, type Series } from './chart.tsx'
import { Table } from './table.tsx'

const refreshMs = 5000
/** The number of faults with a separate line. */
const mostLines = 4

/** Upstreams, knowledge about models, faults over time, tokens and latencies. */
export function HealthPage(): JSX.Element {
  const [view, setView] = useState<HealthView>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    async function load(): Promise<void> {
      try {
        const next = await askJson<HealthView>('health')
        if (isOver) return
        setView(next)
        setProblem(undefined)
      } catch (error) {
        if (!isOver) setProblem(sentenceOf(error))
      }
      if (!isOver) timer = setTimeout(() => void load(), refreshMs)
    }
    void load()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [])
  return (
    <main class="tool-page">
      <h1>Health</h1>
      <Problem text={problem} />
      {view && <Facts view={view} />}
    </main>
  )
}

function Facts({ view }: { view: HealthView }): JSX.Element {
  const { upstreams, models, tokens, kept } = view
  return (
    <>
      <Table
        name="Upstreams"
        heads={['Name', 'Type', 'State', 'Exchanges', 'Failed']}
        rows={upstreams.map(({ name, type, isReady, exchanges, failed }) => [
          name,
          type,
          isReady ? '✓ ready' : '✕ down',
          exchanges,
          failed,
        ])}
      />
      <Table
        name="Learned of models"
        heads={['Upstream', 'Model', 'Plan', 'Because', 'Refused']}
        rows={models.map(({ upstream, model, plan, why, refused }) => [upstream, model, plan, why, refused.join(', ')])}
      />
      <Faults view={view} />
      <Latency view={view} />
      <Table
        name="Tokens and records"
        heads={['Input', 'From the cache', 'Output', 'Records', 'Size', 'Lost']}
        rows={[[tokens.input, share(tokens), tokens.output, kept.exchanges, size(kept.bytes), kept.dropped]]}
      />
    </>
  )
}

function share({ cached, input }: HealthView['tokens']): string {
  return input === 0 ? '0' : `${cached.toLocaleString()} (${Math.round((100 * cached) / input)} %)`
}

function Faults({ view: { faults } }: { view: HealthView }): JSX.Element {
  const { at, series } = useMemo(() => {
    const totals = new Map<string, number>()
    for (const { counts } of faults)
      for (const [code, count] of Object.entries(counts)) totals.set(code, (totals.get(code) ?? 0) + count)
    const codes = [...totals].sort((a, b) => b[1] - a[1]).map(([code]) => code)
    const lines: Series[] = codes
      .slice(0, mostLines)
      .map((code) => ({ label: code, values: faults.map(({ counts }) => counts[code] ?? 0) }))
    return { at: faults.map(({ at }) => Date.parse(at) / 1000), series: lines }
  }, [faults])
  return (
    <>
      {series.length > 0 && faults.length > 1 && <Chart label="Notices and errors over time" at={at} series={series} />}
      <Table
        name="Notices and errors"
        heads={['Time', 'Exchanges', 'By code']}
        rows={faults.map(({ at, exchanges, counts }) => [
          timeOfDay(at),
          exchanges,
          Object.entries(counts)
            .sort((a, b) => b[1] - a[1])
            .map(([code, count]) => `${code}: ${count}`)
            .join(', '),
        ])}
      />
    </>
  )
}

function Latency({ view: { latency } }: { view: HealthView }): JSX.Element {
  const { bounds, firstByte, total } = latency
  const bins = useMemo(
    () => [...bounds.map((bound) => `< ${duration(bound)}`), `≥ ${duration(bounds.at(-1) ?? 0)}`],
    [bounds],
  )
  const at = useMemo(() => bins.map((_, index) => index), [bins])
  const series = useMemo(
    () => [
      { label: 'first byte', values: firstByte },
      { label: 'end', values: total },
    ],
    [firstByte, total],
  )
  return (
    <>
      <Chart label="Latencies" at={at} series={series} bins={bins} />
      <Table
        name="Latencies"
        heads={['Time', 'To the first byte', 'To the end']}
        rows={bins.map((bin, index) => [bin, firstByte[index] ?? 0, total[index] ?? 0])}
      />
    </>
  )
}
