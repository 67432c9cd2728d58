import { feed } from '../list/feed.ts'
import { currentRoute, go } from '../parts/route.ts'
import { Store } from '../parts/store.ts'

/** The id of the row that the keyboard is at. */
export const cursor = new Store<string | undefined>(undefined)

export function openRow(id: string): void {
  cursor.set(id)
  const { tab } = currentRoute()
  go({ page: 'exchanges', id, ...(tab !== undefined && { tab }) })
}

/** Moves to another row; `by` is a number of rows. */
export function moveCursor(by: number): void {
  const { rows } = feed.value
  const from = rows.findIndex(({ id }) => id === (cursor.value ?? currentRoute().id))
  const to = rows[from < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, from + by))]
  if (to) cursor.set(to.id)
}
