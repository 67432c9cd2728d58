import type { Readable } from 'node:stream'
import type { Agent, Dispatcher } from 'undici'
import { AnycallError } from '../../conversation/index.ts'
import { neededModule } from './builtin-module.ts'
import { hadAnswered, notingAnswers } from './connector.ts'
import { SilenceTimer } from './silence-timer.ts'
import type { ClosableTransport, HttpBody, HttpRequest, HttpResponse, HttpTransport } from './transport.ts'
import { cancelled, TransportError, toTransportError } from './transport-error.ts'

/** The part of undici that the transport is made of. */
export type Undici = Pick<typeof import('undici'), 'Agent' | 'buildConnector'>

/**
 * Loads undici, after Node's own copy of it. The first one that is loaded makes the connections of both for the whole
 * process; if that is undici 7, Node 20's fetch fails for requests with an explicit length, as OCI's SDK sends them
 * ("invalid content-length header"). Reading `Headers` loads Node's copy. Loading takes 0.1 s, which only users of an
 * HTTP upstream wait for. Undefined if undici is missing or has no dispatcher, as Bun's replacement (`#undici` is a
 * condition of package.json).
 */
export async function loadUndici(): Promise<Undici | undefined> {
  if (globalThis.Headers === undefined) throw new Error('this runtime has no fetch')
  const module: Partial<Undici> = await import('#undici')
  const { Agent, buildConnector } = module
  return typeof Agent?.prototype?.dispatch === 'function' && buildConnector ? { Agent, buildConnector } : undefined
}

/** The number of parsed URLs that are remembered. */
const mostTargets = 100

/** Bytes held for a reader that is slower than the server, before the server is slowed down. */
const highWaterMark = 64 * 1024

/**
 * Returns a transport for Node over undici, which keeps connections alive between requests. `close` ends them all. Without the argument,
 * undici is loaded with the first request.
 *
 * @example
 * const transport = createNodeTransport()
 * const upstreams = createUpstreams(config, { transport })
 * await transport.close()
 */
export function createNodeTransport(undici?: Undici): ClosableTransport {
  let library = undici
  // undici has the connect timeout as a property of the agent, not of the request. The agents of fresh requests keep no connection.
  const agents = { kept: new Map<number, Agent>(), fresh: new Map<number, Agent>() }
  const agentFor = (undici: Undici, { isFresh = false, timeouts: { connectMs } }: HttpRequest): Agent => {
    const among = isFresh ? agents.fresh : agents.kept
    let agent = among.get(connectMs)
    if (agent === undefined) {
      // Silence is watched by the exchange: undici's own timers cannot distinguish the first byte of a body from a
      // later one.
      const connect = notingAnswers(undici.buildConnector({ timeout: connectMs }))
      agent = new undici.Agent({ connect, headersTimeout: 0, bodyTimeout: 0 })
      among.set(connectMs, agent)
    }
    return agent
  }

  // Nearly all requests to an upstream use the same URL, and parsing a URL costs 0.015 ms.
  const targets = new Map<string, { origin: string; path: string }>()
  const targetOf = (text: string): { origin: string; path: string } => {
    const known = targets.get(text)
    if (known) return known
    const { origin, pathname, search } = new URL(text)
    const target = { origin, path: pathname + search }
    if (targets.size >= mostTargets) targets.clear()
    targets.set(text, target)
    return target
  }

  const send = (undici: Undici, request: HttpRequest): Promise<HttpResponse> =>
    new Promise((resolve, reject) => {
      if (request.signal.aborted) {
        reject(cancelled(request.signal))
        return
      }
      const { origin, path } = targetOf(request.url)
      const { method, headers, body, isFresh = false } = request
      agentFor(undici, request).dispatch(
        // A reset connection is closed after its response.
        { origin, path, method, headers, body: streamed(body), reset: isFresh },
        new UndiciRequest(request, resolve, reject),
      )
    })
  const transport: HttpTransport = async (request) => {
    if (library === undefined) {
      library = await loadUndici()
      if (library === undefined) throw new AnycallError('internal', 'undici does not run on this runtime.')
    }
    return send(library, request)
  }
  return Object.assign(transport, {
    async close() {
      await Promise.all([...agents.kept.values(), ...agents.fresh.values()].map((agent) => agent.destroy()))
    },
  })
}

/** A body as undici takes it: pieces are sent one by one, as the connection takes them. */
function streamed(body: HttpBody | undefined): string | Readable | null {
  return typeof body === 'object' ? neededModule('node:stream', 'A large request').Readable.from(body) : (body ?? null)
}

