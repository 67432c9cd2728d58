import * as z from 'zod'
import { expected, section, whole } from './fields.ts'
import type { KeyConfig } from './types.ts'
import { key } from './upstreams.ts'

const nameText = expected('a name of up to 100 letters, digits, ., _ and -')
const digestText = expected('a SHA-256 digest of 64 hexadecimal digits, as `anycall keys hash` prints it')
const patternText = expected('a model name or pattern')
const rate = z.exactOptional(whole(1, 1_000_000_000))

const keyObject = section({
  name: z.string(nameText).regex(/^[A-Za-z0-9][\w.-]{0,99}$/, nameText),
  key: z.exactOptional(key),
  sha256: z.exactOptional(
    z
      .string(digestText)
      .regex(/^[0-9a-fA-F]{64}$/, digestText)
      .transform((digits) => digits.toLowerCase()),
  ),
  models: z.exactOptional(
    z
      .array(z.string(patternText).min(1, patternText), expected('a list of model names and patterns'))
      .min(1, expected('at least one model name or pattern (leave `models` out to allow all)')),
  ),
  limits: z.exactOptional(
    section({
      requestsPerMinute: rate,
      tokensPerMinute: rate,
      concurrentRequests: z.exactOptional(whole(1, 1_000_000)),
    }),
  ),
}).refine((one) => (one.key === undefined) !== (one.sha256 === undefined), expected('either `key` or `sha256`'))

/** The keys of a gateway: texts, or objects with a name and the rights of who has the key. */
export const keys: z.ZodType<(string | KeyConfig)[]> = z
  .array(z.union([key, keyObject], expected('a key, or an object with name and key or sha256')))
  .min(1, expected('at least one key (leave `keys` out to ask for none)'))
  .refine((list) => {
    const names = list.flatMap((one) => (typeof one === 'string' ? [] : one.name))
    return new Set(names).size === names.length
  }, expected('a name for each key that no other key has'))
