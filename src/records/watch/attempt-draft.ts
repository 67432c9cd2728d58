import type { GenerationEvent, GenerationRequest, UpstreamEvent } from '../../upstreams/index.ts'
import type { AttemptCause, AttemptRecord, ReadingRecord, Span, UpstreamRequest } from '../record/exchange.ts'
import { PiecedText } from '../record/timed-text.ts'
import type { CharacterBudget } from './character-budget.ts'

type Event<Type extends GenerationEvent['type']> = Extract<GenerationEvent, { type: Type }>

/** A request whose body is written once the exchange is over. */
interface AskedRequest {
  ms: number
  request: GenerationRequest
  sent?: { url: string; body: Event<'body'>['body'] }
}

interface DraftCall {
  id?: string
  name?: string
  arguments: PiecedText
}

/** Collects the events of one attempt. */
export class AttemptDraft {
  readonly #start: Event<'attempt'>
  readonly #cause: AttemptCause | undefined
  readonly #startMs: number
  readonly #budget: CharacterBudget
  readonly #requests: AskedRequest[] = []
  readonly #text = new PiecedText()
  readonly #reasoning = new PiecedText()
  readonly #calls = new Map<number, DraftCall>()
  readonly #spans: Span[] = []
  #firstMs: number | undefined
  #endMs: number | undefined
  #outcome: Pick<AttemptRecord, 'usage' | 'finish' | 'error'> = {}

  constructor(start: Event<'attempt'>, cause: AttemptCause | undefined, startMs: number, budget: CharacterBudget) {
    this.#start = start
    this.#cause = cause
    this.#startMs = startMs
    this.#budget = budget
  }

  asked(ms: number, { request }: Event<'asked'>): void {
    this.#requests.push({ ms, request })
  }

  sent({ url, body }: Event<'body'>): void {
    const last = this.#requests.at(-1)
    // A repeated request may leave fields out, which the log reports; the record keeps the last body, which the upstream answered.
    if (last) last.sent = { url, body }
  }

  pieces(ms: number, events: readonly UpstreamEvent[]): void {
    this.#firstMs ??= ms
    for (const event of events) this.#add(ms, event)
  }

  /** Spans are contiguous: a stretch that continues the role of the one before it makes that longer. */
  span({ role, start, end }: Event<'span'>): void {
    const last = this.#spans.at(-1)
    if (last?.role === role && last.end === start) last.end = end
    else if (this.#budget.take('spans', 16)) this.#spans.push({ role, start, end })
  }

  end(ms: number, { error }: Event<'attempt-end'>): void {
    this.#endMs = ms
    if (error) this.#outcome.error = error
  }

  /** `budget` bounds the bodies of its requests. */
  record(budget: CharacterBudget): AttemptRecord {
    const { upstream, model, plan, reading } = this.#start
    const length = this.#text.length
    return {
      ...(this.#cause && { cause: this.#cause }),
      upstream,
      model,
      plan,
      reading: reading as ReadingRecord,
      startMs: this.#startMs,
      ...(this.#firstMs !== undefined && { firstMs: this.#firstMs }),
      ...(this.#endMs !== undefined && { endMs: this.#endMs }),
      requests: this.#requests.map((asked) => requestOf(asked, budget)),
      text: this.#text.timed,
      spans: this.#spans.filter(({ start }) => start < length),
      reasoning: this.#reasoning.timed,
      calls: [...this.#calls].map(([index, { arguments: json, ...call }]) => ({
        index,
        ...call,
        arguments: json.timed,
      })),
      ...this.#outcome,
    }
  }

  #add(ms: number, event: UpstreamEvent): void {
    switch (event.type) {
      case 'text':
        this.#text.push(ms, this.#budget.fit('attempt.text', event.text))
        return
      case 'reasoning':
        this.#reasoning.push(ms, this.#budget.fit('attempt.reasoning', event.text))
        return
      case 'call': {
        const call = this.#calls.get(event.index) ?? { arguments: new PiecedText() }
        this.#calls.set(event.index, call)
        if (event.id !== undefined) call.id = event.id
        if (event.name !== undefined) call.name = event.name
        call.arguments.push(ms, this.#budget.fit('attempt.calls', event.arguments ?? ''))
        return
      }
      case 'usage':
        this.#outcome.usage = { ...this.#outcome.usage, ...event.usage }
        return
      case 'finish':
        this.#outcome.finish = event.reason
    }
  }
}

function requestOf({ ms, request, sent }: AskedRequest, budget: CharacterBudget): UpstreamRequest {
  const body = sent ? textOf(sent.body) : JSON.stringify(request)
  return {
    ms,
    type: request.type,
    ...(sent && { url: withoutQuery(sent.url) }),
    body: budget.fit('requests.body', body),
    ...(request.type === 'prompt' && request.constraint && { constraint: request.constraint.type }),
  }
}

function textOf(body: Event<'body'>['body']): string {
  if (typeof body === 'string') return body
  const decoder = new TextDecoder()
  return body.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode()
}

/** Some servers take their key in the query. */
function withoutQuery(url: string): string {
  return url.split('?', 1)[0] ?? ''
}
