import * as z from 'zod'
import { AnycallError } from '../../conversation/index.ts'
import { jsonExcess } from '../../json/index.ts'
import { type ExchangeRecord, recordVersion } from './exchange.ts'

const ms = z.number().min(0)
const timed = z.object({ text: z.string(), pieces: z.array(z.number().min(0)) })
const error = z.object({ code: z.string(), message: z.string() }).exactOptional()
const members = z.record(z.string(), z.unknown())

const attempt = z.looseObject({
  upstream: z.string(),
  model: z.string(),
  plan: z.string(),
  reading: z.looseObject({ delivery: z.literal(['live', 'whole']) }),
  startMs: ms,
  requests: z.array(z.looseObject({ ms, type: z.string(), body: z.string() })),
  text: timed,
  spans: z.array(
    z.object({
      role: z.literal(['text', 'reasoning', 'marker', 'name', 'argument', 'repaired', 'rejected']),
      start: z.int().min(0),
      end: z.int().min(0),
    }),
  ),
  reasoning: timed,
  calls: z.array(z.looseObject({ index: z.int(), arguments: timed })),
  error,
})

const record = z.looseObject({
  version: z.literal(recordVersion),
  id: z.string().min(1).max(200),
  at: z.iso.datetime(),
  session: z.object({ id: z.string().max(200), parent: z.string().max(200).exactOptional(), step: z.int().min(0) }),
  client: z.looseObject({
    method: z.string(),
    path: z.string(),
    keyName: z.string().max(200).exactOptional(),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
  }),
  conversation: z.looseObject({ model: z.string(), turns: z.array(members), tools: z.array(members) }).exactOptional(),
  attempts: z.array(attempt),
  reply: z.array(z.looseObject({ ms, event: z.looseObject({ type: z.string() }) })),
  notices: z.array(z.looseObject({ ms, code: z.string(), message: z.string() })),
  answer: z.object({ status: z.int(), body: timed }),
  log: z.array(z.looseObject({ ms, level: z.string(), event: z.string(), fields: members })),
  timings: z.record(z.string(), ms),
  error,
})

/** The bounds of a record from outside. */
const bounds = { values: 5_000_000, depth: 300 }

/**
 * Reads a record from its JSON, as a line of `anycall records export` has it. Throws an AnycallError that names what is wrong.
 *
 * @example
 * const records = text.trim().split('\n').map(parseRecord)
 */
export function parseRecord(json: string): ExchangeRecord {
  if (jsonExcess(json, bounds) !== undefined) throw invalid('it has too many values, or nests too deeply')
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : String(error))
  }
  const result = record.safeParse(value)
  // The schema holds the members that programs rely on; the others are kept as they are.
  if (result.success) return result.data as unknown as ExchangeRecord
  const [issue] = result.error.issues
  throw invalid(`${issue?.path.join('.') || 'the record'}: ${issue?.message ?? 'not valid'}`)
}

function invalid(why: string): AnycallError {
  return new AnycallError('invalid-request', `This is not a record of version ${recordVersion}: ${why}`)
}
