import {
  type AnycallError,
  type FinishEvent,
  type JsonObject,
  newId,
  type ReplyEvent,
} from '../../conversation/index.ts'
import { BegunCalls, callAsText } from '../begun-calls.ts'
import type { StreamEncoder } from '../protocol.ts'
import { envelopeText } from '../sealed-reasoning.ts'
import { createCompactionEncoder } from './compaction-reply.ts'
import type { Sealing } from './decode.ts'
import { ResponseEvents } from './events.ts'
import { failureEvents } from './failure.ts'
import {
  builtInCallItem,
  type CallOfItem,
  formOf,
  isWritten,
  itemIds,
  type MessageForm,
  reasoningItem,
} from './items/items.ts'
import { OpenCall, type OpenItem, OpenMessage, OpenReasoning } from './items/open-items.ts'
import { finishedState, isCut, type ResponsesContext, responseOf, secondsNow } from './response.ts'
import { encodeUsage } from './usage.ts'

type CallStart = Extract<ReplyEvent, { type: 'call-start' }>

export function createEncoder(context: ResponsesContext): StreamEncoder {
  return context.options.compaction
    ? createCompactionEncoder(context, context.options.compaction)
    : new ResponseEncoder(context)
}

/** A call whose item is made when all of it was written. */
interface GatheredCall {
  call: CallOfItem
  name: string
  json: string
}

/** Writes one reply as the events of a response. */
class ResponseEncoder implements StreamEncoder {
  readonly #context: ResponsesContext
  readonly #begun = new BegunCalls()
  readonly #events: ResponseEvents
  /** All items, in their order; those that are still written, too. */
  readonly #items: OpenItem[] = []
  /** The text or reasoning that is being written. */
  #open: OpenMessage | OpenReasoning | undefined
  readonly #calls = new Map<number, OpenCall | GatheredCall>()
  /** The envelope of the open reasoning, made before it ends. */
  #sealed: string | undefined
  #characters = 0
  #ended = false
  /** The response is being kept: the client learns of its end when it can refer to it. */
  #keeping: Promise<void> | undefined

  constructor(context: ResponsesContext) {
    this.#context = context
    this.#events = new ResponseEvents(context)
  }

  start(): string {
    return this.#events.start()
  }

  encode(events: readonly ReplyEvent[]): string | Promise<string> {
    const begun = this.#begun.pass(events)
    const { sealing } = this.#context.options
    if (sealing && (sealing.isIncluded || begun.some(isOpaque))) return this.#encodeSealing(begun, sealing)
    let out = ''
    for (const event of begun) out += this.#encode(event)
    return this.#keeping ? this.#keeping.then(() => out) : out
  }

  /** A comment, which every reader of server-sent events skips; the API has no ping. */
  ping(): string {
    return ': ping\n\n'
  }

