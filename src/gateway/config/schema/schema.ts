import * as z from 'zod'
import { expected, maxSeconds, number, oneOf, oneOfOrOwn, oneOfValues, section, whole, wholeOrAuto } from './fields.ts'
import { keys } from './keys.ts'
import { dialectOfRule, isOwnDialect } from './own-objects.ts'
import { missingPlaceholder } from './prompt-template.ts'
import { records } from './records.ts'
import { type GatewayConfig, logFormats, logLevels, type ModelRule, planNames } from './types.ts'
import { key, upstream } from './upstreams.ts'

/**
 * The facts about the configuration and the program that the schema needs before it reads: the names that others refer
 * to.
 */
export interface SchemaContext {
  upstreams: readonly string[]
  dialects: readonly string[]
  /** True for a list of keys, false for a word; the expected values depend on it. */
  keysAreListed: boolean
}

/**
 * The schema of a configuration.
 */
export function gatewaySchema(context: SchemaContext): z.ZodType<GatewayConfig> {
  return section({
    $schema: z.exactOptional(z.string(expected('the address of the JSON schema'))),
    listen: section({
      host: z
        .string(expected('a host name or address'))
        .min(1, expected('a host name or address'))
        .default('127.0.0.1'),
      port: whole(0, 65_535, 'port number').default(8787),
      workers: wholeOrAuto(1, 256).default(1),
      drainSeconds: number(0, maxSeconds, 'seconds').default(0),
      graceSeconds: number(0, maxSeconds, 'seconds').default(5),
    }).prefault({}),
    secret: z.exactOptional(
      z.string(expected('a text of at least 16 characters')).min(16, expected('a text of at least 16 characters')),
    ),
    keys: context.keysAreListed
      ? keys.default([])
      : z.literal('pass-through', expected('a list of keys, or the word pass-through')),
    cors: z
      .preprocess(
        listed,
        z
          .array(z.string(origin).regex(/^(?:\*|[a-z][a-z\d+.-]*:\/\/[^\s/?#@*A-Z]+)$/, origin), origins)
          .min(1, origins),
      )
      .default([]),
    upstreams: z
      .record(z.string().regex(/^[A-Za-z0-9][\w.-]*$/), upstream, {
        error: (issue) =>
          issue.code === 'invalid_key' ? 'a name of letters, digits, ., _ and -' : 'an object of upstreams by name',
      })
      .default({}),
    models: z.array(modelRule(context), expected('a list of rules, each with match and upstream')).default([]),
    anthropicPrefix: z
      .string(prefix)
      .max(100, prefix)
      .refine((value) => value === '' || /claude|anthropic/i.test(value), prefix)
      .default('anthropic/'),
    responses: section({
      store: z.exactOptional(storeUrl),
      timeout: number(0.001, maxSeconds, 'seconds').default(2),
    }).prefault({}),
    limits: section({
      store: z.exactOptional(storeUrl),
      bodyMegabytes: number(0.001, 4096, 'megabytes').default(32),
      bodyValues: whole(1000, 100_000_000).default(250_000),
      bodiesMegabytes: number(1, 1_000_000, 'megabytes').default(512),
      requestSeconds: number(0.001, maxSeconds, 'seconds').default(900),
      concurrentRequests: whole(1, 1_000_000).default(256),
      startSeconds: number(0.001, maxSeconds, 'seconds').default(10),
      toolCount: whole(0, 1_000_000).default(512),
      schemaDepth: whole(1, 10_000).default(64),
      attempts: whole(1, 1000).default(32),
      responsesMegabytes: number(0, 1_000_000, 'megabytes').default(64),
      responsesMinutes: number(0.001, 100_000, 'minutes').default(60),
      repliesMegabytes: number(0, 1_000_000, 'megabytes').default(32),
    }).prefault({}),
    records: z.exactOptional(records),
    metrics: z.exactOptional(metrics),
    log: section({
      level: z.preprocess(inSmallLetters, oneOfValues(logLevels)).default('info'),
      format: oneOfValues(logFormats).default('auto'),
    }).prefault({}),
  }).transform(({ $schema: _, metrics, ...config }) => ({ ...config, ...(metrics && { metrics }) }))
}

const metricsText = expected('true, false, or an object with key')

/** `true` means an object with nothing in it. Values from the environment are text. */
const metrics = z.preprocess(
  (value) => (boolean(value) === true ? {} : boolean(value)),
  z.union([z.literal(false), section({ key: z.exactOptional(key) })], metricsText),
)

/** `LOG_LEVEL` is often in capitals. */
function inSmallLetters(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value
}

/** A single value means a list of one. */
function listed(value: unknown): unknown {
  return typeof value === 'string' ? [value] : value
}

const storeText = expected('a redis://, rediss://, valkey:// or valkeys:// URL with a host and without ? and #')
const storeUrl = z
  .string(storeText)
  .refine((text) => URL.canParse(text) && /^(?:redis|valkey)s?:\/\/[^?#]*$/.test(text), { ...storeText, abort: true })
  .refine((text) => new URL(text).hostname !== '', storeText)

const origin = expected('an origin in small letters and without a path, such as https://app.example, or *')
const origins = expected('an origin, or a list of them')
const name = expected('a name')
const prefix = expected('a prefix that contains claude or anthropic, or an empty text for none')

const flag = z.preprocess(boolean, z.boolean(expected('true or false')))

/** Accepts text too, since values from the environment are text. */
function boolean(value: unknown): unknown {
  return value === 'true' ? true : value === 'false' ? false : value
}

/**
 * Returns the placeholder that a rule's prompt lacks: without the tools, or the trigger that calls need, the model
 * could not call.
 */
function promptFault(rule: Pick<ModelRule, 'promptTemplate' | 'dialect'>): string | undefined {
  const { promptTemplate } = rule
  const used = dialectOfRule(rule)
  return promptTemplate !== undefined && used ? missingPlaceholder(promptTemplate, used) : undefined
}

function modelRule({ upstreams, dialects: dialectNames }: SchemaContext): z.ZodType<ModelRule> {
  const modelName = z.exactOptional(z.string(name).min(1, name))
  return section({
    match: z.preprocess(
      listed,
      z
        .array(z.string(expected('a model name or pattern')).min(1, expected('a model name or pattern')), {
          ...expected('a model name or pattern, or a list of them'),
        })
        .min(1, expected('at least one model name or pattern')),
    ),
    upstream: z.preprocess(
      (value) => {
        const shares: unknown[] = Array.isArray(value) ? value : [value]
        return shares.map((share) => (typeof share === 'object' ? share : { name: share }))
      },
      z
        .array(
          section({
            name: oneOf(upstreams, 'the name of an upstream'),
            model: modelName,
            weight: z.exactOptional(number(0.001, 1_000_000, 'as a weight')),
          }),
        )
        .min(1, expected('the name of an upstream')),
    ),
    order: z.exactOptional(
      z.preprocess(
        (value) => (typeof value === 'string' ? { by: value } : value),
        section({
          by: oneOfValues(['best']),
          window: number(1, 3600, 'seconds').default(300),
          floor: whole(1, 100).default(20),
        }),
      ),
    ),
    model: modelName,
    plan: oneOfValues([...planNames, 'auto']).default('auto'),
    dialect: z.exactOptional(oneOfOrOwn(dialectNames, 'a dialect', isOwnDialect)),
    promptTemplate: z.exactOptional(z.string(expected('a text with {tools}'))),
    reading: z.exactOptional(
      section({
        naturalLanguage: flag.default(false),
        looseCalls: flag.default(false),
        callsInReasoning: flag.default(false),
        fences: oneOfValues(['strict', 'lenient']).default('strict'),
      }),
    ),
    template: z.exactOptional(z.string(expected('a file')).min(1, expected('a file'))),
    reasoning: oneOfValues(['field', 'drop']).default('field'),
    showReasoning: oneOfValues(['asked', 'always']).default('asked'),
    delivery: oneOfValues(['live', 'whole']).default('live'),
    corrections: whole(0, 10).default(0),
    continuations: whole(0, 10).default(0),
    toolSearch: whole(0, 10_000).default(0),
  })
    .refine((rule) => promptFault(rule) === undefined, {
      path: ['promptTemplate'],
      error: ({ input }) => promptFault(Object(input)),
    })
    .transform(({ upstream, ...rule }) => ({ ...rule, upstreams: upstream }))
}
