import { matches } from '../../src/records/api/query.ts'
import type { ExchangeFilter, ExchangeList, ExchangeSummary, LiveEvent } from '../../src/records/api/types.ts'
import { askJson } from '../api/client.ts'
import { onConnected, onLive } from '../api/live.ts'
import { sentenceOf } from '../parts/problem.tsx'
import { Store } from '../parts/store.ts'

/** The list of exchanges as it is shown. */
export interface Feed {
  /** Newest first. */
  rows: readonly ExchangeSummary[]
  filter: ExchangeFilter
  values?: ExchangeList['values']
  kept?: ExchangeList['kept']
  /** The value of `before` for the next page. */
  next?: string
  isLoading: boolean
  problem?: string
}

export const feed = new Store<Feed>({ rows: [], filter: {}, isLoading: true })
/** The end of the text that a running exchange has written, by id. */
export const tails = new Store<ReadonlyMap<string, string>>(new Map())

const pageLength = 500
const tailLength = 160
const valuesMs = 3000
let asked = 0
/** The events since the list was requested: the answer may not contain them yet. */
let since: LiveEvent[] = []

function change(part: Partial<Feed>): void {
  feed.set({ ...feed.value, ...part })
}

function queryOf(filter: ExchangeFilter): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filter)) {
    for (const one of [value ?? []].flat()) query.append(name, String(one))
  }
  return query.toString()
}

/** Loads the list from its beginning. */
export async function reload(): Promise<void> {
  const mine = ++asked
  since = []
  change({ isLoading: true })
  try {
    const list = await askJson<ExchangeList>(`exchanges?${queryOf({ ...feed.value.filter, limit: pageLength })}`)
    if (mine !== asked) return
    const { problem: _, next: __, ...rest } = feed.value
    const { exchanges: rows, next, values, kept } = list
    feed.set({ ...rest, rows, values, kept, isLoading: false, ...(next !== undefined && { next }) })
    take(since)
  } catch (error) {
    if (mine === asked) change({ isLoading: false, problem: sentenceOf(error) })
  }
}

/** Loads the next page, if there is one. */
export async function loadMore(): Promise<void> {
  const { next: before, filter, isLoading } = feed.value
  if (before === undefined || isLoading) return
  const mine = ++asked
  change({ isLoading: true })
  try {
    const list = await askJson<ExchangeList>(`exchanges?${queryOf({ ...filter, before, limit: pageLength })}`)
    if (mine !== asked) return
    const known = new Set(feed.value.rows.map(({ id }) => id))
    const { next: _, ...rest } = feed.value
    const rows = [...rest.rows, ...list.exchanges.filter(({ id }) => !known.has(id))]
    feed.set({ ...rest, rows, isLoading: false, ...(list.next !== undefined && { next: list.next }) })
  } catch (error) {
    if (mine === asked) change({ isLoading: false, problem: sentenceOf(error) })
  }
}

export function setFilter(filter: ExchangeFilter): void {
  change({ filter })
  void reload()
}

/** Takes the events of a frame into the list. */
function take(events: readonly LiveEvent[]): void {
  const { filter } = feed.value
  let rows: ExchangeSummary[] | undefined
  let texts: Map<string, string> | undefined
  for (const event of events) {
    if (event.type === 'dropped') continue
    if (event.type === 'piece') {
      texts ??= new Map(tails.value)
      texts.set(event.id, ((texts.get(event.id) ?? '') + event.text).slice(-tailLength))
      continue
    }
    const { exchange } = event
    rows ??= [...feed.value.rows]
    const index = rows.findIndex(({ id }) => id === exchange.id)
    const isShown = matches(exchange, filter) && !(event.type === 'end' && !event.isKept)
    if (index < 0 && isShown) rows.unshift(exchange)
    else if (index >= 0) rows.splice(index, 1, ...(isShown ? [exchange] : []))
    if (event.type === 'end') {
      texts ??= new Map(tails.value)
      texts.delete(exchange.id)
      refreshValues()
    }
  }
  if (rows) change({ rows })
  if (texts) tails.set(texts)
}

let valuesTimer: ReturnType<typeof setTimeout> | undefined

/** Asks for the values of the filters, some time after an exchange has ended. */
function refreshValues(): void {
  if (valuesTimer !== undefined) return
  valuesTimer = setTimeout(() => {
    valuesTimer = undefined
    askJson<ExchangeList>('exchanges?limit=1').then(
      ({ values, kept }) => change({ values, kept }),
      // The connection's state tells it.
      () => undefined,
    )
  }, valuesMs)
}

/** Follows the gateway. Events are collected for a frame: there may be thousands in a second. */
export function startFeed(): void {
  let waiting: LiveEvent[] = []
  let frame: number | undefined
  onLive((events) => {
    waiting = waiting.concat(events)
    if (frame !== undefined) return
    frame = requestAnimationFrame(() => {
      frame = undefined
      const events = waiting
      waiting = []
      if (feed.value.isLoading) since.push(...events.filter(({ type }) => type !== 'piece'))
      take(events)
    })
  })
  onConnected(() => void reload())
}
