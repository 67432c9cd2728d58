import { OncePerList } from '../conversation/index.ts'
import type { CallPolicy, Dialect, Voice } from '../dialects/index.ts'

/**
 * The trigger with which descriptions are remembered. Where tools hold it as text it is neutralised like any mark, so
 * that it stands only where the description has the conversation's trigger.
 */
const noTrigger = '<<CALL_TRIGGER>>'

/** A list of tools is described anew for each choice of a tool; so many of its descriptions are remembered. */
const mostRemembered = 8

const known = new WeakMap<Dialect, Dialect>()

/**
 * The dialect, with a `describe` that remembers for as long as the list of tools lives: describing 9 kB of tools takes 0.15 ms, and an
 * agent's are the same in all its conversations. A conversation's own trigger never stands in its tools, since it is derived
 * from them.
 */
export function rememberingDescriptions(dialect: Dialect): Dialect {
  const found = known.get(dialect)
  if (found) return found
  const descriptions = new OncePerList<Map<string, string>>()
  const remembering = {
    ...dialect,
    describe(policy: CallPolicy, voice: Voice): string {
      const ofTools = descriptions.of(policy.tools, () => new Map())
      // All else that the description depends on, but the trigger.
      const key = JSON.stringify([policy.toolChoice, policy.parallelCalls])
      const description = ofTools.get(key) ?? dialect.describe(policy, { trigger: noTrigger })
      if (ofTools.size >= mostRemembered && !ofTools.has(key)) ofTools.clear()
      ofTools.set(key, description)
      return description.replaceAll(noTrigger, () => voice.trigger)
    },
  }
  known.set(dialect, remembering)
  return remembering
}
