import type { LanguageModelV3CallOptions, SharedV3Warning } from '@ai-sdk/provider'
import { isJsonObject, type ResponseFormat } from '../conversation/index.ts'
import { type CallPolicy, describeResponseFormat } from '../dialects/index.ts'

export interface PromptedFormat {
  format: ResponseFormat
  /** The instructions for the model. */
  text: string
  warning: SharedV3Warning
}

/**
 * Returns the format of a reply that must be JSON and may have calls, to be said in the prompt. It is not sent to the provider: that would hold
 * the model to JSON from the first character on, and a call in text could not be written. Undefined if only one of the two applies.
 */
export function promptedFormat(
  wanted: LanguageModelV3CallOptions['responseFormat'],
  { tools, toolChoice }: CallPolicy,
): PromptedFormat | undefined {
  if (wanted?.type !== 'json' || tools.length === 0 || toolChoice.type === 'none') return undefined
  const format = responseFormatOf(wanted)
  return {
    format,
    text: describeResponseFormat({ tools, toolChoice, responseFormat: format }),
    warning: {
      type: 'compatibility',
      feature: 'responseFormat',
      details: 'With tools offered, the model is asked for JSON in the prompt and not held to it by the provider.',
    },
  }
}

type JsonFormat = Extract<LanguageModelV3CallOptions['responseFormat'], { type: 'json' }>

function responseFormatOf({ schema, name, description }: JsonFormat): ResponseFormat {
  if (!isJsonObject(schema)) return { type: 'json' }
  return {
    type: 'json-schema',
    schema,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
  }
}
