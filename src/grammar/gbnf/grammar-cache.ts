import { RecentMap, type Tool, toolsKey } from '../../conversation/index.ts'
import { objectId } from '../tree/object-id.ts'

/** A conversation asks for the same grammar again and again; so many are kept, of all formats. */
const mostKept = 64

/** What was made lately, by the format that it was made from, the tools, and the rest of what it depends on. */
export class GrammarCache<Made extends object> {
  readonly #kept = new RecentMap<string, Made | undefined>(mostKept)

  /** What `make` gives, or gave for the same; `rest` is plain data. */
  of(format: object, tools: readonly Tool[], rest: unknown, make: () => Made | undefined): Made | undefined {
    const found = this.#kept.of(`${objectId(format)}\n${JSON.stringify(rest)}\n${toolsKey(tools)}`, make)
    return found && { ...found }
  }
}
