import {
  type CompleteCall,
  type FinishEvent,
  isJsonObject,
  isRefusal,
  type JsonObject,
  type Reply,
  type ReplyEvent,
  type ReplyPart,
  type SaidReasoning,
} from '../conversation/index.ts'
import { nestsDeeper } from '../json/index.ts'
import { BegunCalls, callAsText, settledParts } from './begun-calls.ts'

/** The depth after which arguments cannot be written as part of a reply. */
const deepestArguments = 200

/** Parses the arguments of a call to an object. Missing arguments are an empty object, as clients read them in a stream. */
export function parseArguments(json: string): JsonObject | undefined {
  if (json === '') return {}
  try {
    const value: unknown = JSON.parse(json)
    return isJsonObject(value) && !nestsDeeper(value, deepestArguments) ? value : undefined
  } catch {
    return undefined
  }
}

/** A part of a reply in an API that sends calls whole. */
export type WholePart =
  | { type: 'text'; text: string; refusal?: true }
  | SaidReasoning
  | { type: 'call'; id: string; name: string; arguments: JsonObject }

type TextPart = Exclude<WholePart, { type: 'call' }>

/** Returns the parts of a reply as a stream of whole calls would give them: a call that broke off is text. */
export function wholeParts({ parts }: Pick<Reply, 'parts'>): WholePart[] {
  const whole: WholePart[] = []
  for (const part of settledParts(parts)) addPart(whole, toWhole(part))
  return whole
}

/** True if a call of the reply broke off. */
export function hasBrokenCall({ parts }: Pick<Reply, 'parts'>): boolean {
  return parts.some((part) => part.type === 'call' && !part.complete)
}

/** Adds a part. Text next to text of its kind is joined, as readers of a stream join it, and empty text is left out. */
function addPart(parts: WholePart[], part: WholePart): void {
  if (part.type === 'call') {
    parts.push(part)
    return
  }
  if (isNothing(part)) return
  const last = parts.at(-1)
  if (last?.type === part.type && isRefusal(last) === isRefusal(part) && !isKept(last)) {
    parts[parts.length - 1] = { ...last, ...part, text: last.text + part.text }
  } else parts.push(part)
}

function isNothing(part: TextPart): boolean {
  return part.text === '' && !isKept(part)
}

/** True for reasoning that has an opaque form. */
function isKept(part: WholePart): boolean {
  return part.type === 'reasoning' && part.opaque !== undefined
}

function toWhole(part: ReplyPart): WholePart {
  if (part.type !== 'call') return part
  const json = part.complete ? parseArguments(part.arguments) : undefined
  if (json === undefined) return { type: 'text', text: callAsText(part) }
  return { type: 'call', id: part.id, name: part.name, arguments: json }
}

/** Counts the characters of a part, for an estimate of its tokens. */
export function charactersOf(part: WholePart): number {
  return part.type === 'call' ? part.name.length + JSON.stringify(part.arguments).length : part.text.length
}

interface OpenCall extends Omit<CompleteCall, 'complete'> {
  index: number
  /** The part that it became; undefined while it is written. */
  part?: WholePart
}

/**
 * Gathers the calls of a reply, for APIs whose streams have no pieces of calls. Everything that the reply has after the beginning of a
 * call waits for its end, so that a stream has the order of the whole reply.
 */
export class WholeCalls {
  readonly #begun = new BegunCalls()
  /** Everything from the first call on that is still written. */
  readonly #waiting: (OpenCall | TextPart)[] = []
  readonly #open = new Map<number, OpenCall>()
  #isBroken = false

  /** True if a call broke off. */
  get isBroken(): boolean {
    return this.#isBroken
  }

  /** Returns the parts that can be sent; the finish comes after all of them. */
  pass(events: readonly ReplyEvent[]): (WholePart | FinishEvent)[] {
    const sent: (WholePart | FinishEvent)[] = []
    for (const event of events) if (event.type === 'call-end' && !event.complete) this.#isBroken = true
    for (const event of this.#begun.pass(events)) this.#take(event, sent)
    return sent
  }

  #take(event: ReplyEvent, sent: (WholePart | FinishEvent)[]): void {
    switch (event.type) {
      case 'text':
      case 'reasoning':
        if (isNothing(event)) return
        if (this.#waiting.length === 0) sent.push(event)
        else this.#waiting.push(event)
        return
      case 'call-start': {
        const { index, id, name } = event
        const call: OpenCall = { type: 'call', index, id, name, arguments: '' }
        this.#open.set(index, call)
        this.#waiting.push(call)
        return
      }
      case 'call-arguments': {
        const call = this.#open.get(event.index)
        if (call) call.arguments += event.json
        return
      }
      case 'call-end':
        this.#end(event.index, event.complete)
        sent.push(...this.#released())
        return
      case 'finish':
        for (const index of [...this.#open.keys()]) {
          this.#isBroken = true
          this.#end(index, false)
        }
        sent.push(...this.#released(), event)
        return
      case 'notice':
        return
    }
  }

  #end(index: number, complete: boolean): void {
    const call = this.#open.get(index)
    if (!call) return
    this.#open.delete(index)
    call.part = toWhole({ type: 'call', id: call.id, name: call.name, arguments: call.arguments, complete })
  }

  /** Returns the parts that no longer wait. */
  #released(): WholePart[] {
    let count = 0
    const parts: WholePart[] = []
    for (const one of this.#waiting) {
      const part = one.type === 'call' ? one.part : one
      if (!part) break
      parts.push(part)
      count++
    }
    this.#waiting.splice(0, count)
    return parts
  }
}
