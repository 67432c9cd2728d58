import {
  argumentError,
  isJsonObject,
  type JsonObject,
  type ToolDefinition,
  toolsForReading,
} from '../../conversation/index.ts'
import { validate } from './validate.ts'
import type { Fault } from './validation-state.ts'

/** A call as `parseToolCalls`, `collectReply` or a conversation has it. */
export interface CallToValidate {
  name: string
  /** The arguments as a value or as JSON text. */
  arguments: JsonObject | string
}

/** `unjudged`: the schema and the arguments take more steps than `validateCall` takes. */
export type CallVerdict =
  | { type: 'valid'; arguments: JsonObject }
  | { type: 'invalid'; faults: readonly Fault[] }
  | { type: 'unjudged'; arguments: JsonObject }

/**
 * Judges a call by the schema of its tool, in a bounded number of steps. A tool that is not among `tools` and arguments that are no JSON object are
 * invalid as well. A fault's `message` continues a sentence about its `place`, in words that a model understands.
 * Throws an AnycallError for tools that are not tools.
 *
 * @example
 * const tools = [{ name: 'wait', schema: { properties: { days: { type: 'integer' } } } }]
 * validateCall({ name: 'wait', arguments: '{"days": "two"}' }, tools)
 * // { type: 'invalid', faults: [{ place: 'days', message: 'is a string, not an integer' }] }
 */
export function validateCall(call: CallToValidate, tools: readonly ToolDefinition[]): CallVerdict {
  if (!isJsonObject(call)) throw argumentError('call', 'a call', call)
  const offered = toolsForReading(tools)
  const tool = offered.find(({ name }) => name === call.name)
  if (!tool) {
    const names = offered.map(({ name }) => name).join(', ')
    return {
      type: 'invalid',
      faults: [{ place: '', message: `is a call of an unknown tool; the tools are: ${names}` }],
    }
  }
  const value = typeof call.arguments === 'string' ? parsed(call.arguments) : call.arguments
  if (!isJsonObject(value)) return { type: 'invalid', faults: [{ place: '', message: 'is not a JSON object' }] }
  const verdict = validate(tool.schema, value)
  return verdict.type === 'invalid'
    ? { type: 'invalid', faults: verdict.faults }
    : { type: verdict.type, arguments: value }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
