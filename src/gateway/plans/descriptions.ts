import { type CallPolicy, type Dialect, KnownDescriptions, type PromptContext } from '../../dialects/index.ts'

/**
 * The placeholder for the trigger in remembered descriptions. In the tools' own text it is neutralised like any mark, so
 * each that is left is the place of the conversation's trigger.
 */
const noTrigger = '<<CALL_TRIGGER>>'

const known = new WeakMap<Dialect, Dialect>()

/**
 * Returns the dialect with a `describe` that caches its result for as long as the list of tools lives. Tools never contain
 * the trigger of their conversation, since it is derived from them.
 */
export function withCachedDescriptions(dialect: Dialect): Dialect {
  const found = known.get(dialect)
  if (found) return found
  const descriptions = new KnownDescriptions()
  const remembering = {
    ...dialect,
    describe(policy: CallPolicy, voice: PromptContext): string {
      const description = descriptions.of(
        policy,
        JSON.stringify([voice.accept?.looseCalls, voice.accept?.naturalLanguage]),
        () => dialect.describe(policy, { ...voice, trigger: noTrigger }),
      )
      return description.replaceAll(noTrigger, () => voice.trigger)
    },
  }
  known.set(dialect, remembering)
  return remembering
}
