import type { JSX } from 'preact'
import type { ExchangeView } from '../../src/records/api/types.ts'
import { go } from '../parts/route.ts'
import { StateBadge } from '../parts/state-badge.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { duration } from '../text/format.ts'
import { Outside } from '../text/outside.tsx'
import { Copies } from './copies.tsx'
import { Reasons } from './reasons.tsx'
import { ClientBytes } from './tabs/client-bytes.tsx'
import { ConversationTab } from './tabs/conversation.tsx'
import { EventsTab } from './tabs/events.tsx'
import { GrammarTab } from './tabs/grammar.tsx'
import { PromptTab } from './tabs/prompt.tsx'
import { RawTab } from './tabs/raw.tsx'
import { RequestTab } from './tabs/request.tsx'
import { UpstreamTab } from './tabs/upstream.tsx'
import { Timeline } from './timeline.tsx'

/** A tab of an exchange. */
export interface ExchangeTab {
  id: string
  name: string
  content(view: ExchangeView): JSX.Element
}

/** The tabs that need no gateway, in the order in which the exchange happened. */
export const recordTabs: readonly ExchangeTab[] = [
  { id: 'request', name: 'Request', content: (view) => <RequestTab view={view} /> },
  { id: 'conversation', name: 'Conversation', content: (view) => <ConversationTab view={view} /> },
  { id: 'prompt', name: 'Prompt', content: (view) => <PromptTab view={view} /> },
  { id: 'grammar', name: 'Grammar', content: (view) => <GrammarTab view={view} /> },
  { id: 'upstream', name: 'Upstream', content: (view) => <UpstreamTab view={view} /> },
  { id: 'raw', name: 'Raw text', content: (view) => <RawTab view={view} /> },
  { id: 'events', name: 'Events', content: (view) => <EventsTab view={view} /> },
  { id: 'bytes', name: 'Client bytes', content: (view) => <ClientBytes view={view} /> },
]

interface ExchangeViewProps {
  view: ExchangeView
  tabs: readonly ExchangeTab[]
  /** The tab that the address names. */
  tab: string | undefined
}

/** Shows an exchange: the reason of its failure first, its times, and everything about it in tabs. */
export function ShownExchange({ view, tabs, tab }: ExchangeViewProps): JSX.Element {
  const known = tabs.some((one) => one.id === tab) ? tab : undefined
  const current = known ?? 'raw'
  return (
    <>
      <Head view={view} />
      <Timeline record={view.record} />
      <Tabs
        label="Parts of the exchange"
        tabs={tabs}
        current={current}
        onPick={(next) => go({ page: 'exchanges', id: view.record.id, tab: next }, { replace: true })}
      >
        {tabs.find((one) => one.id === current)?.content(view)}
      </Tabs>
    </>
  )
}

function Head({ view }: { view: ExchangeView }): JSX.Element {
  const { summary, record, copies } = view
  const { state, model, upstreamModel, upstream, plan, dialect, usage, ms, status, finish, path } = summary
  const isOver = record.timings.end !== undefined
  const facts: [string, string | undefined][] = [
    ['Request', `${record.client.method} ${path}`],
    ['Key', record.client.keyName],
    ['Upstream', upstream && `${upstream}${upstreamModel ? ` / ${upstreamModel}` : ''}`],
    ['Plan', plan && `${plan}${record.plan ? `, as ${record.plan.why}` : ''}`],
    ['Dialect', dialect],
    ['Status', isOver ? `${status}${finish ? `, ${finish}` : ''}` : undefined],
    ['Tokens', usage && tokens(usage)],
    ['Time', ms === undefined ? undefined : duration(ms)],
  ]
  return (
    <header class="exchange-head">
      <h1>
        <StateBadge state={isOver ? state : 'running'} /> <Outside text={model ?? path} />
        <code class="faint id">{summary.id}</code>
      </h1>
      <Reasons view={view} />
      <dl class="facts">
        {facts.map(
          ([name, value]) =>
            value !== undefined &&
            value !== '' && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <Outside text={value} />
                </dd>
              </div>
            ),
        )}
      </dl>
      <Copies copies={copies} />
    </header>
  )
}

function tokens({ inputTokens, outputTokens, cachedTokens }: NonNullable<ExchangeView['summary']['usage']>): string {
  const cached = cachedTokens ? ` (${cachedTokens.toLocaleString()} cached)` : ''
  return `${inputTokens?.toLocaleString() ?? '?'} in${cached}, ${outputTokens?.toLocaleString() ?? '?'} out`
}
