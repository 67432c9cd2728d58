import type { LanguageModelV3CallOptions, SharedV3Warning } from '@ai-sdk/provider'
import type { CallPolicy } from '../dialects/index.ts'

export interface JsonInstructions {
  text: string
  warning: SharedV3Warning
}

/**
 * Returns the instruction for a model that must answer in JSON and may call tools. The format is not sent to the provider: it would hold the model
 * to JSON from the first character on, and a call in text could not be written. Undefined if only one of the two applies.
 */
export function jsonInstructions(
  format: LanguageModelV3CallOptions['responseFormat'],
  { tools, toolChoice }: CallPolicy,
): JsonInstructions | undefined {
  if (format?.type !== 'json' || tools.length === 0 || toolChoice.type === 'none') return undefined
  const schema =
    format.schema === undefined ? '' : ` that is valid against this JSON schema:\n${JSON.stringify(format.schema)}`
  return {
    text: `# The form of your answer

A reply without a tool call is nothing but one JSON value, with no code block and no words around it${schema === '' ? '.' : `,${schema}`}`,
    warning: {
      type: 'compatibility',
      feature: 'responseFormat',
      details: 'With tools offered, the model is asked for JSON in the prompt and not held to it by the provider.',
    },
  }
}
