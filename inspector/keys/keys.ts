import { currentRoute, go } from '../parts/route.ts'
import { Store } from '../parts/store.ts'
import { cursor, moveCursor, openRow } from './cursor.ts'

export const isHelpOpen = new Store(false)

/** The keys of the page, for its help and for the handler. */
export const keys: readonly { key: string; shown: string; does: string; run(): void }[] = [
  { key: 'j', shown: 'j', does: 'next exchange', run: () => moveCursor(1) },
  { key: 'k', shown: 'k', does: 'exchange before', run: () => moveCursor(-1) },
  { key: 'Enter', shown: 'Enter', does: 'open it', run: () => cursor.value !== undefined && openRow(cursor.value) },
  { key: '/', shown: '/', does: 'search', run: focusSearch },
  { key: 'Escape', shown: 'Esc', does: 'leave a field; close the exchange', run: () => go({ page: 'exchanges' }) },
  { key: '?', shown: '?', does: 'this help', run: () => isHelpOpen.set(true) },
]

/** Follows the keyboard. Keys that a control takes are left to it. */
export function startKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isInDialog()) return
    const { target } = event
    if (target instanceof HTMLElement && takesKeys(target)) {
      if (event.key === 'Escape') target.blur()
      return
    }
    if (event.key === 'Enter' && target instanceof HTMLElement && target.matches('button, a, summary')) return
    const arrows: Record<string, string> = { ArrowDown: 'j', ArrowUp: 'k' }
    const isInList = target instanceof HTMLElement && target.matches('.rows')
    const wanted = isInList ? (arrows[event.key] ?? event.key) : event.key
    const found = keys.find(({ key }) => key === wanted)
    if (!found) return
    event.preventDefault()
    found.run()
  })
}

function takesKeys(element: HTMLElement): boolean {
  return element.matches('input, textarea, select') || element.isContentEditable
}

/** The element tells it: a dialog is closed before its `close` event comes, and a key in between is meant for the page. */
function isInDialog(): boolean {
  return document.querySelector('dialog[open]') !== null
}

function focusSearch(): void {
  if (currentRoute().page !== 'exchanges') go({ page: 'exchanges' })
  const search = document.getElementById('search')
  // Later, the first letters that are typed would be lost; without the list there is no field yet.
  if (search) search.focus()
  else setTimeout(() => document.getElementById('search')?.focus(), 0)
}
