/** The limits of one key. */
export interface KeyLimits {
  requestsPerMinute?: number
  /** Tokens of prompts and replies together. */
  tokensPerMinute?: number
  concurrentRequests?: number
}

/** The holder of a key with limits. */
export interface Limited {
  /** Its name, by which it is counted. */
  name: string
  limits: KeyLimits
}

/** The limit that refuses a request, and the milliseconds after which it is worth trying again. */
export interface Refusal {
  limit: keyof KeyLimits
  retryAfterMs: number
}

/** Counts the requests and tokens of keys. */
export interface Counter {
  /** Takes a request into account, by an id that no other has. Resolves with the refusal if a limit is reached. */
  take(holder: Limited, request: string): Promise<Refusal | undefined>
  /** Counts the tokens of a request that has ended. */
  end(holder: Limited, request: string, tokens: number): Promise<void>
  close?(): Promise<void>
}

/** Options of a counter in a server that several gateways share. */
export interface SharedCounterOptions {
  url: string
  /** Milliseconds for which an answer of the server is awaited. */
  timeoutMs: number
  /** Milliseconds after which a request counts as ended: a gateway that died does not end its requests. */
  requestMs: number
  /** Called when the server cannot be reached any more, and with undefined when it can again. */
  changed(failure: Error | undefined): void
}

export type SharedCounterFactory = (options: SharedCounterOptions) => Counter

/** Debts of tokens are repaid after this many minutes at most: a mistake in a report of tokens must not lock a key out for days. */
export const mostDebtMinutes = 10
