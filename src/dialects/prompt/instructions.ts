import type { JsonValue, Notice, Tool } from '../../conversation/index.ts'
import type { CallPolicy } from '../format/dialect.ts'

/**
 * The tools as JSON, one per line. Marks are broken only in the texts within the list: breaking marks in its own JSON
 * costs tokens, and shows models text that is not JSON.
 */
export function toolLines(
  tools: readonly Tool[],
  schemaKey: 'parameters' | 'input_schema',
  neutralise: (text: string) => string,
): string {
  return tools
    .map(({ name, description, schema }) =>
      JSON.stringify(withTexts({ name, description, [schemaKey]: schema }, neutralise)),
    )
    .join('\n')
}

/** A value with each text in it changed, names of members among them. */
function withTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => withTexts(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [change(key), withTexts(member ?? null, change)]),
  )
}

/** The rules for calls in the next reply, in words: the same in every dialect's prompt. */
export function choiceRules(policy: CallPolicy): string[] {
  const rules: string[] = []
  switch (policy.toolChoice.type) {
    case 'auto':
      rules.push('Call a tool when that helps with the task; otherwise answer in plain text, without any call.')
      break
    case 'none':
      rules.push('Do not call any tool in your next reply.')
      break
    case 'required':
      rules.push('In your next reply you must call at least one tool.')
      break
    case 'named':
      rules.push(`In your next reply you must call the tool \`${policy.toolChoice.name}\`, and no other.`)
  }
  if (policy.toolChoice.type !== 'none') {
    rules.push(
      policy.parallelCalls
        ? "You may call several tools in one reply when they do not need each other's results."
        : 'Call at most one tool in a reply.',
    )
  }
  return rules
}

/** True for a request whose reply must have a call. */
export function demandsCall({ toolChoice }: Pick<CallPolicy, 'toolChoice'>): boolean {
  return toolChoice.type === 'required' || toolChoice.type === 'named'
}

/** The notice of a reply without the demanded call, after a second request for it. */
export const missingCallNotice: Notice = {
  code: 'required-call-missing',
  message: 'The request demands a tool call; the model made none, and none when it was asked again.',
}

/** Returns the request to a model whose reply lacks the call that is demanded. */
export function missingCallRequest(policy: CallPolicy): string {
  const tool = policy.toolChoice.type === 'named' ? `the tool \`${policy.toolChoice.name}\`` : 'at least one tool'
  return `Your reply has no tool call, but one is required. Reply again and call ${tool}, in exactly the format given.`
}
