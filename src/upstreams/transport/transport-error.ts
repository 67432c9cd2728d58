import { AnycallError, type ErrorCode } from '../../conversation/index.ts'

/** The reasons why an HTTP exchange failed below the HTTP level. */
export type TransportReason =
  | 'refused'
  | 'unknown-host'
  | 'unreachable'
  | 'connect-timeout'
  | 'tls'
  | 'not-http'
  | 'stale'
  | 'cut'
  | 'first-byte-timeout'
  | 'idle-timeout'
  | 'bad-request'
  | 'closed'
  | 'failed'

/** A failure to reach a server or to read its answer. `retryable`: the same request may work when sent again. */
export class TransportError extends AnycallError {
  readonly reason: TransportReason
  readonly retryable: boolean

  /** `url` is shown without its query and user part, which may hold keys. */
  constructor(reason: TransportReason, url: string, cause?: unknown) {
    const rule = rules[reason]
    super(rule.kind, rule.message(withoutSecrets(url)), cause === undefined ? {} : { cause })
    this.reason = reason
    this.retryable = rule.retryable
  }
}

interface Rule {
  kind: ErrorCode
  retryable: boolean
  message: (url: string) => string
}

const rules: Readonly<Record<TransportReason, Rule>> = {
  refused: {
    kind: 'upstream',
    retryable: true,
    message: (url) =>
      `nothing listens at ${url} (connection refused). Is the server running? Start it, or correct the upstream's url.`,
  },
  'unknown-host': {
    kind: 'upstream',
    retryable: true,
    message: (url) => `the host of ${url} cannot be found. Check the upstream's url for a typing error.`,
  },
  unreachable: {
    kind: 'upstream',
    retryable: true,
    message: (url) => `the host of ${url} cannot be reached. Check the network, and the upstream's url.`,
  },
  'connect-timeout': {
    kind: 'timeout',
    retryable: true,
    message: (url) => `connecting to ${url} took too long. Is the server running, and is the upstream's url right?`,
  },
  tls: {
    kind: 'upstream',
    retryable: false,
    message: (url) =>
      `no secure connection to ${url} can be made. Check whether the server speaks https, and its certificate.`,
  },
  'not-http': {
    kind: 'upstream',
    retryable: false,
    message: (url) => `what answers at ${url} is not an HTTP server. Check the port, and http or https, of its url.`,
  },
  stale: {
    kind: 'upstream',
    retryable: true,
    message: (url) =>
      `the connection to ${url} was kept from an earlier request, and the other side closed it when this one was sent. Send the request again.`,
  },
  cut: {
    kind: 'upstream',
    retryable: true,
    message: (url) => `the connection to ${url} was cut by the other side. Look for the cause in the server's log.`,
  },
  'first-byte-timeout': {
    kind: 'timeout',
    retryable: false,
    message: (url) =>
      `${url} sent nothing within the time limit. Is the model still loading or the prompt very long? Raise the first-byte timeout of the upstream if so.`,
  },
  'idle-timeout': {
    kind: 'timeout',
    retryable: false,
    message: (url) =>
      `${url} went silent in the middle of its answer. Look for the cause in the server's log, or raise the idle timeout of the upstream.`,
  },
  'bad-request': {
    kind: 'internal',
    retryable: false,
    message: (url) => `the request to ${url} cannot be sent. Check the upstream's key and headers for line breaks.`,
  },
  closed: {
    kind: 'upstream',
    retryable: false,
    message: (url) => `the connections to ${url} are closed: anycall is shutting down.`,
  },
  failed: {
    kind: 'upstream',
    retryable: true,
    message: (url) => `the exchange with ${url} failed. Is the server running, and is the upstream's url right?`,
  },
}

/** Error codes of Node's sockets, TLS and undici, and the names of errors that have no code. */
const reasonByCode: Readonly<Record<string, TransportReason>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'unknown-host',
  EAI_AGAIN: 'unknown-host',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ETIMEDOUT: 'connect-timeout',
  UND_ERR_CONNECT_TIMEOUT: 'connect-timeout',
  ECONNRESET: 'cut',
  EPIPE: 'cut',
  UND_ERR_SOCKET: 'cut',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'cut',
  HTTPParserError: 'not-http',
  UND_ERR_INVALID_ARG: 'bad-request',
  UND_ERR_DESTROYED: 'closed',
  UND_ERR_CLOSED: 'closed',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls',
}

const reasonByPrefix: readonly [string, TransportReason][] = [
  ['HPE_', 'not-http'],
  ['ERR_TLS_', 'tls'],
  ['ERR_SSL_', 'tls'],
  ['CERT_', 'tls'],
]

/** Converts an error of a socket, of undici or of `fetch` (which wraps the cause) to a TransportError. */
export function toTransportError(error: unknown, url: string): AnycallError {
  if (AnycallError.isInstance(error)) return error
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name
    const reason = reasonByCode[code] ?? reasonByPrefix.find(([prefix]) => code.startsWith(prefix))?.[1]
    if (reason) return new TransportError(reason, url, error)
  }
  return new TransportError('failed', url, error)
}

/** The error of an aborted request: the abort's own reason if that is more specific. */
export function cancelled(signal: AbortSignal): AnycallError {
  return AnycallError.isInstance(signal.reason)
    ? signal.reason
    : new AnycallError('cancelled', 'The request was cancelled before its answer was complete.')
}

function withoutSecrets(url: string): string {
  if (!URL.canParse(url)) return 'the upstream'
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
