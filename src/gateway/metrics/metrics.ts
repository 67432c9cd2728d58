import type { Registry } from 'prom-client'
import type { Observer, OwnHooks } from '../../records/index.ts'
import { BoundedValues } from './bounded-values.ts'
import { ExchangeMetrics } from './exchange-metrics.ts'
import { createInstruments, type Instruments, type ObservedState } from './instruments.ts'
import { loadPromClient } from './prom-client.ts'
import type { MeasuredMetrics } from './sum.ts'

/** The number of codes of notices, and of parts of requests, that have their own series. */
const mostCodes = 200

/** Counts exchanges, as a listener of the gateway's hooks, and writes the counts in Prometheus' text format. */
export class Metrics implements OwnHooks {
  readonly registry: Registry
  readonly #instruments: Instruments
  readonly #codes = new BoundedValues(mostCodes)
  #state: (() => ObservedState) | undefined

  /** Throws an AnycallError if prom-client cannot be loaded. */
  constructor() {
    const client = loadPromClient()
    this.registry = new client.Registry()
    this.#instruments = createInstruments(client, this.registry, () => this.#state?.())
    // The process: its event loop's delay, memory, CPU time, handles.
    client.collectDefaultMetrics({ register: this.registry })
  }

  readonly observeExchange = (): Observer => {
    const exchange = new ExchangeMetrics(this.#instruments, this.#codes)
    return { onEvent: (event) => exchange.onEvent(event), needsBody: false, needsTexts: false }
  }

  get contentType(): string {
    return this.registry.contentType
  }

  /** Sets the function that returns the state of the gateway. It is called for each request for metrics. */
  observe(state: () => ObservedState): void {
    this.#state = state
  }

  /** Returns all metrics as data, which `sumMetrics` adds up. */
  measured(): Promise<MeasuredMetrics> {
    return this.registry.getMetricsAsJSON()
  }

  /** Returns all metrics in Prometheus' text format. */
  text(): Promise<string> {
    return this.registry.metrics()
  }
}
