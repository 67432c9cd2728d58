import { isJsonObject, type JsonObject, ListMemo, type Tool } from '../../../conversation/index.ts'
import type { CallPolicy } from '../../format/dialect.ts'
import type { ReadReport } from '../../format/report.ts'
import { ToolNames } from './tool-names.ts'

/** The decision on a call; a refusal has the reason as a notice's code and message. */
export type Admission = { type: 'admitted'; tool: Tool } | { type: 'refused'; code: string; message: string }

/** The number of characters of a name that a notice shows: a name may be anything that a model writes. */
const longestShown = 100

/** The tools of a list, by their names. */
const toolsByName = new ListMemo<{ tools: ReadonlyMap<string, Tool>; names: ToolNames }>()

/** Admits the calls that the client allows: to offered tools, as its tool choice permits, one or several. */
export class CallGate {
  readonly #policy: CallPolicy
  readonly #names: ToolNames
  readonly #tools: ReadonlyMap<string, Tool>
  #admitted = 0
  /** The names of calls that were refused, in the order in which they came first. */
  readonly #refused = new Set<string>()

  constructor(policy: CallPolicy) {
    this.#policy = policy
    const { tools, names } = toolsByName.of(policy.tools, () => {
      const tools = new Map(policy.tools.map((tool) => [tool.name, tool]))
      return { tools, names: new ToolNames(tools.keys()) }
    })
    this.#tools = tools
    this.#names = names
  }

  offers(written: string): boolean {
    return this.#names.match(written).type === 'found'
  }

  /** True when the tool that goes by that name takes an argument of that key. */
  knows(written: string, key: string): boolean {
    const match = this.#names.match(written)
    const schema = match.type === 'found' ? this.#tools.get(match.name)?.schema : undefined
    return Object.hasOwn(Object(schema?.properties), key)
  }

  /** The argument for which a text is meant, if the tool of that name has or requires only one. */
  textKey(written: string): string | undefined {
    const match = this.#names.match(written)
    const schema = match.type === 'found' ? this.#tools.get(match.name)?.schema : undefined
    const properties = Object.keys(Object(schema?.properties))
    const required: readonly unknown[] = Array.isArray(schema?.required) ? schema.required : []
    const [key, another] = properties.length === 1 ? properties : required
    return another === undefined && typeof key === 'string' ? key : undefined
  }

  /**
   * The name of the one tool that takes arguments of these names and requires no other. Of several the one that takes no more
   * than these; undefined if that leaves none, or more than one.
   */
  toolWith(keys: readonly string[]): string | undefined {
    const tools = [...this.#tools.values()]
    const [only] = tools
    // The only tool matches even if its arguments are not known.
    if (only && tools.length === 1 && !isJsonObject(only.schema.properties)) return only.name
    const fitting = tools.filter(({ schema }) => takes(schema, keys))
    const exact = fitting.filter(({ schema }) => Object.keys(Object(schema.properties)).length === keys.length)
    const [tool, another] = fitting.length > 1 ? exact : fitting
    return another ? undefined : tool?.name
  }

  /** A call that was let through came to nothing, so that another may take its place. */
  release(): void {
    this.#admitted--
  }

  /** The part of a reader's report about refused calls. */
  get report(): Omit<ReadReport, 'sawToolCallSyntax'> {
    const { size } = this.#refused
    return { rejectedByPolicy: size > 0 && this.#admitted === 0, rejectedToolNames: [...this.#refused] }
  }

  admit(written: string): Admission {
    const admission = this.#judge(written)
    if (admission.type === 'refused') this.#refused.add(written.trim().slice(0, longestShown))
    else this.#admitted++
    return admission
  }

  /** True if the call would be admitted. Neither counts nor reports it. */
  allows(written: string): boolean {
    return this.#judge(written).type === 'admitted'
  }

  #judge(written: string): Admission {
    const match = this.#names.match(written)
    const shown = written.length > longestShown ? `${written.slice(0, longestShown)}…` : written
    if (match.type === 'ambiguous') {
      return refuse('ambiguous-tool', `The model called "${shown}", which may be ${match.candidates.join(' or ')}.`)
    }
    const tool = match.type === 'found' ? this.#tools.get(match.name) : undefined
    if (!tool) return refuse('unknown-tool', `The model called "${shown}", which is not among the tools offered.`)
    const choice = this.#policy.toolChoice
    if (choice.type === 'none') {
      return refuse('call-not-allowed', `The model called "${tool.name}" although the request allows no calls.`)
    }
    if (choice.type === 'named' && choice.name !== tool.name) {
      return refuse('call-not-allowed', `The model called "${tool.name}"; the request allows only "${choice.name}".`)
    }
    if (!this.#policy.parallelCalls && this.#admitted > 0) {
      return refuse('call-not-allowed', `The model called "${tool.name}" as well; the request allows one call a reply.`)
    }
    return { type: 'admitted', tool }
  }
}

/** True when the schema has all of these arguments and requires no other. */
function takes({ properties, required }: JsonObject, keys: readonly string[]): boolean {
  const wanted: readonly unknown[] = Array.isArray(required) ? required : []
  const has = (key: unknown) => typeof key !== 'string' || keys.includes(key)
  return keys.every((key) => Object.hasOwn(Object(properties), key)) && wanted.every(has)
}

function refuse(code: string, message: string): Admission {
  return { type: 'refused', code, message }
}
