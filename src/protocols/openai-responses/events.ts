import type { JsonObject } from '../../conversation/index.ts'
import { sseEvent } from '../sse.ts'
import {
  changingMembers,
  headOf,
  hidesSealed,
  type ResponseState,
  type ResponsesContext,
  withoutSealed,
} from './response.ts'

/** Writes the members that change as JSON, without braces; `output` are the items as JSON. */
function textOfState(state: ResponseState, output: readonly string[]): string {
  const members = JSON.stringify(changingMembers(state)).slice(1, -1)
  return `${members},"output":[${output.join(',')}],"usage":${JSON.stringify(state.usage ?? null)}`
}

/** The state of every response before its first item. */
const begun = textOfState({ status: 'in_progress', output: [] }, [])

/** Writes the events of one response, numbered in their order. As text, since objects that are copied for each event cost more than all else. */
export class ResponseEvents {
  /** The fixed members, for three events that have them. */
  readonly #head: string
  readonly #hidesSealed: boolean
  /** The texts of the items that are done, which the response has again. */
  readonly #done = new Map<JsonObject, string>()
  #sequence = 0

  constructor(context: ResponsesContext) {
    this.#hidesSealed = hidesSealed(context)
    this.#head = headOf(context)
  }

  /** The events before any item. */
  start(): string {
    const response = `"response":${this.#head},${begun}}`
    return this.event('response.created', response) + this.event('response.in_progress', response)
  }

  /** An event with the whole response. */
  response(type: string, state: ResponseState): string {
    const output = state.output.map((item) => this.#done.get(item) ?? this.#textOf(item))
    return this.event(type, `"response":${this.#head},${textOfState(state, output)}}`)
  }

  /** An event of a type that needs no escapes; `members` are the other members as JSON, without braces. */
  event(type: string, members: string): string {
    return sseEvent(`{"type":"${type}","sequence_number":${this.#sequence++},${members}}`, type)
  }

  /** An event with an item that begins or is done; `json` is the item as JSON, if it is known. */
  item(state: 'added' | 'done', index: number, item: JsonObject, json: string = this.#textOf(item)): string {
    if (state === 'done') this.#done.set(item, json)
    return this.event(`response.output_item.${state}`, `"output_index":${index},"item":${json}`)
  }

  /** The events of an item that is made at once. */
  whole(index: number, item: JsonObject, begun: JsonObject = item): string {
    return this.item('added', index, begun) + this.item('done', index, item)
  }

  #textOf(item: JsonObject): string {
    return JSON.stringify(this.#hidesSealed ? withoutSealed(item) : item)
  }
}
