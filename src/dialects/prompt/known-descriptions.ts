import { ListMemo, RecentMap } from '../../conversation/index.ts'
import type { CallPolicy } from '../format/dialect.ts'

/** The number of descriptions that are remembered for a list of tools, which has one for each tool choice. */
const mostRemembered = 8

/**
 * The descriptions of one dialect's tools, each for as long as the list of tools lives: describing 9 kB of tools takes 0.15 ms, and an agent's are the
 * same in all its conversations.
 */
export class KnownDescriptions<Description> {
  readonly #ofTools = new ListMemo<RecentMap<string, Description>>()

  /**
   * Returns the description that `make` writes for a policy, or wrote for the same inputs; `rest` identifies all other
   * inputs.
   */
  of(policy: CallPolicy, rest: string, make: () => Description): Description {
    const known = this.#ofTools.of(policy.tools, () => new RecentMap(mostRemembered))
    return known.of(JSON.stringify([policy.toolChoice, policy.parallelCalls, rest]), make)
  }
}
