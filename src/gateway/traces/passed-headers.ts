import type { TraceHeaders } from '../../upstreams/index.ts'
import type { GatewayRequest } from '../http/http.ts'

/** W3C Trace Context: version, trace id, parent id and flags; later versions may add fields. */
const parentForm = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-[\x21-\x7e]{0,100})?$/
/** Longer ones may be dropped (W3C Trace Context, 3.3.1.5), and so are those that no header can carry. */
const stateForm = /^[\x20-\x7e\t]{1,512}$/

/** Returns the trace headers of a client as they are, for requests without a span of the gateway; undefined if there are none. */
export function passedTraceHeaders({ header }: Pick<GatewayRequest, 'header'>): TraceHeaders | undefined {
  const traceparent = header('traceparent')?.trim()
  if (traceparent === undefined || !parentForm.test(traceparent)) return undefined
  const tracestate = header('tracestate')?.trim()
  const headers = { traceparent, ...(tracestate !== undefined && stateForm.test(tracestate) && { tracestate }) }
  return () => headers
}
