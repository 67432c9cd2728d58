import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  LanguageModelV3ProviderTool,
  LanguageModelV3ToolChoice,
} from '@ai-sdk/provider'
import { isJsonObject, type JsonObject, type Tool, type ToolChoice } from '../../conversation/index.ts'

/** The tools of a model call: those that the prompt describes, and those that only its provider supports. */
export interface Offer {
  tools: Tool[]
  toolChoice: ToolChoice
  /** Parameters that go to the provider unchanged. */
  native: { tools?: LanguageModelV3ProviderTool[]; toolChoice?: LanguageModelV3ToolChoice }
}

/** Sorts a call's tools: functions can be described to any model, a provider's own tools run at the provider. */
export function readOffer({ tools = [], toolChoice }: LanguageModelV3CallOptions): Offer {
  const functions = tools.filter((tool) => tool.type === 'function')
  const native = tools.filter((tool) => tool.type === 'provider')
  // If the choice is a tool of the provider, the provider makes it, and no function may be called.
  const isNativeChoice = toolChoice?.type === 'tool' && native.some(({ name }) => name === toolChoice.toolName)
  return {
    tools: functions.map(readTool),
    toolChoice: isNativeChoice ? { type: 'none' } : readChoice(toolChoice),
    native: {
      ...(native.length > 0 && { tools: native }),
      ...(toolChoice && native.length > 0 && (isNativeChoice || toolChoice.type === 'none') && { toolChoice }),
    },
  }
}

function readTool({ name, description = '', inputSchema, inputExamples = [] }: LanguageModelV3FunctionTool): Tool {
  const examples = inputExamples.map(({ input }) => `Example of its arguments: ${JSON.stringify(input)}`)
  return {
    name,
    description: [description, ...examples].filter((text) => text !== '').join('\n'),
    schema: readSchema(inputSchema),
  }
}

/** Returns the schema without `$schema`, which is the same in each and is of no use to a model. */
function readSchema(inputSchema: unknown): JsonObject {
  if (!isJsonObject(inputSchema)) return {}
  const { $schema: _, ...schema } = inputSchema
  return schema
}

function readChoice(choice: LanguageModelV3ToolChoice | undefined): ToolChoice {
  if (choice === undefined) return { type: 'auto' }
  return choice.type === 'tool' ? { type: 'named', name: choice.toolName } : { type: choice.type }
}
