import type { ExchangeSummary } from '../record/summary.ts'
import type { Recorder } from '../watch/recorder.ts'
import type { ExchangeFilter, ExchangeList, FilterValues, SessionList, SessionSummary, SessionTree } from './types.ts'

const defaultLimit = 100
const mostRows = 1000
/** Rows that are read at once, and that a search goes through at most. */
const page = 500
const mostSearched = 100_000

/** The values of a row for each filter. */
const columns: Readonly<Record<keyof FilterValues, (row: ExchangeSummary) => readonly (string | undefined)[]>> = {
  state: ({ state }) => [state],
  status: ({ status }) => [String(status)],
  model: ({ model }) => [model],
  upstream: ({ upstream }) => [upstream],
  plan: ({ plan }) => [plan],
  dialect: ({ dialect }) => [dialect],
  notice: ({ notices, error }) => [...notices, error?.code],
  tool: ({ calls }) => [...new Set(calls)],
}
const names = Object.keys(columns) as (keyof FilterValues)[]

/** Yields the rows of all exchanges, newest first: those that run or wait, then those that are kept. */
export function* rowsOf({
  recent,
  store,
}: Pick<Recorder, 'recent' | 'store'>): Generator<ExchangeSummary, void, undefined> {
  yield* recent.toReversed()
  let before: string | undefined
  for (let seen = 0; seen < mostSearched; seen += page) {
    const rows = store.list({ limit: page, ...(before !== undefined && { before }) })
    yield* rows
    before = rows.at(-1)?.id
    if (rows.length < page) return
  }
}

/** Lists exchanges, newest first. */
export function listExchanges(recorder: Recorder, filter: ExchangeFilter): ExchangeList {
  const limit = Math.min(Math.max(1, filter.limit ?? defaultLimit), mostRows)
  const exchanges: ExchangeSummary[] = []
  const values = Object.fromEntries(names.map((name) => [name, {}])) as FilterValues
  let isPast = filter.before === undefined
  let hasMore = false
  for (const row of rowsOf(recorder)) {
    count(row, values)
    if (isPast && matches(row, filter)) {
      if (exchanges.length < limit) exchanges.push(row)
      else hasMore = true
    }
    isPast ||= row.id === filter.before
  }
  const next = hasMore ? exchanges.at(-1)?.id : undefined
  return { exchanges, values, kept: recorder.facts, ...(next !== undefined && { next }) }
}

function count(row: ExchangeSummary, values: FilterValues): void {
  for (const name of names) {
    for (const value of columns[name](row)) {
      if (value === undefined || (!Object.hasOwn(values[name], value) && Object.keys(values[name]).length >= mostRows))
        continue
      values[name][value] = (Object.hasOwn(values[name], value) ? (values[name][value] ?? 0) : 0) + 1
    }
  }
}

/** True for a row that has one of the values of each filter. */
export function matches(row: ExchangeSummary, filter: ExchangeFilter): boolean {
  for (const name of names) {
    const wanted = filter[name]
    if (wanted && wanted.length > 0 && !columns[name](row).some((value) => wanted.some((one) => String(one) === value)))
      return false
  }
  if (filter.session !== undefined && row.session.id !== filter.session) return false
  if (filter.text === undefined || filter.text === '') return true
  const text = [
    row.id,
    row.asks,
    row.says,
    row.error?.message,
    row.error?.code,
    row.model,
    ...row.notices,
    ...row.calls,
  ]
  return text.join('\n').toLowerCase().includes(filter.text.toLowerCase())
}

/** Lists the sessions of the latest exchanges, newest first. */
export function listSessions(recorder: Recorder, limit: number = defaultLimit): SessionList {
  const sessions = new Map<string, SessionSummary>()
  for (const row of rowsOf(recorder)) {
    const { id } = row.session
    const known = sessions.get(id)
    if (!known && sessions.size >= Math.min(limit, mostRows)) continue
    const now: SessionSummary = known ?? { id, at: row.at, last: row.at, steps: 0, failed: 0, odd: 0, asks: row.asks }
    // Rows come from the newest to the oldest.
    Object.assign(now, { at: row.at, asks: row.asks || now.asks, ...(row.model !== undefined && { model: row.model }) })
    now.steps++
    if (row.state === 'failed') now.failed++
    if (row.state === 'odd') now.odd++
    sessions.set(id, now)
  }
  return { sessions: [...sessions.values()] }
}

/** Returns a session; undefined if there is none of that id. */
export function sessionTree(recorder: Recorder, id: string): SessionTree | undefined {
  const running = recorder.recent.filter(({ session }) => session.id === id)
  const exchanges = [...recorder.store.session(id), ...running]
  return exchanges.length === 0 ? undefined : { id, exchanges }
}
