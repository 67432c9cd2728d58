import { isJsonObject, type JsonObject, RecentMap, type Sampling } from '../../conversation/index.ts'
import { HttpApi, type HttpApiOptions, type HttpApiStyle } from '../http/api.ts'
import { notTaken } from '../http/upstream-error.ts'
import { LearnedLimits } from '../refusals/learned-limits.ts'
import type { OciPart } from '../refusals/refusals.ts'
import { RequestLimits } from '../refusals/request-limits.ts'
import type { GenerationContext, MessagesRequest, ToolsRequest, Upstream } from '../upstream.ts'
import { ociFormat } from './chunk.ts'
import { type EncodedChat, formatOfModel, type OciFormatName, ociFormats } from './formats.ts'
import type { OciAuth } from './session.ts'
import { createOciTransport } from './transport.ts'

export interface OciGenerativeAiOptions extends Pick<HttpApiOptions, 'name' | 'timeouts' | 'retries' | 'transport'> {
  /** The OCID of the compartment that the requests belong to. */
  compartment: string
  /** The region of the service. Without a region and an endpoint, the region that the keys name. */
  region?: string
  /** In place of the region's own: `https://inference.generativeai.us-chicago-1.oci.oraclecloud.com`. */
  endpoint?: string
  auth: OciAuth
  /** Definitions of models, by name. Models without a definition can be requested too. */
  models?: Readonly<Record<string, OciModel>>
}

/** A model's definition in the configuration. */
export interface OciModel {
  /** The model's OCID or its name at OCI; absent: the name that it goes by here. */
  id?: string
  /** The OCID of the endpoint of a dedicated cluster, which serves the model. */
  endpoint?: string
  format?: OciFormatName
  /** The field for the most tokens of a reply; OpenAI's models want `maxCompletionTokens`. Only in the Generic format. */
  maxTokensField?: 'maxTokens' | 'maxCompletionTokens'
  /** The most tokens that a request may ask for; a higher number is lowered to it. */
  maxTokens?: number
  /** The temperature for requests without one. */
  temperature?: number
}

/** The path of the API's version. */
const style: HttpApiStyle = { path: '/20231130', endpoints: [/\/actions\/chat$/] }

/** The service's words for a body that it cannot read at all, and for a format that is not the model's. */
const formatRefused = /correct format of request|api ?format/i

/**
 * Creates an upstream for OCI Generative AI's chat inference. Oracle's SDK, which signs the requests, is loaded with the
 * first one. Throws an AnycallError if an option is invalid.
 */
