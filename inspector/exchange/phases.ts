import type { ExchangeRecord } from '../../src/records/api/types.ts'

/** A time of an exchange, in milliseconds after its beginning. */
export interface Phase {
  name: string
  /** `gateway`: work of anycall; `wait`: for the upstream's first piece; `write`: the upstream writes. */
  kind: 'gateway' | 'wait' | 'write'
  start: number
  end: number
  /** The reason of another attempt. */
  why?: string
}

/** Returns the phases of an exchange in order; attempts have two each. */
export function phasesOf({ timings, attempts }: ExchangeRecord): Phase[] {
  const { received, decoded, planned, firstByte, end } = timings
  const phases: Phase[] = []
  let at = 0
  const add = (name: string, until: number | undefined): void => {
    if (until === undefined) return
    phases.push({ name, kind: 'gateway', start: at, end: until })
    at = until
  }
  add('receive the body', received)
  add('read the request', decoded)
  add('choose upstream and plan', planned)
  for (const [index, { startMs, firstMs, endMs, cause }] of attempts.entries()) {
    const until = endMs ?? end ?? firstMs ?? startMs
    const number = attempts.length > 1 ? ` ${index + 1}` : ''
    const why = cause && { why: `${cause.event}: ${cause.why}` }
    phases.push({ name: `wait for upstream${number}`, kind: 'wait', start: startMs, end: firstMs ?? until, ...why })
    if (firstMs !== undefined)
      phases.push({ name: `upstream writes${number}`, kind: 'write', start: firstMs, end: until })
  }
  if (firstByte !== undefined && end !== undefined) {
    phases.push({ name: 'answer the client', kind: 'gateway', start: firstByte, end })
  }
  return phases
}
