import type { Conversation } from '../../conversation/index.ts'
import { type ObjectSchema, parametersOf } from '../conversation-parts.ts'
import type { MessagesPart } from '../refusals/refusals.ts'

/** The tools of a request of the Messages API, and their choice. */
export type ToolsParam = {
  tools?: { name: string; description?: string; input_schema: ObjectSchema; strict?: boolean }[]
  tool_choice?: ToolChoiceParam
}

type ToolChoiceParam =
  | { type: 'none' }
  | { type: 'auto' | 'any'; disable_parallel_tool_use?: boolean }
  | { type: 'tool'; name: string; disable_parallel_tool_use?: boolean }

/** Encodes the tools of a conversation and their choice. What is the API's default, or was refused, is left out. */
export function encodeTools(
  { tools, toolChoice, parallelCalls }: Conversation,
  refused: ReadonlySet<MessagesPart>,
): ToolsParam {
  if (tools.length === 0) return {}
  const encoded = tools.map(({ name, description, schema, strict }) => ({
    name,
    ...(description !== '' && { description }),
    input_schema: parametersOf(schema),
    ...(strict !== undefined && !refused.has('strict') && { strict }),
  }))
  if (toolChoice.type === 'none') return { tools: encoded, tool_choice: { type: 'none' } }
  const forced = refused.has('forced-choice') ? undefined : toolChoice
  const serial = !parallelCalls && !refused.has('disable_parallel_tool_use')
  const limit = serial ? { disable_parallel_tool_use: true } : {}
  if (forced?.type === 'named') {
    return { tools: encoded, tool_choice: { type: 'tool', name: forced.name, ...limit } }
  }
  if (forced?.type === 'required') return { tools: encoded, tool_choice: { type: 'any', ...limit } }
  return serial ? { tools: encoded, tool_choice: { type: 'auto', ...limit } } : { tools: encoded }
}
