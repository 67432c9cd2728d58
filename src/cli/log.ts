import pino from 'pino'
import type { LogLevel } from '../gateway/config.ts'
import type { Log } from '../upstreams/upstream.ts'

// Nothing should hand a key to the log; where something does, it stops here.
const secretFields = [
  'key',
  'keys',
  'apiKey',
  'clientKey',
  'secret',
  'password',
  'token',
  'authorization',
  'Authorization',
  'cookie',
  '["x-api-key"]',
  '["api-key"]',
  '["proxy-authorization"]',
]

/** A log that writes a line of JSON for each event of `level` or above. */
export function createLog(level: LogLevel, write: (line: string) => void): Log {
  const logger = pino(
    {
      level,
      base: null,
      messageKey: 'event',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: ofError, cause: ofError },
      redact: { paths: ['', '*', '*.*'].flatMap((depth) => secretFields.map((field) => join(depth, field))) },
    },
    { write },
  )
  return (at, event, fields) => logger[at](fields ?? {}, event)
}

/** What was thrown, with its stack; a record of an error is one already. */
function ofError(value: unknown): unknown {
  return value instanceof Error ? pino.stdSerializers.err(value) : value
}

function join(depth: string, field: string): string {
  return depth === '' || field.startsWith('[') ? depth + field : `${depth}.${field}`
}