  fail(error: AnycallError): string {
    if (this.#ended) return ''
    this.#ended = true
    const output = this.#items.filter((one) => one !== this.#open && !this.#isOpenCall(one)).map(({ item }) => item)
    return failureEvents(this.#events, error, output)
  }

  async #encodeSealing(events: readonly ReplyEvent[], { seal, isIncluded }: Sealing): Promise<string> {
    let out = ''
    for (const event of events) {
      const open = this.#open
      if (isIncluded && open instanceof OpenReasoning && event.type !== 'reasoning') {
        this.#sealed = await seal(envelopeText([{ type: 'reasoning', text: open.written }]))
      }
      out += this.#encode(event)
      if (event.type === 'reasoning' && event.opaque !== undefined) out += await this.#endReasoning(event.opaque, seal)
    }
    await this.#keeping
    return out
  }

  #encode(event: ReplyEvent): string {
    if (this.#ended) return ''
    switch (event.type) {
      case 'text':
        this.#characters += event.text.length
        return this.#text(event.text, formOf(event))
      case 'reasoning':
        this.#characters += event.text.length
        return this.#reasoning(event.text)
      case 'call-start':
        this.#characters += event.name.length
        return this.#begin(event)
      case 'call-arguments':
        this.#characters += event.json.length
        return this.#arguments(event.index, event.json)
      case 'call-end':
        return this.#endCall(event.index, event.complete)
      case 'notice':
        return ''
      case 'finish':
        return this.#finish(event)
    }
  }

  #text(text: string, form: MessageForm): string {
    if (text === '') return ''
    if (this.#open instanceof OpenMessage && this.#open.form === form) return this.#open.push(text)
    const closed = this.#close()
    const message = new OpenMessage(this.#events, this.#items.length, newId(itemIds.message), form)
    this.#open = message
    this.#items.push(message)
    return closed + message.begin() + message.push(text)
  }

  #reasoning(text: string): string {
    if (text === '') return ''
    if (this.#open instanceof OpenReasoning) return this.#open.push(text)
    const closed = this.#close()
    const { reasoningForm } = this.#context.options
    const reasoning = new OpenReasoning(this.#events, this.#items.length, newId(itemIds.reasoning), reasoningForm)
    this.#open = reasoning
    this.#items.push(reasoning)
    return closed + reasoning.begin() + reasoning.push(text)
  }

  /** Ends reasoning with an opaque form, which is a separate item even without text. */
  async #endReasoning(opaque: string, seal: Sealing['seal']): Promise<string> {
    if (this.#ended) return ''
    const open = this.#open
    const text = open instanceof OpenReasoning ? open.written : ''
    const sealed = await seal(envelopeText([{ type: 'reasoning', text, opaque }]))
    if (open instanceof OpenReasoning) {
      this.#sealed = sealed
      return this.#close()
    }
    const closed = this.#close()
    const id = newId(itemIds.reasoning)
    const { reasoningForm } = this.#context.options
    const item = reasoningItem(id, reasoningForm, undefined, sealed)
    const written = this.#events.whole(this.#items.length, item, reasoningItem(id, reasoningForm))
    this.#items.push(wholeItem(item))
    return closed + written
  }

  #begin({ index, id, name }: CallStart): string {
    const tool = this.#context.options.tools.declaredAs(name)
    const call: CallOfItem = { id: newId(itemIds[tool.kind]), callId: id, tool }
    if (!isWritten(tool)) {
      this.#calls.set(index, { call, name, json: '' })
      return ''
    }
    const closed = this.#close()
    const open = new OpenCall(this.#events, this.#items.length, call)
    this.#calls.set(index, open)
    this.#items.push(open)
    return closed + open.begin()
  }

  #arguments(index: number, json: string): string {
    const call = this.#calls.get(index)
    if (call instanceof OpenCall) return call.push(json)
    if (call) call.json += json
    return ''
  }

  #endCall(index: number, complete: boolean): string {
    const call = this.#calls.get(index)
    this.#calls.delete(index)
    if (call instanceof OpenCall) return call.end(complete)
    return call ? this.#gathered(call, complete) : ''
  }

  #gathered({ call, name, json }: GatheredCall, complete: boolean): string {
    const item = builtInCallItem(call, { complete, arguments: json })
    if (!item)
      return this.#text(callAsText({ type: 'call', id: call.callId, name, arguments: json, complete: false }), 'text')
    const closed = this.#close()
    const written = this.#events.whole(this.#items.length, item, { ...item, status: 'in_progress' })
    this.#items.push(wholeItem(item))
    return closed + written
  }

  #close(isComplete = true): string {
    const open = this.#open
    this.#open = undefined
    const sealed = this.#sealed
    this.#sealed = undefined
    return open ? open.end(isComplete, open instanceof OpenReasoning ? sealed : undefined) : ''
  }

  #finish(finish: FinishEvent): string {
    const isComplete = !isCut(finish)
    // A text before a call that is still open was not the part that was cut.
    let closed = this.#close(isComplete || this.#calls.size > 0)
    for (const index of [...this.#calls.keys()]) closed += this.#endCall(index, false)
    closed += this.#close(isComplete)
    this.#ended = true
    const usage = encodeUsage(finish.usage, this.#context, this.#characters)
    const output = this.#items.map(({ item }) => item)
    const state = finishedState(finish, output, usage, secondsNow())
    this.#keeping = this.#context.options.made(() => responseOf(this.#context, state)) ?? undefined
    return closed + this.#events.response(`response.${state.status}`, state)
  }

  #isOpenCall(item: OpenItem): boolean {
    for (const call of this.#calls.values()) if (call === item) return true
    return false
  }
}

function isOpaque(event: ReplyEvent): boolean {
  return event.type === 'reasoning' && event.opaque !== undefined
}

/** An item that was made at once. */
function wholeItem(item: JsonObject): OpenItem {
  return { item, begin: () => '', push: () => '', end: () => '' }
}
