import { Store, useStore } from './store.ts'

/** The part of the page that is shown, as the address has it after `#/`. */
export interface Route {
  page: 'exchanges' | 'read' | 'template' | 'health'
  id?: string
  tab?: string
}

const pages: readonly Route['page'][] = ['exchanges', 'read', 'template', 'health']

/** Reads an address: `#/exchanges/ID/TAB`. What it does not know is the list. */
export function routeOf(hash: string): Route {
  const [name, id, tab] = hash.replace(/^#\/?/, '').split('/').map(decoded)
  const page = pages.find((one) => one === name) ?? 'exchanges'
  if (page !== 'exchanges' || !id) return { page }
  return { page, id, ...(tab && { tab }) }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // No address that this page wrote.
    return part
  }
}

/** Returns the address of a route. */
export function hashOf({ page, id, tab }: Route): string {
  const parts = [page, id, tab].filter((part) => part !== undefined)
  return `#/${parts.map(encodeURIComponent).join('/')}`
}

const route = new Store<Route>(routeOf(location.hash))
addEventListener('hashchange', () => route.set(routeOf(location.hash)))

export function useRoute(): Route {
  return useStore(route)
}

/** Shows another part of the page. `replace` leaves no step to go back to. */
export function go(to: Route, { replace = false } = {}): void {
  if (!replace) location.hash = hashOf(to)
  else {
    history.replaceState(null, '', hashOf(to))
    route.set(to)
  }
}

export function currentRoute(): Route {
  return route.value
}
