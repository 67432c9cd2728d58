import type { LanguageModelV3CallOptions, SharedV3Warning } from '@ai-sdk/provider'
import { isJsonObject, type ResponseFormat } from '../../conversation/index.ts'
import { type CallPolicy, describeResponseFormat } from '../../dialects/index.ts'

/** The format of a reply as the model and its provider receive it. */
export interface PromptedFormat {
  /** The instructions for the model; may be empty. */
  text: string
  /** True if the provider receives the format as well. */
  isSent: boolean
  warnings: SharedV3Warning[]
}

/** The format that a call asks for; undefined if any text will do. */
export function responseFormatOf(wanted: LanguageModelV3CallOptions['responseFormat']): ResponseFormat | undefined {
  if (wanted?.type !== 'json') return undefined
  const { schema, name, description } = wanted
  if (!isJsonObject(schema)) return { type: 'json' }
  return {
    type: 'json-schema',
    schema,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
  }
}

/**
 * Returns the way in which the model learns of the format: it is said in the prompt, because many providers have no such option or
 * ignore it. The provider receives it as well, except if the reply may have calls: it would hold the model to JSON from the first
 * character on, and a call in text could not be written.
 */
export function promptedFormat(format: ResponseFormat | undefined, policy: CallPolicy): PromptedFormat {
  const { tools, toolChoice } = policy
  const isSent = format === undefined || tools.length === 0 || toolChoice.type === 'none'
  return {
    text: format ? describeResponseFormat({ tools, toolChoice, responseFormat: format }) : '',
    isSent,
    warnings: isSent ? [] : [notSent],
  }
}

const notSent: SharedV3Warning = {
  type: 'compatibility',
  feature: 'responseFormat',
  details: 'With tools offered, the model is asked for JSON in the prompt and not held to it by the provider.',
}
