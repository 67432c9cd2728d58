import * as z from 'zod'
import { choice, expected, maxSeconds, number, section, whole } from './config-fields.ts'
import type { UpstreamConfig } from './config-types.ts'

// A key travels in a header; a line end at the end of a variable is the usual reason that it cannot.
const keyText = expected('a key of visible ASCII characters, without white space')
export const key: z.ZodString = z.string(keyText).regex(/^[\x21-\x7e]+$/, keyText)

const headerText = expected('a text of printable ASCII characters')
const header = z.string(headerText).regex(/^[\x20-\x7e]*$/, headerText)

const urlText = expected('an http:// or https:// URL')
const url = z
  .string(urlText)
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), { ...urlText, abort: true })
  .refine((text) => new URL(text).username + new URL(text).password === '', {
    ...expected('a URL without user name and password (those go into `key` or `headers`)'),
    abort: true,
  })
  .refine((text) => !/[?#]/.test(text), expected('a URL without ? and # (paths are appended to it)'))
  .transform((text) => text.replace(/\/+$/, ''))

const headers = z
  .record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/), header, {
    error: (issue) => (issue.code === 'invalid_key' ? 'the name of an HTTP header' : 'an object of headers by name'),
  })
  .default({})

const timeouts = section({
  connect: number(0.001, maxSeconds, 'seconds').default(5),
  firstByte: number(0.001, maxSeconds, 'seconds').default(600),
  idle: number(0.001, maxSeconds, 'seconds').default(120),
}).prefault({})

const retries = whole(0, 20).default(2)

/** What every upstream has that is reached by HTTP. */
const http = { url, key: z.exactOptional(key), headers, timeouts, retries }

/** The upstreams there are, by their types. */
const types = [
  section({
    type: z.literal('openai-chat'),
    ...http,
    maxTokensField: choice(['max_tokens', 'max_completion_tokens']).default('max_tokens'),
  }),
  section({ type: z.literal('scripted') }),
] as const

const typeNames = types.map(({ shape }) => shape.type.value)

/** The types of upstreams that are reached at a URL. */
export const typesWithUrl: readonly string[] = types
  .filter(({ shape }) => 'url' in shape)
  .map(({ shape }) => shape.type.value)

export const upstream: z.ZodType<UpstreamConfig> = z.discriminatedUnion('type', types, {
  error: (issue) =>
    issue.code === 'invalid_union' ? `one of ${typeNames.join(', ')}` : 'an object with the type of the upstream',
})
