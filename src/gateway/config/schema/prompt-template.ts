import { memoize, RecentMap } from '../../../conversation/index.ts'
import type { CallPolicy, Dialect, PromptContext } from '../../../dialects/index.ts'
import { choiceRules } from '../../../dialects/index.ts'

// `{tools_list}` and `{trigger_signal}` are the placeholders of Toolify's `prompt_template`, so that one of those can
// be used unchanged.
const placeholder = /\{(tools|tools_list|trigger_signal|rules)\}/g

/** Returns the placeholder that a template of a prompt lacks for a dialect; undefined if none. */
export function missingPlaceholder(template: string, dialect: Dialect): string | undefined {
  const has = new Set([...template.matchAll(placeholder)].map(([, name]) => name))
  if (!has.has('tools') && !has.has('tools_list'))
    return 'a text that contains {tools}, which is replaced by the list of tools'
  if (dialect.usesTrigger && !has.has('trigger_signal')) {
    return `a text that contains {trigger_signal}, which is replaced by the trigger: the dialect ${dialect.name} accepts calls only after it`
  }
  return undefined
}

const byTemplate = memoize((_: Dialect) => new RecentMap<string, Dialect>())

/**
 * Returns the dialect with another description of the tools: `{tools}` is the list of them, `{trigger_signal}` the
 * conversation's trigger, `{rules}` the restrictions on the next reply. Without `{rules}`, restrictions are added at
 * the end. The same template gives the same dialect, so that caches stay valid.
 */
export function withPromptTemplate(dialect: Dialect, template: string): Dialect {
  return byTemplate(dialect).of(template, () => ({
    ...dialect,
    describe: (policy: CallPolicy, promptContext: PromptContext) => filled(template, dialect, policy, promptContext),
  }))
}

/** Each placeholder is replaced once: the replacement is not searched for placeholders. */
function filled(template: string, dialect: Dialect, policy: CallPolicy, promptContext: PromptContext): string {
  const rules = choiceRules(policy)
    .map((rule) => `- ${rule}`)
    .join('\n')
  let saysRules = policy.toolChoice.type === 'auto' && policy.parallelCalls
  const text = template.trim().replace(placeholder, (_, name: string) => {
    if (name === 'trigger_signal') return promptContext.trigger
    if (name !== 'rules') return dialect.listTools(policy.tools, promptContext)
    saysRules = true
    return rules
  })
  return saysRules ? text : `${text}\n\n${rules}`
}
