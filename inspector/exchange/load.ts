import { useEffect, useState } from 'preact/hooks'
import type { ExchangeView } from '../../src/records/api/types.ts'
import { askJson } from '../api/client.ts'
import { onConnected, onLive } from '../api/live.ts'
import { sentenceOf } from '../parts/problem.tsx'

export interface Loaded {
  view?: ExchangeView
  problem?: string
}

/** The time after which a running exchange is read again; four times as long as reading it took, if that is longer. */
const refreshMs = 250

/** Loads an exchange, and again while it grows. */
export function useExchange(id: string): Loaded {
  const [loaded, setLoaded] = useState<Loaded & { id?: string }>({})
  useEffect(() => {
    let isOver = false
    let isAsking = false
    let isStale = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const load = async (): Promise<void> => {
      timer = undefined
      isAsking = true
      isStale = false
      const begun = performance.now()
      let now: Loaded
      try {
        now = { view: await askJson<ExchangeView>(`exchanges/${encodeURIComponent(id)}`) }
      } catch (error) {
        now = { problem: sentenceOf(error) }
      }
      if (isOver) return
      isAsking = false
      setLoaded((old) => (now.view || !old.view || old.id !== id ? { ...now, id } : { ...old, ...now }))
      if (isStale) later(Math.max(refreshMs, 4 * (performance.now() - begun)))
    }
    const later = (ms: number): void => {
      isStale = true
      if (!isAsking) timer ??= setTimeout(() => void load(), ms)
    }
    void load()
    const stops = [
      onConnected(() => later(0)),
      onLive((events) => {
        if (events.some((event) => ('id' in event ? event.id : 'exchange' in event && event.exchange.id) === id))
          later(refreshMs)
      }),
    ]
    return () => {
      isOver = true
      clearTimeout(timer)
      for (const stop of stops) stop()
    }
  }, [id])
  return loaded.id === id ? loaded : {}
}
