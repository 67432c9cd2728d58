import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ReadRequest, ReadResult, TemplateRequest, TemplateResult } from '../src/records/api/types.ts'
import { askJson, isLocked, keepKey } from './api/client.ts'
import { followLive } from './api/live.ts'
import { Exchange } from './exchange/exchange.tsx'
import { Help } from './keys/help.tsx'
import { isHelpOpen, startKeys } from './keys/keys.ts'
import { reload, startFeed } from './list/feed.ts'
import { ListPane } from './list/list.tsx'
import { hashOf, type Route, useRoute } from './parts/route.ts'
import { useStore } from './parts/store.ts'
import { HealthPage } from './tools/health.tsx'
import { ReadPage } from './tools/read.tsx'
import { TemplatePage } from './tools/template.tsx'

const pages: readonly { page: Route['page']; name: string }[] = [
  { page: 'exchanges', name: 'Exchanges' },
  { page: 'read', name: 'Read' },
  { page: 'template', name: 'Template' },
  { page: 'health', name: 'Health' },
]

const read = (body: ReadRequest, signal: AbortSignal): Promise<ReadResult> => askJson('read', { body, signal })
const analyse = (body: TemplateRequest): Promise<TemplateResult> => askJson('template', { body })

/** The whole page. */
export function App(): JSX.Element {
  const route = useRoute()
  const needsKey = useStore(isLocked)
  useEffect(() => {
    startKeys()
    startFeed()
    void reload()
    void followLive()
  }, [])
  return (
    <>
      <header class="top">
        <a class="brand" href={hashOf({ page: 'exchanges' })}>
          anycall <span>inspector</span>
        </a>
        <nav aria-label="Pages">
          {pages.map(({ page, name }) => (
            <a key={page} href={hashOf({ page })} {...(page === route.page && { 'aria-current': 'page' })}>
              {name}
            </a>
          ))}
        </nav>
        <button type="button" class="help" aria-label="Keys" onClick={() => isHelpOpen.set(true)}>
          ?
        </button>
      </header>
      {needsKey ? <KeyForm /> : <Page route={route} />}
      <Help />
    </>
  )
}

function Page({ route: { page, id, tab } }: { route: Route }): JSX.Element {
  if (page === 'read') return <ReadPage read={read} />
  if (page === 'template') return <TemplatePage analyse={analyse} />
  if (page === 'health') return <HealthPage />
  return (
    <main class={id === undefined ? 'panes' : 'panes has-exchange'}>
      <ListPane shownId={id} />
      {id === undefined ? (
        <p class="hint">Select an exchange to see the request, the model's raw text, and the result.</p>
      ) : (
        <Exchange key={id} id={id} tab={tab} />
      )}
    </main>
  )
}

function KeyForm(): JSX.Element {
  const [key, setKey] = useState('')
  return (
    <main class="tool-page">
      <h1>This gateway's records need a key</h1>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault()
          keepKey(key)
          void reload()
        }}
      >
        <label>
          <span>Key (records.adminKey)</span>
          <input
            type="password"
            autocomplete="off"
            value={key}
            onInput={({ currentTarget }) => setKey(currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={key === ''}>
          Open
        </button>
      </form>
    </main>
  )
}
