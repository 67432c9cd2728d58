import { type ErrorCode, isJsonObject } from '../../conversation/index.ts'
import { type ErrorSource, redact, UpstreamError } from '../http/upstream-error.ts'
import { readErrorText } from '../refusals/error-text.ts'
import type { HttpResponse } from '../transport/transport.ts'

/** The service's answer in place of a reply. */
export interface ServiceFault {
  status: number
  /** Its body: `{"code", "message"}`. */
  body: string
  /** The service's name for the request, which Oracle's support asks for. */
  opcRequestId?: string | undefined
}

interface Advice {
  kind: ErrorCode
  text: string
}

/** Statuses with causes that are specific to OCI. */
const adviceByStatus: Readonly<Record<number, Advice>> = {
  401: {
    kind: 'authentication',
    text: 'The signature was not accepted: check the user, fingerprint, key and tenancy of the profile (a session token may have run out: `oci session authenticate`), and the clock of this machine.',
  },
  404: {
    kind: 'not-found',
    text: 'Check that the compartment is right, that the model is there in that region, and that a policy lets this user or principal `use generative-ai-family` in it.',
  },
}

/** Returns the error for a status with specific advice. Undefined for other statuses. */
export function ociError(source: ErrorSource, fault: ServiceFault): UpstreamError | undefined {
  const advice = adviceByStatus[fault.status]
  if (advice === undefined) return undefined
  const said = redact(describeFault(fault), source.secrets)
  const message = `Upstream "${source.upstream}" answered ${fault.status} and said "${said}". ${advice.text}`
  return new UpstreamError(advice.kind, message, false)
}

/** Returns the answer with a body that contains only the service's message, its code and the request's id. */
export function describedAnswer(source: ErrorSource, answer: HttpResponse, fault: ServiceFault): HttpResponse {
  const text = JSON.stringify({ message: redact(describeFault(fault), source.secrets) })
  return { ...answer, body: once(new TextEncoder().encode(text)) }
}

/** `TooManyRequests: … (opc-request-id …)`. */
function describeFault({ body, opcRequestId }: ServiceFault): string {
  // The message of the model's own server is passed on as it came: JSON in JSON.
  const said = readErrorText(body)
  const code = codeOf(body)
  const coded = code === undefined || said.startsWith(code) ? said : `${code}: ${said}`
  const id = opcRequestId === undefined ? '' : `(opc-request-id ${opcRequestId})`
  return [coded, id].filter((text) => text !== '').join(' ')
}

function codeOf(body: string): string | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return isJsonObject(value) && typeof value.code === 'string' ? value.code : undefined
  } catch {
    // No JSON: a proxy's page has no code.
    return undefined
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes
}
