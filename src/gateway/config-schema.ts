import * as z from 'zod'
import { type GatewayConfig, logLevels, type ModelRule, type UpstreamConfig } from './config-types.ts'

/** What the schema must know of the configuration and the program before it reads: the names that others refer to. */
export interface SchemaContext {
  upstreams: readonly string[]
  dialects: readonly string[]
  /** Keys are a list or a word; which one was meant decides what is expected. */
  keysAreListed: boolean
}

/**
 * The schema of a configuration. Every error message is what was expected, as a noun; of an unknown key it is the keys
 * that are known, apart by spaces.
 */
export function gatewaySchema(context: SchemaContext): z.ZodType<GatewayConfig> {
  return section({
    listen: section({
      host: z
        .string(expected('a host name or address'))
        .min(1, expected('a host name or address'))
        .default('127.0.0.1'),
      port: whole(0, 65_535, 'port number').default(8787),
    }).prefault({}),
    secret: z.exactOptional(
      z.string(expected('a text of at least 16 characters')).min(16, expected('a text of at least 16 characters')),
    ),
    keys: context.keysAreListed
      ? z.array(key).min(1, expected('at least one key (leave `keys` out to ask for none)')).default([])
      : z.literal('pass-through', expected('a list of keys, or the word pass-through')),
    upstreams: z
      .record(z.string().regex(/^[A-Za-z0-9][\w.-]*$/), upstream, {
        error: (issue) =>
          issue.code === 'invalid_key' ? 'a name of letters, digits, ., _ and -' : 'an object of upstreams by name',
      })
      .default({}),
    models: z.array(modelRule(context), expected('a list of rules, each with match and upstream')).default([]),
    limits: section({
      bodyMegabytes: number(0.001, 4096, 'megabytes').default(32),
      requestSeconds: number(0.001, maxSeconds, 'seconds').default(900),
      concurrentRequests: whole(1, 1_000_000).default(256),
      startSeconds: number(0.001, maxSeconds, 'seconds').default(10),
      toolCount: whole(0, 1_000_000).default(512),
      schemaDepth: whole(1, 10_000).default(64),
    }).prefault({}),
    log: section({ level: choice(logLevels).default('info') }).prefault({}),
  })
}

// A day: beyond 2^31 ms Node's timers fire at once.
const maxSeconds = 86_400

const name = expected('a name')

// A key travels in a header; a line end at the end of a variable is the usual reason that it cannot.
const keyText = expected('a key of visible ASCII characters, without white space')
const key = z.string(keyText).regex(/^[\x21-\x7e]+$/, keyText)

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

const upstream: z.ZodType<UpstreamConfig> = z.discriminatedUnion(
  'type',
  [
    section({
      type: z.literal('openai-chat'),
      url,
      key: z.exactOptional(key),
      headers: z
        .record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/), header, {
          error: (issue) =>
            issue.code === 'invalid_key' ? 'the name of an HTTP header' : 'an object of headers by name',
        })
        .default({}),
      timeouts: section({
        connect: number(0.001, maxSeconds, 'seconds').default(5),
        firstByte: number(0.001, maxSeconds, 'seconds').default(600),
        idle: number(0.001, maxSeconds, 'seconds').default(120),
      }).prefault({}),
      retries: whole(0, 20).default(2),
      maxTokensField: choice(['max_tokens', 'max_completion_tokens']).default('max_tokens'),
    }),
    section({ type: z.literal('scripted') }),
  ],
  {
    error: (issue) =>
      issue.code === 'invalid_union' ? 'one of openai-chat, scripted' : 'an object with the type of the upstream',
  },
)

function modelRule({ upstreams, dialects }: SchemaContext): z.ZodType<ModelRule> {
  return section({
    match: z.preprocess(
      (value) => (typeof value === 'string' ? [value] : value),
      z
        .array(z.string(expected('a model name or pattern')).min(1, expected('a model name or pattern')), {
          ...expected('a model name or pattern, or a list of them'),
        })
        .min(1, expected('at least one model name or pattern')),
    ),
    upstream: oneOf(upstreams, 'the name of an upstream'),
    model: z.exactOptional(z.string(name).min(1, name)),
    plan: choice(['prompted']).default('prompted'),
    dialect: z.exactOptional(oneOf(dialects, 'a dialect')),
    reasoning: choice(['field', 'drop']).default('field'),
    delivery: choice(['live', 'whole']).default('live'),
  })
}

function expected(text: string): { error: string } {
  return { error: text }
}

function section<Shape extends z.core.$ZodLooseShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  const known = Object.keys(shape)
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? known.join(' ') : `an object with ${known.join(', ')}`),
  })
}

/** A number; as text too, since what comes from the environment is text. */
function number(min: number, max: number, unit: string): z.ZodType<number> {
  const text = expected(`${unit} from ${min} to ${max}`)
  return z.preprocess(numeric, z.number(text).min(min, text).max(max, text))
}

function whole(min: number, max: number, noun: string = 'whole number'): z.ZodType<number> {
  const text = expected(`a ${noun} from ${min} to ${max}`)
  return z.preprocess(numeric, z.int(text).min(min, text).max(max, text))
}

function numeric(value: unknown): unknown {
  return typeof value === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value
}

function choice<const Values extends readonly [string, ...string[]]>(values: Values): z.ZodType<Values[number]> {
  return z.literal(values, expected(values.length === 1 ? values[0] : `one of ${values.join(', ')}`))
}

function oneOf(candidates: readonly string[], noun: string): z.ZodType<string> {
  const text = expected(
    candidates.length === 0 ? `${noun}, of which there is none` : `${noun} (${candidates.join(', ')})`,
  )
  return z.string(text).refine((value) => candidates.includes(value), { ...text, params: { candidates } })
}
