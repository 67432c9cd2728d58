import { type CallPolicy, type Dialect, KnownDescriptions, type PromptContext } from '../../dialects/index.ts'

/**
 * The trigger with which descriptions are remembered. Where tools hold it as text it is neutralised like any mark, so
 * that it stands only where the description has the conversation's trigger.
 */
const noTrigger = '<<CALL_TRIGGER>>'

const known = new WeakMap<Dialect, Dialect>()

/**
 * The dialect, with a `describe` that remembers for as long as the list of tools lives. A conversation's own trigger never stands in its tools, since it is
 * derived from them.
 */
export function rememberingDescriptions(dialect: Dialect): Dialect {
  const found = known.get(dialect)
  if (found) return found
  const descriptions = new KnownDescriptions()
  const remembering = {
    ...dialect,
    describe(policy: CallPolicy, voice: PromptContext): string {
      const description = descriptions.of(policy, JSON.stringify([voice.looseCalls, voice.naturalLanguage]), () =>
        dialect.describe(policy, { ...voice, trigger: noTrigger }),
      )
      return description.replaceAll(noTrigger, () => voice.trigger)
    },
  }
  known.set(dialect, remembering)
  return remembering
}