export function createOciGenerativeAiUpstream(options: OciGenerativeAiOptions): Upstream {
  const { name, compartment, region, auth, transport, timeouts, retries, models = {} } = options
  const endpoint = options.endpoint?.replace(/\/+$/, '').replace(/\/20231130(?:\/actions\/chat)?$/, '')
  const api = new HttpApi(
    {
      name,
      // For error messages: the transport finds the region's address.
      url: endpoint ?? `https://inference.generativeai.${region ?? 'region'}.oci.oraclecloud.com`,
      ...(timeouts && { timeouts }),
      ...(retries !== undefined && { retries }),
      transport: createOciTransport({
        name,
        auth,
        transport,
        ...(endpoint !== undefined && { endpoint }),
        ...(region !== undefined && { region }),
      }),
    },
    style,
  )
  /** By model, the format that the service made known by refusing others. */
  const formats = new RecentMap<string, OciFormatName>()
  const learned = new LearnedLimits<OciPart>()

  const modelOf = (model: string): OciModel => (Object.hasOwn(models, model) ? models[model] : undefined) ?? {}

  function formatOf(model: string): OciFormatName | undefined {
    const { format, id = model } = modelOf(model)
    return format ?? formats.get(model) ?? formatOfModel(id)
  }

  function encode(
    request: MessagesRequest | ToolsRequest,
    format: OciFormatName,
    limits: RequestLimits<'oci'>,
  ): Encoded {
    const { model } = request
    const definition = modelOf(model)
    const { maxTokensField = 'maxTokens', temperature } = definition
    const { apiFormat, encode } = ociFormats[format]
    const { fields, notices, toolName } = encode(name, request)
    const chatRequest: JsonObject = {
      apiFormat,
      ...fields,
      isStream: true,
      streamOptions: { isIncludeUsage: true },
      ...samplingFields({ ...(temperature !== undefined && { temperature }), ...request.sampling }),
    }
    if (request.maxTokens !== undefined) {
      const asked = Math.min(request.maxTokens, definition.maxTokens ?? Number.POSITIVE_INFINITY)
      chatRequest[format === 'generic' ? maxTokensField : 'maxTokens'] = limits.bound(asked) ?? asked
    }
    const effort = request.reasoning?.effort?.toUpperCase()
    if (format === 'generic' && effort !== undefined && reasoningEfforts.has(effort))
      chatRequest.reasoningEffort = effort
    for (const field of limits.refused) delete chatRequest[field]
    const body = { compartmentId: compartment, servingMode: servingMode(model, definition), chatRequest }
    return { body, notices, toolName }
  }

  return {
    name,
    type: 'oci-generative-ai',
    abilities: { requests: ['messages', 'tools'] },
    models: async () => Object.keys(models).map((id) => ({ id })),
    callsTools: async (model) => {
      const format = formatOf(model)
      return format === undefined ? undefined : ociFormats[format].callsTools
    },
    async generate(request, context: GenerationContext) {
      if (request.type === 'prompt') throw notTaken(name, request)
      const { model } = request
      const known = formatOf(model)
      const isFixed = modelOf(model).format !== undefined
      const first = known ?? 'generic'
      let format: OciFormatName = first
      const limits = new RequestLimits({ api: 'oci', upstream: name, model, learned, log: context.log })
      let encoded = encode(request, format, limits)
      const others = [...ociFormats[first].others]
      const body = (): JsonObject => {
        encoded = encode(request, format, limits)
        return encoded.body
      }
      return api.stream<JsonObject>(
        {
          path: '/actions/chat',
          body,
          format: () => ociFormat({ toolName: encoded.toolName }),
          before: () => {
            limits.keep()
            if (format !== first) formats.set(model, format)
            return encoded.notices.map((notice) => ({ type: 'notice', notice }))
          },
          reduce: ({ chatRequest }, status, text) => {
            if (status !== 400 && status !== 422) return undefined
            const sent = isJsonObject(chatRequest) ? chatRequest : {}
            const refused = {
              maxTokens: sent.maxTokens ?? sent.maxCompletionTokens,
              isIn: (part: OciPart) => sent[part] !== undefined,
            }
            if (limits.learn(refused, status, text)) return body()
            if (isFixed || formats.has(model) || !formatRefused.test(text)) return undefined
            if (known !== undefined && !/api ?format/i.test(text)) return undefined
            const next = others.shift()
            if (next === undefined) return undefined
            format = next
            context.log('info', 'upstream.format-changed', { upstream: name, model, format })
            return body()
          },
        },
        context,
      )
    },
  }
}

interface Encoded extends Omit<EncodedChat, 'fields'> {
  body: JsonObject
}

function servingMode(model: string, { id = model, endpoint }: OciModel): JsonObject {
  const dedicated = endpoint ?? (/^ocid1\.generativeaiendpoint\./.test(id) ? id : undefined)
  return dedicated === undefined
    ? { servingType: 'ON_DEMAND', modelId: id }
    : { servingType: 'DEDICATED', endpointId: dedicated }
}

/** All formats name them as anycall does. */
const samplingKeys: readonly (keyof Sampling)[] = [
  'temperature',
  'topP',
  'topK',
  'presencePenalty',
  'frequencyPenalty',
  'seed',
]

function samplingFields(sampling: Sampling): JsonObject {
  return Object.fromEntries(
    samplingKeys.flatMap((key) => {
      const value = sampling[key]
      return value === undefined ? [] : [[key, value]]
    }),
  )
}

const reasoningEfforts: ReadonlySet<string> = new Set(['NONE', 'MINIMAL', 'LOW', 'MEDIUM', 'HIGH'])
