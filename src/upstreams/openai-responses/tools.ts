import type { Conversation, JsonObject, ToolChoice } from '../../conversation/index.ts'
import { parametersOf } from '../conversation-parts.ts'
import type { ResponsesPart } from '../refusals/refusals.ts'
import type { ToolNames } from '../tool-names.ts'

/** The fields of a request about tools. */
export function encodeTools(
  { tools, toolChoice, parallelCalls }: Conversation,
  refused: ReadonlySet<ResponsesPart>,
  names: ToolNames | undefined,
): JsonObject {
  if (tools.length === 0) return {}
  const nameOf = (name: string): string => names?.sent(name) ?? name
  return {
    tools: tools.map(({ name, description, schema, strict = false }) => ({
      type: 'function',
      name: nameOf(name),
      ...(description !== '' && { description }),
      parameters: parametersOf(schema),
      // The API's own default is true, for which most schemas are not made.
      strict: strict && !refused.has('strict'),
    })),
    ...(toolChoice.type !== 'auto' && { tool_choice: encodeChoice(toolChoice, nameOf) }),
    ...(!parallelCalls && !refused.has('parallel_tool_calls') && { parallel_tool_calls: false }),
  }
}

function encodeChoice(choice: ToolChoice, nameOf: (name: string) => string): string | JsonObject {
  return choice.type === 'named' ? { type: 'function', name: nameOf(choice.name) } : choice.type
}
