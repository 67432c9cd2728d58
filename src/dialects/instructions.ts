import type { CallPolicy } from './call-gate.ts'

/** What the next reply may call, in words: said in every dialect's prompt alike. */
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
        ? 'You may call several tools in one reply when they do not need each other’s results.'
        : 'Call at most one tool in a reply.',
    )
  }
  return rules
}

/** What to ask of a model whose reply lacks the call that the request demands. */
export function missingCallRequest(policy: CallPolicy): string {
  const tool = policy.toolChoice.type === 'named' ? `the tool \`${policy.toolChoice.name}\`` : 'at least one tool'
  return `Your reply has no tool call, but one is required. Reply again and call ${tool}, in exactly the format given.`
}
