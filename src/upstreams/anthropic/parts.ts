import { isJsonObject, type JsonObject, type JsonValue } from '../../conversation/index.ts'
import type { MessagesPart } from '../refusals/refusals.ts'
import { hasBreakpoints } from './cache.ts'

/** Efforts that Claude Opus 5 takes only if it thinks. */
export const highEfforts: ReadonlySet<unknown> = new Set(['xhigh', 'max'])

/** True if a message of the assistant calls, and has no reasoning. */
export function lacksReasoning(message: JsonValue): boolean {
  if (!isJsonObject(message) || message.role !== 'assistant' || !Array.isArray(message.content)) return false
  const types = message.content.map((block) => (isJsonObject(block) ? block.type : undefined))
  return types.includes('tool_use') && !types.includes('thinking')
}

/** True if a body has a part that its server may refuse. */
export function hasPart(body: JsonObject, part: MessagesPart): boolean {
  const [thinking, choice, config] = [objectOf(body.thinking), objectOf(body.tool_choice), objectOf(body.output_config)]
  switch (part) {
    case 'missing-reasoning':
      return thinking.type !== 'disabled' && Array.isArray(body.messages) && body.messages.some(lacksReasoning)
    case 'thinking-on':
      return thinking.type !== 'disabled'
    case 'thinking-budget':
    case 'thinking-after-results':
      return thinking.type === 'enabled'
    case 'thinking-display':
      return thinking.display !== undefined
    case 'thinking-disabled':
      return thinking.type === 'disabled'
    case 'thinking':
      return thinking.type !== undefined
    case 'effort-without-thinking':
      return highEfforts.has(config.effort)
    case 'effort':
      return config.effort !== undefined
    case 'format':
      return config.format !== undefined
    case 'strict':
      return Array.isArray(body.tools) && body.tools.some((tool) => isJsonObject(tool) && tool.strict !== undefined)
    case 'disable_parallel_tool_use':
      return choice.disable_parallel_tool_use !== undefined
    case 'cache_control':
      return hasBreakpoints(body)
    case 'forced-choice':
      return choice.type === 'any' || choice.type === 'tool'
    default:
      return body[part] !== undefined
  }
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}
