import { type Attributes, type Context, type Span, SpanKind, type Tracer, trace } from '@opentelemetry/api'
import type { FinishReason, Usage } from '../../conversation/index.ts'
import type { UpstreamEvent } from '../../upstreams/index.ts'
import { endSpan, outcomeOf } from './outcome.ts'

/** The names that the conventions have for providers, by types of upstreams; other types name themselves. */
const providers: Readonly<Record<string, string>> = { 'openai-chat': 'openai', 'openai-responses': 'openai' }

interface AttemptFacts {
  upstream: string
  /** The type of the upstream. */
  type: string
  /** The model as the upstream names it. */
  model: string
  plan: string
  dialect: string | undefined
}

/** The span of one generation of an upstream. */
export class AttemptSpan {
  /** The context of the requests that the attempt sends. */
  readonly context: Context
  readonly #span: Span
  #hasBegun = false
  #isOver = false
  #reason: FinishReason | undefined
  #usage: Usage = {}

  constructor(tracer: Tracer, parent: Context, { upstream, type, model, plan, dialect }: AttemptFacts) {
    const attributes: Attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': Object.hasOwn(providers, type) ? providers[type] : type,
      'gen_ai.request.model': model,
      'anycall.upstream': upstream,
      'anycall.plan': plan,
      ...(dialect !== undefined && { 'anycall.dialect': dialect }),
    }
    this.#span = tracer.startSpan(`chat ${model}`, { kind: SpanKind.CLIENT, attributes }, parent)
    this.context = trace.setSpan(parent, this.#span)
  }

  /** A request was sent to the address. */
  sent(url: string): void {
    if (!URL.canParse(url)) return
    const { hostname, port, protocol } = new URL(url)
    const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
    this.#span.setAttributes({ 'server.address': hostname, 'server.port': number })
  }

  pieces(events: readonly UpstreamEvent[]): void {
    if (!this.#hasBegun) this.#span.addEvent('first-piece')
    this.#hasBegun = true
    for (const event of events) {
      if (event.type === 'usage') this.#usage = { ...this.#usage, ...event.usage }
      else if (event.type === 'finish') this.#reason = event.reason
    }
  }

  /** Only the first call counts. `error`: the code of the failure. */
  end(error: string | undefined): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#span.setAttributes(outcomeOf({ usage: this.#usage, ...(this.#reason && { reason: this.#reason }) }))
    endSpan(this.#span, error)
  }
}
