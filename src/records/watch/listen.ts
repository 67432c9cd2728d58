import { ReplyCollector, type ReplyEvent } from '../../conversation/index.ts'
import type { ExchangeEvent, ExchangeListener, ExchangeStart, GatewayHooks } from './hooks.ts'

/** A listener of an exchange, and the events that it needs. */
export interface Observer {
  onEvent: ExchangeListener
  /** True if it needs the request's body: the events `received`. */
  needsBody: boolean
  /** True if it needs to know of each text: the events `span`, and each `sent`. Without them, only the first `sent` is reported. */
  needsTexts: boolean
}

/** Begins to observe an exchange; undefined if nobody listens. */
export type ObserverSource = (exchange: ExchangeStart) => Observer | undefined

/** Hooks of the gateway's own. */
export interface OwnHooks extends GatewayHooks {
  /** Called in place of `onExchange`: its listener says which events it needs, which cost time with each piece of a reply. */
  observeExchange?: ObserverSource
}

/**
 * Returns one source of observers for all hooks; undefined if there are no hooks, so that no events are made. `failed` receives
 * the errors that hooks throw.
 */
export function observersOf(hooks: readonly OwnHooks[], failed: (error: unknown) => void): ObserverSource | undefined {
  const sources = hooks.flatMap((one) => [
    ...(one.observeExchange || one.onExchange ? [own(one)] : []),
    ...(isOfReplies(one) ? [ofReplies(one)] : []),
  ])
  if (sources.length === 0) return undefined
  return (exchange) => {
    const observers = sources.flatMap((source) => {
      try {
        return source(exchange) ?? []
      } catch (error) {
        failed(error)
        return []
      }
    })
    return joined(observers.map((observer) => guarded(observer, failed)))
  }
}

/** Returns one observer for several; undefined for none. */
export function joined(observers: readonly Observer[]): Observer | undefined {
  const [only, another] = observers
  if (!another) return only
  return {
    needsBody: observers.some(({ needsBody }) => needsBody),
    needsTexts: observers.some(({ needsTexts }) => needsTexts),
    onEvent: (event) => {
      for (const { onEvent } of observers) onEvent(event)
    },
  }
}

function guarded({ onEvent, ...needs }: Observer, failed: (error: unknown) => void): Observer {
  return {
    ...needs,
    onEvent: (event) => {
      try {
        onEvent(event)
      } catch (error) {
        failed(error)
      }
    },
  }
}

function own(hooks: OwnHooks): ObserverSource {
  return (exchange) => {
    if (hooks.observeExchange) return hooks.observeExchange(exchange)
    const onEvent = hooks.onExchange?.(exchange)
    return onEvent && { onEvent, needsBody: true, needsTexts: true }
  }
}

function isOfReplies({ onReply, onCall, onNotice }: GatewayHooks): boolean {
  return onReply !== undefined || onCall !== undefined || onNotice !== undefined
}

/** Turns the events of an exchange into replies, calls and notices. */
function ofReplies(hooks: GatewayHooks): ObserverSource {
  return ({ id: exchange }) => {
    const collector = new ReplyCollector()
    /** The position of each call in the reply, by the index in its events. */
    const places = new Map<number, number>()
    let model = ''
    const saw = (events: readonly ReplyEvent[]): void => {
      for (const event of events) {
        if (event.type === 'call-start') places.set(event.index, collector.parts.length)
        collector.push([event])
        if (event.type === 'notice') hooks.onNotice?.({ exchange, notice: event.notice })
        if (event.type !== 'call-end') continue
        const call = collector.parts[places.get(event.index) ?? -1]
        if (call?.type === 'call') hooks.onCall?.({ exchange, model, call })
      }
    }
    const onEvent = (event: ExchangeEvent): void => {
      if (event.type === 'decoded') model = event.conversation.model
      else if (event.type === 'notice') hooks.onNotice?.({ exchange, notice: event.notice })
      else if (event.type === 'reply') saw(event.events)
      else if (event.type === 'end' && (collector.parts.length > 0 || collector.finish))
        hooks.onReply?.({ exchange, model, reply: collector.reply })
    }
    return { onEvent, needsBody: false, needsTexts: false }
  }
}
