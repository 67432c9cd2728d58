import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

interface VirtualListProps<Item> {
  label: string
  items: readonly Item[]
  keyOf(item: Item): string
  /** The height of every row in pixels. */
  rowHeight: number
  /** The index of the row that the keyboard is at; -1: of none. */
  current: number
  row(item: Item): ComponentChildren
  onPick(item: Item): void
  /** Called when the end comes into view. */
  onEnd?(): void
}

/** The number of rows rendered above and below the visible ones. */
const overscan = 8

/** A list of any length, of which only the rows in view are made. */
export function VirtualList<Item>(props: VirtualListProps<Item>): JSX.Element {
  const { label, items, keyOf, rowHeight, current, row, onPick, onEnd } = props
  const box = useRef<HTMLDivElement>(null)
  const [{ top, height }, setView] = useState({ top: 0, height: 800 })
  const measure = (): void => {
    const { scrollTop, clientHeight } = box.current ?? { scrollTop: 0, clientHeight: 800 }
    setView((old) =>
      old.top === scrollTop && old.height === clientHeight ? old : { top: scrollTop, height: clientHeight },
    )
  }
  useLayoutEffect(measure, [])
  useEffect(() => {
    addEventListener('resize', measure)
    return () => removeEventListener('resize', measure)
  }, [])
  useEffect(() => {
    const element = box.current
    if (!element || current < 0) return
    const start = current * rowHeight
    if (start < element.scrollTop) element.scrollTop = start
    else if (start + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = start + rowHeight - element.clientHeight
  }, [current, rowHeight])
  const first = Math.max(0, Math.floor(top / rowHeight) - overscan)
  const last = Math.min(items.length, Math.ceil((top + height) / rowHeight) + overscan)
  useEffect(() => {
    if (last >= items.length) onEnd?.()
  }, [last, items.length, onEnd])
  const active = items[current]
  return (
    <div
      ref={box}
      class="rows"
      role="listbox"
      aria-label={label}
      tabIndex={0}
      onScroll={measure}
      {...(active && current >= first && current < last && { 'aria-activedescendant': `row-${keyOf(active)}` })}
    >
      <div class="all-rows" role="presentation" style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(first, last).map((item, index) => (
          // The keyboard is handled by the page: j, k and Enter.
          // biome-ignore lint/a11y/useKeyWithClickEvents: see above
          // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus
          <div
            key={keyOf(item)}
            id={`row-${keyOf(item)}`}
            class={first + index === current ? 'row current' : 'row'}
            role="option"
            aria-selected={first + index === current}
            aria-setsize={items.length}
            aria-posinset={first + index + 1}
            style={{ top: `${(first + index) * rowHeight}px`, height: `${rowHeight}px` }}
            onClick={() => onPick(item)}
          >
            {row(item)}
          </div>
        ))}
      </div>
    </div>
  )
}
