import {
  type Attributes,
  type Context,
  context,
  isSpanContextValid,
  propagation,
  type Span,
  SpanKind,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { ReplyEvent } from '../../conversation/index.ts'
import type { ExchangeEvent, ExchangeStart, Observer } from '../../records/index.ts'
import type { TraceHeaders } from '../../upstreams/index.ts'
import type { GatewayRequest } from '../http/http.ts'
import { AttemptSpan } from './attempt-span.ts'
import { endSpan, outcomeOf } from './outcome.ts'
import { passedTraceHeaders } from './passed-headers.ts'

/** The version of OpenTelemetry's semantic conventions that names attributes and spans. */
const schemaUrl = 'https://opentelemetry.io/schemas/1.41.0'

/**
 * Returns the tracer of the SDK that the program has registered; without one, a tracer whose spans are nothing. Asked for with each request,
 * as a program may register its SDK after the gateway was made, and with another copy of the API.
 */
function currentTracer(): Tracer {
  return trace.getTracerProvider().getTracer('anycall', undefined, { schemaUrl })
}

/** The part that a request takes in traces. */
export interface Traced {
  /** The headers of requests to upstreams; absent if the client sent none and nothing is traced. */
  headers?: TraceHeaders
  /** Absent if the exchange has no span that is kept. */
  observer?: Observer
}

/**
 * Begins the span of an exchange, if the program has an SDK of OpenTelemetry. Otherwise, and for requests that are no exchange (without
 * `start`), the client's trace headers are passed on.
 */
export function traceRequest(request: Pick<GatewayRequest, 'header'>, start: ExchangeStart | undefined): Traced {
  return start ? traceExchange(start) : passed(request)
}

function passed(request: Pick<GatewayRequest, 'header'>): Traced {
  const headers = passedTraceHeaders(request)
  return headers ? { headers } : {}
}

function traceExchange(start: ExchangeStart): Traced {
  const active = context.active()
  const isInside = trace.getSpan(active) !== undefined
  const parent = isInside ? active : propagation.extract(active, start.header, headerGetter)
  const kind = isInside ? SpanKind.INTERNAL : SpanKind.SERVER
  const tracer = currentTracer()
  const span = tracer.startSpan('chat', { kind, attributes: attributesOf(start) }, parent)
  if (!isSpanContextValid(span.spanContext())) return passed(start)
  const exchange = new ExchangeSpan(tracer, span, trace.setSpan(parent, span))
  const headers: TraceHeaders = (attempt) => exchange.headers(attempt)
  return span.isRecording()
    ? { headers, observer: { onEvent: (event) => exchange.onEvent(event), needsBody: false, needsTexts: false } }
    : { headers }
}

const headerGetter = {
  get: (header: ExchangeStart['header'], name: string) => header(name.toLowerCase()),
  // Propagators look for names that they know.
  keys: () => [],
}

function attributesOf({ id, method, path }: ExchangeStart): Attributes {
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'anycall',
    'http.request.method': method,
    'url.path': path.slice(0, 200),
    'anycall.request.id': id,
  }
}

/** The span of an exchange, and those of its attempts. */
class ExchangeSpan {
  readonly #tracer: Tracer
  readonly #span: Span
  readonly #context: Context
  readonly #attempts: AttemptSpan[] = []
  #candidate = { upstream: '', type: '', model: '' }
  #finish: Extract<ReplyEvent, { type: 'finish' }> | undefined

  constructor(tracer: Tracer, span: Span, own: Context) {
    this.#tracer = tracer
    this.#span = span
    this.#context = own
  }

  headers(attempt: number | undefined): Record<string, string> {
    const headers: Record<string, string> = {}
    const parent = attempt === undefined ? undefined : this.#attempts[attempt]?.context
    propagation.inject(parent ?? this.#context, headers)
    return headers
  }

  onEvent(event: ExchangeEvent): void {
    switch (event.type) {
      case 'decoded': {
        const { model } = event.conversation
        this.#span.setAttributes({ 'gen_ai.request.model': model.slice(0, 200), 'anycall.protocol': event.protocol })
        return
      }
      case 'candidate':
        this.#candidate = { upstream: event.upstream, type: event.upstreamType, model: event.model.slice(0, 200) }
        this.#span.updateName(`chat ${event.configured}`)
        return
      case 'plan':
        this.#span.setAttributes({ 'anycall.upstream': event.upstream, 'anycall.plan': event.plan })
        return
      case 'attempt': {
        const { plan, reading } = event
        const attempt = new AttemptSpan(this.#tracer, this.#context, {
          ...this.#candidate,
          plan,
          dialect: reading.dialect,
        })
        this.#attempts[event.attempt] = attempt
        return
      }
      case 'body':
        this.#attempts[event.attempt]?.sent(event.url)
        return
      case 'pieces':
        this.#attempts[event.attempt]?.pieces(event.events)
        return
      case 'attempt-end':
        this.#attempts[event.attempt]?.end(event.error?.code)
        return
      case 'log':
        if (event.level !== 'debug') this.#span.addEvent(event.event)
        return
      case 'reply':
        for (const one of event.events) if (one.type === 'finish') this.#finish = one
        return
      case 'end':
        this.#end(event)
    }
  }

  #end({ status, error }: Extract<ExchangeEvent, { type: 'end' }>): void {
    // A reply that is not read to its end leaves its attempt open.
    for (const attempt of this.#attempts) attempt.end(error?.code)
    this.#span.setAttributes({ 'http.response.status_code': status, ...outcomeOf(this.#finish ?? {}) })
    endSpan(this.#span, error?.code)
  }
}
