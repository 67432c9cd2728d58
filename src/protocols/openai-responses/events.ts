import { isJsonObject, type JsonObject } from '../../conversation/index.ts'
import { sseEvent } from '../sse.ts'
import {
  changingMembers,
  fixedMembers,
  hidesSealed,
  type ResponseState,
  type ResponsesContext,
  textOfMembers,
  withoutSealed,
} from './response.ts'

/** Writes the events of one response, numbered in their order. */
export class ResponseEvents {
  readonly #fixed: JsonObject
  /** The fixed members as text, for three events that have them. */
  readonly #head: string
  readonly #hidesSealed: boolean
  #sequence = 0

  constructor(context: ResponsesContext) {
    this.#fixed = fixedMembers(context)
    this.#hidesSealed = hidesSealed(context)
    this.#head = textOfMembers(this.#fixed)
  }

  /** The events before any item. */
  start(): string {
    const state: ResponseState = { status: 'in_progress', output: [] }
    return this.response('response.created', state) + this.response('response.in_progress', state)
  }

  /** An event with the whole response. */
  response(type: string, state: ResponseState): string {
    const output = this.#hidesSealed ? state.output.map(withoutSealed) : state.output
    const changing = JSON.stringify(changingMembers({ ...state, output })).slice(1)
    const members = `"sequence_number":${this.#sequence++},"response":${this.#head},${changing}`
    return sseEvent(`{"type":${JSON.stringify(type)},${members}}`, type)
  }

  /** An event with other members. */
  readonly event = (type: string, members: JsonObject): string => {
    const { item } = members
    const shown = this.#hidesSealed && isJsonObject(item) ? { ...members, item: withoutSealed(item) } : members
    return sseEvent(JSON.stringify({ type, sequence_number: this.#sequence++, ...shown }), type)
  }

  /** The events of an item that is made at once. */
  whole(index: number, item: JsonObject, begun: JsonObject = item): string {
    const place = { output_index: index }
    return (
      this.event('response.output_item.added', { ...place, item: begun }) +
      this.event('response.output_item.done', { ...place, item })
    )
  }

  /** The response as it is when it has ended. */
  made(state: ResponseState): JsonObject {
    return { ...this.#fixed, ...changingMembers(state) }
  }
}
