import { memoize } from '../../conversation/index.ts'
import { type CallPolicy, type Dialect, KnownDescriptions, type PromptContext } from '../../dialects/index.ts'

/**
 * The placeholder for the trigger in remembered descriptions. In the tools' own text it is neutralised like any mark, so
 * each that is left is the place of the conversation's trigger.
 */
const noTrigger = '<<CALL_TRIGGER>>'

/**
 * Returns the dialect with a `describe` that caches its result for as long as the list of tools lives. Tools never contain
 * the trigger of their conversation, since it is derived from them.
 */
export const withCachedDescriptions: (dialect: Dialect) => Dialect = memoize((dialect) => {
  const descriptions = new KnownDescriptions<string[]>()
  return {
    ...dialect,
    describe(policy: CallPolicy, promptContext: PromptContext): string {
      const { accept, trigger } = promptContext
      const aroundTriggers = descriptions.of(policy, `${accept?.looseCalls} ${accept?.naturalLanguage}`, () =>
        dialect.describe(policy, { ...promptContext, trigger: noTrigger }).split(noTrigger),
      )
      return aroundTriggers.join(trigger)
    },
  }
})
