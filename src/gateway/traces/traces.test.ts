import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  AlwaysOffSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { expect, onTestFinished, test } from 'vitest'
import type { HttpRequest } from '../../upstreams/index.ts'
import { createGateway } from '../gateway.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const traceparent = `00-${traceId}-b7ad6b7169203331-01`

const good =
  'data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":2}}\n\ndata: [DONE]\n\n'

interface Asked {
  status: number
  requests: HttpRequest[]
}

/** Asks a gateway of two upstreams; the first is `broken`, or answers. */
async function ask(headers: Record<string, string>, broken = false): Promise<Asked> {
  const requests: HttpRequest[] = []
  const gateway = createGateway({
    upstreams: {
      one: { type: 'openai-chat', url: 'http://one.example/v1', retries: 0 },
      two: { type: 'vllm', url: 'http://two.example:8000', retries: 0 },
    },
    models: [{ match: '*', upstream: broken ? ['one', 'two'] : 'one', model: 'qwen', plan: 'prompted' }],
    env: {},
    transport: async (request) => {
      requests.push(request)
      const isBroken = broken && request.url.includes('one.example')
      const text = isBroken ? '{"error":{"message":"broken"}}' : good
      return {
        status: isBroken ? 500 : 200,
        headers: { 'content-type': isBroken ? 'application/json' : 'text/event-stream' },
        body: (async function* () {
          yield new TextEncoder().encode(text)
        })(),
      }
    },
  })
  onTestFinished(() => gateway.close())
  const response = await gateway.fetch(
    new Request('http://127.0.0.1/v1/chat/completions', {
      method: 'POST',
      headers,
      body: JSON.stringify({ model: 'client-name', messages: [{ role: 'user', content: 'Hi' }] }),
    }),
  )
  await response.text()
  await new Promise((resolve) => setTimeout(resolve, 1))
  return { status: response.status, requests }
}

/** Registers an SDK, as a program does. Returns the spans that have ended. */
function register(options: { isSampled?: boolean } = {}): () => ReadableSpan[] {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
    ...(options.isSampled === false && { sampler: new AlwaysOffSampler() }),
  })
  trace.setGlobalTracerProvider(provider)
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  onTestFinished(() => {
    trace.disable()
    propagation.disable()
    context.disable()
  })
  return () => exporter.getFinishedSpans()
}

test.each<[what: string, sent: Record<string, string>, passed: Record<string, string>]>([
  ['a parent and a state', { traceparent, tracestate: 'a=1,b=2' }, { traceparent, tracestate: 'a=1,b=2' }],
  [
    'a parent of a later version',
    { traceparent: `01-${traceId}-b7ad6b7169203331-01-x` },
    { traceparent: `01-${traceId}-b7ad6b7169203331-01-x` },
  ],
  ['nothing', {}, {}],
  ['a state alone', { tracestate: 'a=1' }, {}],
  ['a parent of zeros', { traceparent: `00-${'0'.repeat(32)}-b7ad6b7169203331-01` }, {}],
  ['a parent that is none', { traceparent: 'x' }, {}],
  ['a state without end', { traceparent, tracestate: 'a'.repeat(513) }, { traceparent }],
])('without an SDK, an upstream gets what the client sent: %s', async (_, sent, passed) => {
  const { requests } = await ask(sent)
  expect(requests).toHaveLength(1)
  const { traceparent: parent, tracestate: state } = requests[0]?.headers ?? {}
  expect({
    ...(parent !== undefined && { traceparent: parent }),
    ...(state !== undefined && { tracestate: state }),
  }).toEqual(passed)
})

test("an exchange has a span below its client's, each attempt one below that", async () => {
  const spans = register()
  const { requests } = await ask({ traceparent, tracestate: 'a=1' }, true)
  const [first, second, exchange] = spans()
  expect(spans()).toHaveLength(3)
  expect(exchange).toMatchObject({
    name: 'chat qwen',
    kind: SpanKind.SERVER,
    parentSpanContext: { traceId, spanId: 'b7ad6b7169203331' },
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'client-name',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 7,
      'gen_ai.usage.output_tokens': 2,
      'http.response.status_code': 200,
      'anycall.protocol': 'openai-chat',
      'anycall.upstream': 'two',
    },
    status: { code: SpanStatusCode.UNSET },
  })
  expect(exchange?.events.map(({ name }) => name)).toContain('fail-over')
  const parentSpanContext = { spanId: exchange?.spanContext().spanId }
  expect(first).toMatchObject({
    kind: SpanKind.CLIENT,
    parentSpanContext,
    attributes: {
      'error.type': 'upstream',
      'gen_ai.provider.name': 'openai',
      'server.address': 'one.example',
      'server.port': 80,
    },
    status: { code: SpanStatusCode.ERROR },
  })
  expect(second).toMatchObject({
    name: 'chat qwen',
    parentSpanContext,
    attributes: { 'gen_ai.provider.name': 'vllm', 'gen_ai.usage.output_tokens': 2, 'server.port': 8000 },
  })
  const sent = requests.filter(({ method }) => method === 'POST').map(({ headers }) => headers)
  expect(sent.map((headers) => headers.traceparent)).toEqual(
    [first, second].map((span) => `00-${traceId}-${span?.spanContext().spanId}-01`),
  )
  expect(sent.map((headers) => headers.tracestate)).toEqual(['a=1', 'a=1'])
})

test('an exchange that is not sampled is passed on as such', async () => {
  const spans = register({ isSampled: false })
  const { requests } = await ask({ traceparent })
  expect(spans()).toEqual([])
  expect(requests[0]?.headers.traceparent).toMatch(new RegExp(`^00-${traceId}-[\\da-f]{16}-00$`))
})

test("an exchange within a span of the program's own belongs to that, whatever the client sent", async () => {
  const spans = register()
  const storage = new AsyncLocalStorage<Context>()
  context.setGlobalContextManager({
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (own, run, self, ...args) => storage.run(own, () => run.call(self, ...args)),
    bind: (_, target) => target,
    enable() {
      return this
    },
    disable() {
      return this
    },
  })
  const own = trace.getTracer('program').startSpan('own')
  await context.with(trace.setSpan(ROOT_CONTEXT, own), () => ask({ traceparent }))
  expect(spans().at(-1)).toMatchObject({
    kind: SpanKind.INTERNAL,
    parentSpanContext: { spanId: own.spanContext().spanId },
  })
})
