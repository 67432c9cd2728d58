import type { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { PromClient } from './prom-client.ts'

/** The labels of a model: `model` is the configuration's name or pattern, never a client's own text. */
export type ModelLabel = 'model' | 'upstream'
/** The labels of a request; empty as long as something is not known. */
export type RequestLabel = ModelLabel | 'protocol' | 'plan'
export type CallLabel = ModelLabel | 'dialect' | 'stage'

/** The metrics of one registry. Their names, types and labels are in docs/operate.md. */
export interface Instruments {
  readonly requests: Counter<RequestLabel | 'status' | 'error'>
  readonly duration: Histogram<RequestLabel | 'status'>
  readonly firstByte: Histogram<RequestLabel>
  readonly perToken: Histogram<ModelLabel | 'plan'>
  readonly tokens: Counter<RequestLabel | 'kind'>
  readonly attempts: Counter<ModelLabel | 'plan' | 'outcome'>
  readonly calls: Counter<CallLabel>
  readonly callErrors: Counter<CallLabel | 'class'>
  readonly notices: Counter<ModelLabel | 'code'>
  readonly recoveries: Counter<ModelLabel | 'kind'>
  readonly failOvers: Counter<'from' | 'to'>
  readonly refusals: Counter<ModelLabel | 'part'>
  readonly openRequests: Gauge
  readonly openStreams: Gauge
  readonly upstreamReady: Gauge<'upstream'>
  readonly recordsDropped: Gauge
}

const ofModel: readonly ModelLabel[] = ['model', 'upstream']
const ofRequest: readonly RequestLabel[] = ['protocol', ...ofModel, 'plan']
const ofCalls: readonly CallLabel[] = [...ofModel, 'dialect', 'stage']

// The bounds that OpenTelemetry's conventions for GenAI metrics advise, continued for the long replies of agents.
const durations = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92, 163.84, 655.36,
]
const firstBytes = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30, 60]
const perToken = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5]

/** The state of a gateway, read for each request for metrics. */
export interface ObservedState {
  /** True if requests may go there, by the names of upstreams. */
  upstreams: ReadonlyMap<string, boolean>
  recordsDropped: number
}

/** Creates the metrics in a registry. */
export function createInstruments(
  { Counter, Gauge, Histogram }: PromClient,
  registry: Registry,
  state: () => ObservedState | undefined,
): Instruments {
  const registers = [registry]
  const counter = <Label extends string>(name: string, help: string, labels: readonly Label[]): Counter<Label> =>
    new Counter({ name: `anycall_${name}`, help, labelNames: [...labels], registers })
  const gauge = <Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[] = [],
    collect?: (this: Gauge<Label>) => void,
    aggregator: 'sum' | 'min' = 'sum',
  ): Gauge<Label> =>
    new Gauge({
      name: `anycall_${name}`,
      help,
      labelNames: [...labels],
      registers,
      aggregator,
      ...(collect && { collect }),
    })
  const histogram = <Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
    buckets: number[],
  ): Histogram<Label> => new Histogram({ name: `anycall_${name}`, help, labelNames: [...labels], buckets, registers })
  return {
    requests: counter(
      'requests_total',
      'Requests for a reply that have ended, by HTTP status and error code (empty on success).',
      [...ofRequest, 'status', 'error'],
    ),
    duration: histogram(
      'request_duration_seconds',
      'Time from a request to the end of its response.',
      [...ofRequest, 'status'],
      durations,
    ),
    firstByte: histogram(
      'time_to_first_byte_seconds',
      'Time from a request to the first bytes of its response, for streamed replies.',
      ofRequest,
      firstBytes,
    ),
    perToken: histogram(
      'time_per_output_token_seconds',
      'Time per output token after the first piece, for attempts whose upstream counts tokens.',
      [...ofModel, 'plan'],
      perToken,
    ),
    tokens: counter(
      'tokens_total',
      'Tokens as upstreams count them: input, output, and cached (input tokens that came from a prompt cache).',
      [...ofRequest, 'kind'],
    ),
    attempts: counter(
      'attempts_total',
      'Generations of upstreams, by outcome: ok, or an error code. One request may take several.',
      [...ofModel, 'plan', 'outcome'],
    ),
    calls: counter(
      'tool_calls_total',
      'Tool calls, as models wrote them (stage written) and as clients got them (stage sent).',
      ofCalls,
    ),
    callErrors: counter(
      'tool_call_errors_total',
      'Tool calls that are not valid, by class: invalid_json, unknown_name, schema_mismatch.',
      [...ofCalls, 'class'],
    ),
    notices: counter('notices_total', 'Notices by code: repairs, refused calls, request fields left out.', [
      ...ofModel,
      'code',
    ]),
    recoveries: counter(
      'recoveries_total',
      'Steps taken to save a reply, by kind: retries, corrections, demanded calls, continuations, and their failures.',
      [...ofModel, 'kind'],
    ),
    failOvers: counter('fail_overs_total', 'Requests that went on to another upstream.', ['from', 'to']),
    refusals: counter(
      'refusals_learned_total',
      'Parts of requests that an upstream refused, and that are not sent to it for a while.',
      [...ofModel, 'part'],
    ),
    openRequests: gauge('open_requests', 'Requests for a reply that are being answered.'),
    openStreams: gauge('open_streams', 'Streamed replies that are being answered.'),
    upstreamReady: gauge(
      'upstream_ready',
      '1 if requests may go to the upstream, 0 while it is left alone after failures.',
      ['upstream'],
      function () {
        this.reset()
        for (const [upstream, isReady] of state()?.upstreams ?? []) this.set({ upstream }, isReady ? 1 : 0)
      },
      // Of several processes, the one to which it is not ready.
      'min',
    ),
    recordsDropped: gauge(
      'records_dropped',
      'Records that could not be kept, since the recorder began.',
      [],
      function () {
        this.set(state()?.recordsDropped ?? 0)
      },
    ),
  }
}
