import type { LiveEvent } from '../record/live.ts'

export type LiveListener = (event: LiveEvent) => void

/** The events of running exchanges, for those who watch. Nothing is made for nobody. */
export class LiveFeed {
  readonly #listeners = new Set<LiveListener>()

  get isWatched(): boolean {
    return this.#listeners.size > 0
  }

  /** Adds a listener; the returned function removes it. */
  watch(listener: LiveListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** `make` is called only if somebody watches. */
  emit(make: () => LiveEvent): void {
    if (this.#listeners.size === 0) return
    const event = make()
    for (const listener of this.#listeners) listener(event)
  }
}
