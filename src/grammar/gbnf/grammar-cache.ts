import { RecentMap, type Tool, toolsKey } from '../../conversation/index.ts'
import { objectId } from '../tree/object-id.ts'

/** The number of grammars that are kept, of all formats: a conversation asks for the same one again and again. */
const mostKept = 64

/**
 * A cache of recent grammars, by the format that each was made from, the tools, and everything else that it depends on.
 */
export class GrammarCache<Made extends object> {
  readonly #kept = new RecentMap<string, Made | undefined>(mostKept)

  /** Returns the grammar of `make`, or the one that it made for the same inputs; `rest` is plain data. */
  of(format: object, tools: readonly Tool[], rest: unknown, make: () => Made | undefined): Made | undefined {
    const found = this.#kept.of(`${objectId(format)}\n${JSON.stringify(rest)}\n${toolsKey(tools)}`, make)
    return found && { ...found }
  }
}