interface Waiter {
  resolve: (result: IteratorResult<Uint8Array, undefined>) => void
  reject: (error: AnycallError) => void
}

const over: IteratorReturnResult<undefined> = { done: true, value: undefined }

/**
 * One request: undici's handler and the iterator of the body in one object. It replaces undici's `request()`, whose
 * Readable costs several events and microtasks per chunk; chunks that arrive together are emitted as one.
 */
class UndiciRequest implements Dispatcher.DispatchHandler, AsyncIterator<Uint8Array, undefined> {
  readonly #request: HttpRequest
  readonly #onResponse: (response: HttpResponse) => void
  readonly #onFailure: (error: AnycallError) => void
  readonly #silence: SilenceTimer
  #controller: Dispatcher.DispatchController | undefined
  #chunks: Uint8Array[] = []
  #held = 0
  #isAnswered = false
  #gotBytes = false
  #ended = false
  #failure: AnycallError | undefined
  #waiting: Waiter | undefined
  #flushing = false

  constructor(
    request: HttpRequest,
    onResponse: (response: HttpResponse) => void,
    onFailure: (error: AnycallError) => void,
  ) {
    this.#request = request
    this.#onResponse = onResponse
    this.#onFailure = onFailure
    this.#silence = new SilenceTimer(() => {
      this.#stop(new TransportError(this.#gotBytes ? 'idle-timeout' : 'first-byte-timeout', request.url))
    })
    request.signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // Aborted while it waited for a connection: undici has no way to take back a request that has not started.
    if (this.#failure) controller.abort(this.#failure)
    else this.#silence.wait(this.#request.timeouts.firstByteMs)
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return
    this.#isAnswered = true
    this.#onResponse({ status, headers: flatten(headers), body: { [Symbol.asyncIterator]: () => this } })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#gotBytes = true
    this.#silence.rest()
    this.#chunks.push(chunk)
    this.#held += chunk.length
    if (this.#held > highWaterMark) controller.pause()
    if (this.#waiting && !this.#flushing) {
      this.#flushing = true
      queueMicrotask(this.#flush)
    }
  }

  onResponseEnd(): void {
    this.#ended = true
    this.#release()
    if (!this.#flushing) this.#flush()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const failure = this.#failure ?? toTransportError(error, this.#request.url)
    const isStale =
      !this.#isAnswered && hadAnswered(error) && failure instanceof TransportError && failure.reason === 'cut'
    this.#fail(isStale ? new TransportError('stale', this.#request.url, error) : failure)
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (this.#held > 0) return Promise.resolve({ done: false, value: this.#take() })
    if (this.#failure) return Promise.reject(this.#failure)
    if (this.#ended) return Promise.resolve(over)
    // Until the first byte the clock runs from the request's start.
    if (this.#gotBytes) this.#silence.wait(this.#request.timeouts.idleMs)
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
    })
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    const waiting = this.#waiting
    this.#waiting = undefined
    this.#chunks = []
    this.#held = 0
    if (!this.#ended) {
      this.#ended = true
      this.#release()
      this.#controller?.abort(new TransportError('closed', this.#request.url))
    }
    waiting?.resolve(over)
    return Promise.resolve(over)
  }

  readonly #onAbort = (): void => this.#stop(cancelled(this.#request.signal))

  readonly #flush = (): void => {
    this.#flushing = false
    const waiting = this.#waiting
    if (waiting === undefined) return
    if (this.#held > 0) {
      this.#waiting = undefined
      waiting.resolve({ done: false, value: this.#take() })
    } else if (this.#ended) {
      this.#waiting = undefined
      waiting.resolve(over)
    }
  }

  #take(): Uint8Array {
    const [first] = this.#chunks
    const taken = this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks)
    this.#chunks = []
    this.#held = 0
    if (this.#controller?.paused) this.#controller.resume()
    return taken
  }

  /** Ends the exchange from this side. */
  #stop(error: AnycallError): void {
    if (this.#ended) return
    this.#fail(error)
    this.#controller?.abort(error)
  }

  #fail(error: AnycallError): void {
    if (this.#ended) return
    this.#ended = true
    this.#failure = error
    this.#release()
    this.#onFailure(error)
    // Data that arrived before the failure is still read; the failure comes after it.
    if (this.#held > 0) return
    this.#waiting?.reject(error)
    this.#waiting = undefined
  }

  #release(): void {
    this.#silence.stop()
    this.#request.signal.removeEventListener('abort', this.#onAbort)
  }
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return flat
}
