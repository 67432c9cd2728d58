import * as z from 'zod'
import { overlapOf } from '../../../grammar/index.ts'
import { expected, number, oneOfValues, section } from './fields.ts'
import type { RecordsConfig } from './types.ts'
import { key } from './upstreams.ts'

const file = expected('a file')
const path = expected('a path such as metadata.user_id or messages.*.content')
const pattern = expected('a regular expression in which no two repetitions can match the same text')

/** The schema of the section `records`. */
export const records: z.ZodType<RecordsConfig> = section({
  keep: oneOfValues(['all', 'odd', 'sample']).default('all'),
  share: number(0, 1, 'a share').default(0.05),
  file: z.exactOptional(z.string(file).min(1, file)),
  megabytes: number(1, 1_000_000, 'megabytes').default(256),
  days: number(0.001, 36_500, 'days').default(7),
  exchangeMegabytes: number(0.01, 1024, 'megabytes').default(8),
  busyShare: number(0.001, 1, 'a share').default(0.01),
  adminKey: z.exactOptional(key),
  redact: section({
    paths: z.array(z.string(path).min(1, path), expected('a list of paths')).default([]),
    patterns: z.array(z.string(pattern).refine(isSafe, pattern), expected('a list of regular expressions')).default([]),
  }).prefault({}),
})

/** True for an expression that takes a number of steps that grows with the text alone. */
function isSafe(source: string): boolean {
  try {
    const { flags } = new RegExp(source, 'gu')
    return overlapOf({ source, flags }) === undefined
  } catch {
    // No regular expression.
    return false
  }
}
