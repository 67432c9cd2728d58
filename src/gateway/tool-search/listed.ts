import type { AssistantTurn, CallPart, Conversation, Tool, Turn, UserTurn } from '../../conversation/index.ts'
import { foundToolsText } from '../../protocols/index.ts'
import type { PlanName } from '../config/config.ts'
import { findTools, searchToolFor } from './catalog.ts'

/** A conversation whose model searches for the tools that it calls. */
export class ToolSearch {
  readonly #search: Tool
  readonly #plan: PlanName
  readonly #callIdPrefix: string

  constructor(search: Tool, plan: PlanName, callIdPrefix: string) {
    this.#search = search
    this.#plan = plan
    this.#callIdPrefix = callIdPrefix
  }

  /** The name of the tool by which the model searches. */
  get name(): string {
    return this.#search.name
  }

  /**
   * Returns the conversation with the search in place of its tools: each tool is described in the result of the search that found it. A search that is not
   * remembered, before the first call of a tool, is written as one for its name.
   */
  listed(conversation: Conversation): Conversation {
    const { tools } = conversation
    const loaded = new Set<Tool>()
    const turns: Turn[] = []
    for (const turn of conversation.turns) {
      if (turn.role !== 'assistant') {
        turns.push(turn)
        continue
      }
      for (const search of turn.searched?.searches ?? []) turns.push(search, this.#answerOnce(search, tools, loaded))
      const last = turn.searched?.last ?? turn
      const unknown = unloaded(last, tools, loaded)
      if (unknown.length > 0) {
        const search = this.#searchFor(unknown, turns.length)
        turns.push(search, this.#answerOnce(search, tools, loaded))
      }
      turns.push(last)
    }
    return { ...conversation, turns, ...this.#offered(tools, loaded) }
  }

  /** Returns the conversation with a search of the model and its result. */
  answered(listed: Conversation, search: AssistantTurn, tools: readonly Tool[]): Conversation {
    const loaded = new Set(loadedIn(listed))
    const answer = this.#answerOnce(search, tools, loaded)
    return { ...listed, turns: [...listed.turns, search, answer], ...this.#offered(tools, loaded) }
  }

  /** A server with native tool calls gets the found tools as tools; prompts describe them in the results of searches. */
  #offered(tools: readonly Tool[], loaded: ReadonlySet<Tool>): Pick<Conversation, 'tools' | 'listedTools'> {
    if (this.#plan === 'native') return { tools: [this.#search, ...loaded] }
    return { tools: [this.#search, ...tools], listedTools: [this.#search] }
  }

  #searchFor(tools: readonly Tool[], place: number): AssistantTurn {
    const query = tools.map(({ name }) => name).join(', ')
    const call = { type: 'call' as const, name: this.name, arguments: JSON.stringify({ query }) }
    return { role: 'assistant', parts: [{ ...call, id: `${this.#callIdPrefix}search${place}` }] }
  }

  /** Returns the results of the searches of a turn; a tool that an earlier one described is not described again. */
  #answerOnce(turn: AssistantTurn, tools: readonly Tool[], loaded: Set<Tool>): UserTurn {
    const parts = callsOf(turn).map(({ id, name, arguments: json }) => {
      const found = findTools(json, tools)
      const added = found.filter((tool) => !loaded.has(tool))
      for (const tool of added) loaded.add(tool)
      const content = [{ type: 'text' as const, text: foundToolsText(found.map((tool) => tool.name)) }]
      return {
        type: 'result' as const,
        callId: id,
        name,
        content,
        isError: false,
        ...(added.length > 0 && { tools: added }),
      }
    })
    return { role: 'user', parts }
  }
}

/**
 * Returns the search for the tools of a conversation; undefined if it has none: it has no more than `most` tools, its client searches by
 * itself, or the reply must call one that is named.
 */
export function toolSearchFor(
  { tools, listedTools, toolChoice }: Conversation,
  most: number,
  plan: PlanName,
  callIdPrefix: string,
): ToolSearch | undefined {
  if (most === 0 || tools.length <= most || listedTools !== undefined || toolChoice.type === 'named') return undefined
  const search = searchToolFor(tools)
  return search && new ToolSearch(search, plan, callIdPrefix)
}

/** Returns the calls of a turn. */
export function callsOf({ parts }: AssistantTurn): CallPart[] {
  return parts.filter((part) => part.type === 'call')
}

function unloaded(turn: AssistantTurn, tools: readonly Tool[], loaded: ReadonlySet<Tool>): Tool[] {
  const called = new Set(callsOf(turn).map(({ name }) => name))
  return tools.filter((tool) => called.has(tool.name) && !loaded.has(tool))
}

function loadedIn({ turns }: Conversation): Tool[] {
  return turns.flatMap((turn) =>
    turn.role === 'user' ? turn.parts.flatMap((part) => (part.type === 'result' ? [...(part.tools ?? [])] : [])) : [],
  )
}
