import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { connection } from '../api/live.ts'
import { cursor, openRow } from '../keys/cursor.ts'
import { Problem } from '../parts/problem.tsx'
import { useStore } from '../parts/store.ts'
import { counted, size } from '../text/format.ts'
import { feed, loadMore } from './feed.ts'
import { Filters } from './filters.tsx'
import { ExchangeRow } from './row.tsx'
import { Sessions } from './sessions.tsx'
import { VirtualList } from './virtual.tsx'

const rowHeight = 58

/** The left side of the page: exchanges as they run, or sessions. */
export function ListPane({ shownId }: { shownId: string | undefined }): JSX.Element {
  const [isBySession, setIsBySession] = useState(false)
  const { rows, problem, isLoading, kept } = useStore(feed)
  const state = useStore(connection)
  const at = useStore(cursor)
  const current = rows.findIndex(({ id }) => id === (at ?? shownId))
  return (
    <section class="list-pane" aria-label="List of exchanges">
      <h1 class="for-readers">Exchanges</h1>
      <div class="list-head">
        <fieldset class="switch">
          <legend class="for-readers">Order</legend>
          {['Exchanges', 'Sessions'].map((name, index) => (
            <button
              key={name}
              type="button"
              aria-pressed={isBySession === (index === 1)}
              onClick={() => setIsBySession(index === 1)}
            >
              {name}
            </button>
          ))}
        </fieldset>
        <span class={`connection ${state}`} role="status">
          {state === 'live' ? '● live' : state === 'broken' ? '○ not connected' : '○ connecting'}
        </span>
      </div>
      {!isBySession && <Filters />}
      <Problem text={problem} />
      {isBySession ? (
        <Sessions shownId={shownId} />
      ) : rows.length > 0 ? (
        <VirtualList
          label="Exchanges, newest first"
          items={rows}
          keyOf={({ id }) => id}
          rowHeight={rowHeight}
          current={current}
          row={(row) => <ExchangeRow row={row} />}
          onPick={({ id }) => openRow(id)}
          onEnd={loadMore}
        />
      ) : (
        <p class="empty">
          {isLoading ? 'Loading …' : 'No exchanges. They appear here as soon as a client sends a request.'}
        </p>
      )}
      {kept && (
        <p class="kept faint">
          {counted(kept.exchanges, 'record')}, {size(kept.bytes)}
          {kept.dropped > 0 && `, ${kept.dropped.toLocaleString()} lost`}
        </p>
      )}
    </section>
  )
}
