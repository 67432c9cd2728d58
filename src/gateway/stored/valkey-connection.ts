import { AnycallError } from '../../conversation/index.ts'
import { createValkeyClient, type ValkeyClient } from './valkey-client.ts'

/** The greatest pause between two attempts to connect, in milliseconds. */
const mostPause = 1000

/** The settings that name a server, with what it is used for and what to do without it. */
const uses = {
  responses: {
    what: 'The store of responses',
    setting: 'responses.store',
    advice: 'Try again shortly, or send the whole conversation in input.',
  },
  limits: {
    what: 'The store of limits',
    setting: 'limits.store, or responses.store',
    advice: 'Until it does, each gateway counts by itself.',
  },
} as const

export interface ConnectionOptions {
  url: string
  /** Milliseconds for which an answer of the server is awaited. */
  timeoutMs: number
  /** Called when the server cannot be reached any more, and with undefined when it can again. */
  changed(failure: Error | undefined): void
  use: keyof typeof uses
}

/** The connection to a server of Valkey or Redis. It is opened by the first question, and again whenever it breaks. */
export class ValkeyConnection {
  readonly #options: ConnectionOptions
  #client: Promise<ValkeyClient> | undefined
  #hasFailed = false
  #isClosed = false

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  /**
   * Asks the server. With `waits`, a broken connection is awaited for the time that an answer may take; without it, the question fails at
   * once. Rejects with `unavailable`.
   */
  async ask<Answer>(question: (client: ValkeyClient) => Promise<Answer>, waits: boolean): Promise<Answer> {
    let client: ValkeyClient | undefined
    try {
      client = await this.#connected(waits)
      return await question(client)
    } catch (error) {
      // An answer that is overdue: the next question gets another connection.
      if (client?.status === 'ready' && isTimeout(error)) client.disconnect(true)
      throw this.#unavailable(error)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const client = await this.#client?.catch(() => undefined)
    client?.disconnect()
  }

  async #connected(waits: boolean): Promise<ValkeyClient> {
    if (this.#isClosed) throw new Error('it was closed')
    this.#client ??= this.#open()
    const client = await this.#client.catch((error: unknown) => {
      // The package may be installed meanwhile.
      this.#client = undefined
      throw error
    })
    if (client.status !== 'ready' && waits) await becomesReady(client, this.#options.timeoutMs)
    if (client.status !== 'ready') throw new Error('the connection is broken')
    return client
  }

  /** Creates the client, and waits for its first attempt to connect. The client repeats failed attempts on its own. */
  async #open(): Promise<ValkeyClient> {
    const { url, timeoutMs, use } = this.#options
    const { what, setting } = uses[use]
    const client = await createValkeyClient(`${what} (${setting})`, url.replace(/^valkey/, 'redis'), {
      lazyConnect: true,
      connectTimeout: timeoutMs,
      commandTimeout: timeoutMs,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (times) => Math.min(50 * times, mostPause),
    })
    client.on('error', (error) => this.#unavailable(error))
    client.on('ready', () => {
      if (this.#hasFailed) this.#options.changed(undefined)
      this.#hasFailed = false
    })
    await client.connect().catch((error: unknown) => this.#unavailable(error))
    return client
  }

  /** Returns the error of a request that needs the server, and reports the first of several. */
  #unavailable(cause: unknown): AnycallError {
    const error = AnycallError.isInstance(cause) ? cause : notReached(this.#options, cause)
    if (!this.#hasFailed && !this.#isClosed) this.#options.changed(error)
    this.#hasFailed = true
    return error
  }
}

function notReached({ url, use }: ConnectionOptions, cause: unknown): AnycallError {
  const { what, setting, advice } = uses[use]
  const { host } = new URL(url)
  const why = cause instanceof Error ? cause.message.slice(0, 200) : 'it gave no reason'
  return new AnycallError('unavailable', `${what} at ${host} (${setting}) does not answer: ${why}. ${advice}`, {
    retryAfter: 1,
    cause,
  })
}

/** True for the error of a command whose answer did not come in time. It has no code. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Command timed out'
}

/** Waits until the client is connected, for a limited time. */
async function becomesReady(client: ValkeyClient, ms: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const over = (): void => {
      clearTimeout(timer)
      client.off('ready', over)
      resolve()
    }
    const timer = setTimeout(over, ms)
    client.on('ready', over)
  })
}
