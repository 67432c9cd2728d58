import type { JSX } from 'preact'
import { Problem } from '../parts/problem.tsx'
import { go } from '../parts/route.ts'
import { type ExchangeTab, recordTabs, ShownExchange } from './exchange-view.tsx'
import { useExchange } from './load.ts'
import { ReplayTab } from './tabs/replay.tsx'

const tabs: readonly ExchangeTab[] = [
  ...recordTabs,
  { id: 'replay', name: 'Replay', content: (view) => <ReplayTab view={view} /> },
]

/** An exchange of the gateway, which is loaded again while it grows. */
export function Exchange({ id, tab }: { id: string; tab: string | undefined }): JSX.Element {
  const { view, problem } = useExchange(id)
  return (
    <article class="exchange" aria-label="Exchange">
      <button type="button" class="back" onClick={() => go({ page: 'exchanges' })}>
        <span aria-hidden="true">←</span> All exchanges
      </button>
      <Problem text={problem} />
      {view && <ShownExchange view={view} tabs={tabs} tab={tab} />}
      {!view && problem === undefined && <p class="empty">Loading …</p>}
    </article>
  )
}
