import type { ComponentChildren, JSX } from 'preact'
import { useRef } from 'preact/hooks'

interface TabsProps {
  label: string
  tabs: readonly { id: string; name: string }[]
  current: string
  onPick(id: string): void
  children: ComponentChildren
}

/** Tabs that the arrow keys move through. */
export function Tabs({ label, tabs, current, onPick, children }: TabsProps): JSX.Element {
  const bar = useRef<HTMLDivElement>(null)
  function onKeyDown(event: KeyboardEvent): void {
    const index = tabs.findIndex(({ id }) => id === current)
    const places: Record<string, number> = {
      ArrowLeft: index - 1,
      ArrowRight: index + 1,
      Home: 0,
      End: tabs.length - 1,
    }
    const wanted = places[event.key]
    if (wanted === undefined) return
    event.preventDefault()
    const next = tabs[(wanted + tabs.length) % tabs.length]
    if (!next) return
    onPick(next.id)
    bar.current?.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus()
  }
  return (
    <>
      <div ref={bar} class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map(({ id, name }) => (
          <button
            key={id}
            id={`tab-${id}`}
            type="button"
            role="tab"
            aria-selected={id === current}
            aria-controls="tab-panel"
            tabIndex={id === current ? 0 : -1}
            onClick={() => onPick(id)}
          >
            {name}
          </button>
        ))}
      </div>
      <div class="tab-panel" id="tab-panel" role="tabpanel" aria-labelledby={`tab-${current}`}>
        {children}
      </div>
    </>
  )
}
