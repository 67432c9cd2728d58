import { ReplyCollector, type ReplyEvent } from '../../conversation/index.ts'
import type { ExchangeEvent, ExchangeListener, ExchangeStart, GatewayHooks } from './hooks.ts'

/** Begins to follow an exchange; undefined if nobody listens. */
export type ListenerSource = (exchange: ExchangeStart) => ExchangeListener | undefined

/**
 * Returns one source of listeners for all hooks; undefined if there are no hooks, so that no events are made. `failed` receives
 * the errors that hooks throw.
 */
export function listenersOf(
  hooks: readonly GatewayHooks[],
  failed: (error: unknown) => void,
): ListenerSource | undefined {
  const sources = hooks.flatMap((one) => [
    ...(one.onExchange ? [own(one)] : []),
    ...(isOfReplies(one) ? [ofReplies(one)] : []),
  ])
  if (sources.length === 0) return undefined
  const guarded = <Result>(run: () => Result): Result | undefined => {
    try {
      return run()
    } catch (error) {
      failed(error)
      return undefined
    }
  }
  return (exchange) => {
    const listeners = sources.flatMap((source) => guarded(() => source(exchange)) ?? [])
    if (listeners.length === 0) return undefined
    return (event) => {
      for (const listener of listeners) guarded(() => listener(event))
    }
  }
}

/** Returns a listener that tells both. */
export function both(
  one: ExchangeListener | undefined,
  other: ExchangeListener | undefined,
): ExchangeListener | undefined {
  if (!one || !other) return one ?? other
  return (event) => {
    one(event)
    other(event)
  }
}

function own(hooks: GatewayHooks): ListenerSource {
  return (exchange) => hooks.onExchange?.(exchange) ?? undefined
}

function isOfReplies({ onReply, onCall, onNotice }: GatewayHooks): boolean {
  return onReply !== undefined || onCall !== undefined || onNotice !== undefined
}

/** Turns the events of an exchange into replies, calls and notices. */
function ofReplies(hooks: GatewayHooks): ListenerSource {
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
    return (event: ExchangeEvent) => {
      if (event.type === 'decoded') model = event.conversation.model
      else if (event.type === 'notice') hooks.onNotice?.({ exchange, notice: event.notice })
      else if (event.type === 'reply') saw(event.events)
      else if (event.type === 'end' && (collector.parts.length > 0 || collector.finish))
        hooks.onReply?.({ exchange, model, reply: collector.reply })
    }
  }
}
