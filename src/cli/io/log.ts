import pino from 'pino'
import type { LogLevel } from '../../gateway/index.ts'
import type { Log } from '../../upstreams/index.ts'

// No caller should log a key. If one does, it is removed here.
const secretFields: ReadonlySet<string> = new Set([
  'key',
  'keys',
  'apikey',
  'api-key',
  'x-api-key',
  'clientkey',
  'secret',
  'password',
  'token',
  'authorization',
  'proxy-authorization',
  'cookie',
])
/** No field nested deeper than this can contain a key. */
const redactedDepth = 3

/** Returns a log that writes one line of JSON for each event of `level` or above. `base` is in each line. */
export function createLog(
  level: LogLevel,
  write: (line: string) => void,
  base: Record<string, unknown> | null = null,
): Log {
  const logger = pino(
    {
      level,
      base,
      messageKey: 'event',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write },
  )
  return (at, event, fields) => logger[at](redacted(fields ?? {}), event)
}

/** Returns the fields without values that may be keys. pino's own redaction takes 0.03 ms per line, a tenth of a short request. */
function redacted(fields: Record<string, unknown>, depth = redactedDepth): Record<string, unknown> {
  const safe: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (secretFields.has(name.toLowerCase())) safe[name] = '[Redacted]'
    else if (value instanceof Error) safe[name] = { type: value.name, message: value.message, stack: value.stack }
    else safe[name] = depth > 0 && isRecord(value) ? redacted(value, depth - 1) : value
  }
  return safe
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
