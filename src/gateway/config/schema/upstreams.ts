import * as z from 'zod'
import { isJsonObject, type JsonValue } from '../../../conversation/index.ts'
import { expected, maxSeconds, number, oneOfValues, section, whole } from './fields.ts'
import { sessionHeaders } from './session-headers.ts'
import { closest } from './suggest.ts'
import type { UpstreamConfig } from './types.ts'

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

const headerName = /^[\w!#$%&'*+.^`|~-]{1,200}$/
const headers = z
  .record(z.string().regex(headerName), header, {
    error: (issue) => (issue.code === 'invalid_key' ? 'the name of an HTTP header' : 'an object of headers by name'),
  })
  .default({})

const timeouts = section({
  connect: number(0.001, maxSeconds, 'seconds').default(5),
  firstByte: number(0.001, maxSeconds, 'seconds').default(600),
  idle: number(0.001, maxSeconds, 'seconds').default(120),
}).prefault({})

const ociEndpointText = expected('the OCID of an endpoint (ocid1.generativeaiendpoint…)')
const regionText = expected('a region such as us-chicago-1')
const compartmentText = expected('the OCID of a compartment or tenancy (ocid1.compartment…)')

const retries = whole(0, 20).default(2)

/** Headers with keys, and those that describe a connection or a body: what the client sent in them is not meant for an upstream. */
const notPassed =
  /^(?:authorization|proxy-.*|x-api-key|x-goog-api-key|cookie|host|content-.*|accept-encoding|transfer-encoding|te|trailer|connection|keep-alive|upgrade|expect)$/
const passedText = expected('the name of a header that may be passed on')
const passedHeader = z
  .string(passedText)
  .regex(headerName, passedText)
  .transform((name) => name.toLowerCase())
  .refine((name) => !notPassed.test(name), expected('a header without a key, and not about the connection or the body'))
const passHeaders = z.array(passedHeader, expected('a list of names of headers')).default(() => [...sessionHeaders])

const filePath = expected('the path of a .gguf file')

/** Settings of every upstream that is reached by HTTP. */
const http = {
  url,
  key: z.exactOptional(key),
  headers,
  timeouts,
  retries,
  passHeaders,
  sessionHeader: z.exactOptional(passedHeader),
}

function text(noun: string): z.ZodString {
  return z.string(expected(noun)).min(1, expected(noun))
}

const scriptedReply = section({
  text: z.exactOptional(z.string(expected('a text'))),
  calls: z.exactOptional(
    z.array(
      section({
        name: text('the name of a tool'),
        arguments: z.record(
          z.string(),
          z.custom<JsonValue>(() => true),
        ),
      }),
      expected('a list of calls'),
    ),
  ),
})

const fromFile: ReadonlySet<string> = new Set(['config-file', 'session-token'])

/** Only the file of OCI has profiles, and only pods have a service account. */
const ociAuth = section({
  type: oneOfValues([
    'config-file',
    'session-token',
    'instance-principal',
    'resource-principal',
    'workload-identity',
  ]).default('config-file'),
  file: z.exactOptional(text('the path of an OCI configuration file')),
  profile: z.exactOptional(text('the name of a profile')),
  tokenFile: z.exactOptional(text("the path of a service account's token")),
  certificateFile: z.exactOptional(text("the path of a cluster's certificate")),
})
  .refine(
    ({ type, file, profile }) => fromFile.has(type) || (file === undefined && profile === undefined),
    expected('no file and no profile beside a principal or workload-identity'),
  )
  .refine(
    ({ type, tokenFile, certificateFile }) =>
      type === 'workload-identity' || (tokenFile === undefined && certificateFile === undefined),
    expected('no tokenFile and no certificateFile but with the type workload-identity'),
  )

const ociModel = section({
  id: z.exactOptional(text("the model's name or OCID")),
  endpoint: z.exactOptional(z.string(ociEndpointText).regex(/^ocid1\.generativeaiendpoint\./, ociEndpointText)),
  format: z.exactOptional(oneOfValues(['generic', 'cohere', 'cohere-v2'])),
  maxTokensField: oneOfValues(['maxTokens', 'maxCompletionTokens']).default('maxTokens'),
  maxTokens: z.exactOptional(whole(1, 10_000_000)),
  temperature: z.exactOptional(number(0, 2, 'a number')),
})

/** Engines that may have other grammars than their own. */
const engine = { grammars: z.exactOptional(oneOfValues(['lark'])) }

/** The upstreams there are, by their types. */
const types = [
  section({
    type: z.literal('openai-chat'),
    ...http,
    maxTokensField: oneOfValues(['max_tokens', 'max_completion_tokens']).default('max_tokens'),
  }),
  section({ type: z.literal('openai-responses'), ...http }),
  section({
    type: z.literal('anthropic'),
    ...http,
    maxTokens: whole(1, 10_000_000).default(16_384),
    promptCaching: z.boolean(expected('true or false')).default(true),
  }),
  section({ type: z.literal('ollama'), ...http, contextLength: z.exactOptional(whole(256, 100_000_000)) }),
  section({ type: z.literal('llama-server'), ...http, ...engine }),
  section({ type: z.literal('vllm'), ...http, ...engine }),
  section({ type: z.literal('sglang'), ...http, ...engine }),
  section({
    type: z.literal('oci-generative-ai'),
    compartment: z.string(compartmentText).regex(/^ocid1\.(?:compartment|tenancy)\./, compartmentText),
    region: z.exactOptional(z.string(regionText).regex(/^[a-z0-9-]+$/, regionText)),
    endpoint: z.exactOptional(url),
    auth: ociAuth.prefault({}),
    models: z.record(z.string(), ociModel, expected('an object of models by name')).default({}),
    timeouts,
    retries,
  }).refine(
    ({ auth, region, endpoint }) => auth.type !== 'workload-identity' || region !== undefined || endpoint !== undefined,
    { ...expected(`${regionText.error}, which a pod does not know`), path: ['region'] },
  ),
  section({
    type: z.literal('gguf'),
    file: z.string(filePath).min(1, filePath),
    contextSize: z.exactOptional(whole(256, 16_777_216)),
    threads: z.exactOptional(whole(1, 1024)),
    gpuLayers: z.exactOptional(whole(0, 10_000)),
    sequences: whole(1, 256).default(2),
  }),
  section({
    type: z.literal('scripted'),
    replies: z.exactOptional(z.array(scriptedReply, expected('a list of replies'))),
  }),
] as const

/** Their names, as errors list them. */
export const upstreamTypes: readonly string[] = types.map(({ shape }) => shape.type.value)

/** The types of upstreams that are reached at a URL. */
export const typesWithUrl: readonly string[] = types
  .filter(({ shape }) => 'url' in shape)
  .map(({ shape }) => shape.type.value)

export const upstream: z.ZodType<UpstreamConfig> = z.discriminatedUnion('type', types, {
  error: (issue) =>
    issue.code === 'invalid_union' ? `one of ${upstreamTypes.join(', ')}` : 'an object with the type of the upstream',
})

/** For an upstream with an unknown type: the settings that all servers share must still be valid. */
const anyServer = z.looseObject(http).partial()

/**
 * Returns the other faults of an upstream whose type is unknown, the only fault in `issue`. Its members are checked
 * against the type with the most similar name, or else against the members that all servers have.
 */
export function issuesBesideType(issue: z.core.$ZodIssue, config: unknown): z.core.$ZodIssue[] {
  const [section, name, member] = issue.path
  if (issue.code !== 'invalid_union' || section !== 'upstreams' || member !== 'type' || typeof name !== 'string')
    return []
  const upstreams = isJsonObject(config) ? config.upstreams : undefined
  const given = isJsonObject(upstreams) ? upstreams[name] : undefined
  if (!isJsonObject(given)) return []
  const type = typeof given.type === 'string' ? closest(given.type, upstreamTypes) : undefined
  const schema = types.find(({ shape }) => shape.type.value === type) ?? anyServer
  const { error } = schema.safeParse({ ...given, type })
  return (error?.issues ?? [])
    .filter(({ path: [key] }) => key === undefined || Object.hasOwn(given, key))
    .map((other) => ({ ...other, path: [section, name, ...other.path] }))
}
