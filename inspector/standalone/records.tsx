import type { JSX } from 'preact'
import { render } from 'preact'
import { useMemo } from 'preact/hooks'
import type { ExportedRecord } from '../../src/records/api/types.ts'
import { viewOf } from '../../src/records/api/view.ts'
import { recordTabs, ShownExchange } from '../exchange/exchange-view.tsx'
import { StepList } from '../list/step-list.tsx'
import { go, hashOf, useRoute } from '../parts/route.ts'
import { counted } from '../text/format.ts'
import '../style/base.css'
import '../style/list.css'
import '../style/exchange.css'

/** Exchanges of a file that `anycall records html` wrote: no gateway is asked. */
function RecordsPage({ exported }: { exported: readonly ExportedRecord[] }): JSX.Element {
  const { id, tab } = useRoute()
  const views = useMemo(() => {
    const byId = new Map(exported.map(({ record }) => [record.id, record]))
    return exported.map(({ record, missed }) =>
      viewOf(record, { before: byId.get(record.session.parent ?? ''), missed }),
    )
  }, [exported])
  const named = views.find(({ record }) => record.id === id)
  const view = named ?? views[0]
  if (!view) return <p class="empty">This file has no records.</p>
  const isOne = views.length === 1
  return (
    <>
      <header class="top">
        <a class="brand" href={hashOf({ page: 'exchanges' })}>
          anycall <span>{counted(views.length, 'record')}</span>
        </a>
      </header>
      <main class={isOne ? 'alone' : named ? 'panes has-exchange' : 'panes'}>
        {!isOne && (
          <nav class="list-pane sessions" aria-label="Exchanges">
            <StepList rows={views.map(({ summary }) => summary)} shownId={view.record.id} />
          </nav>
        )}
        <article class="exchange" aria-label="Exchange" key={view.record.id}>
          {!isOne && (
            <button type="button" class="back" onClick={() => go({ page: 'exchanges' })}>
              <span aria-hidden="true">←</span> All exchanges
            </button>
          )}
          <ShownExchange view={view} tabs={recordTabs} tab={tab} />
        </article>
      </main>
    </>
  )
}

const root = document.getElementById('page')
const data = document.getElementById('records')?.textContent ?? '[]'
// The command that put them there has checked them.
if (root) render(<RecordsPage exported={JSON.parse(data) as ExportedRecord[]} />, root)
