import type { JsonObject, Notice } from '../../conversation/index.ts'
import type { MessagesRequest, ToolsRequest } from '../upstream.ts'
import { encodeCohere } from './cohere.ts'
import { encodeCohereV2 } from './cohere-v2.ts'
import { encodeGeneric } from './generic.ts'

export type OciFormatName = 'generic' | 'cohere' | 'cohere-v2'

/** The parts of a request that differ by format. */
export interface EncodedChat {
  fields: JsonObject
  /** Notices about requested settings that the format cannot express. */
  notices: Notice[]
  /** The name of a tool that the model calls by the name that it was sent under. */
  toolName(sent: string): string
}

/** One of the service's formats of a chat. */
export interface OciFormat {
  /** Its name on the wire. */
  apiFormat: string
  /** The model's own calls are used, not described in the prompt. */
  callsTools: boolean
  /** Formats to try instead if the service refuses this one and the configuration does not name it. */
  others: readonly OciFormatName[]
  encode(upstream: string, request: MessagesRequest | ToolsRequest): EncodedChat
}

export const ociFormats: Readonly<Record<OciFormatName, OciFormat>> = {
  generic: {
    apiFormat: 'GENERIC',
    callsTools: false,
    others: ['cohere', 'cohere-v2'],
    encode: (_, request) => ({ fields: encodeGeneric(request), notices: [], toolName: (sent) => sent }),
  },
  cohere: { apiFormat: 'COHERE', callsTools: true, others: ['cohere-v2', 'generic'], encode: encodeCohere },
  'cohere-v2': {
    apiFormat: 'COHEREV2',
    callsTools: true,
    others: ['cohere', 'generic'],
    encode: (_, request) => encodeCohereV2(request),
  },
}

/** Models on demand by their names: the vendor, and Cohere's that take its second API only. The first that fits counts. */
const formatByModel: readonly [RegExp, OciFormatName][] = [
  [/^cohere\.command-a-(?:reasoning|translate|vision)/i, 'cohere-v2'],
  [/^cohere\./i, 'cohere'],
  [/^(?:meta|xai|google|openai)\./i, 'generic'],
]

/** The format that a model's name implies; an OCID implies none. */
export function formatOfModel(id: string): OciFormatName | undefined {
  return formatByModel.find(([name]) => name.test(id))?.[1]
}
