import type { JsonObject } from '../../../conversation/index.ts'
import { CustomInput } from '../../openai/custom-input.ts'
import { WholeCharacters } from '../../whole-characters.ts'
import {
  type CallOfItem,
  type MessageForm,
  messageItem,
  messagePart,
  type ReasoningForm,
  reasoningItem,
  reasoningPart,
  writtenCallItem,
} from './items.ts'

/** Writes one event of a stream: its type, and its other members. */
export type WriteEvent = (type: string, members: JsonObject) => string

/** An item that is being written. Each method returns the events that it makes. */
export interface OpenItem {
  begin(): string
  push(piece: string): string
  /** Ends the item, and keeps it for the response. */
  end(isComplete: boolean, sealed?: string): string
  /** The item as it was ended. */
  readonly item: JsonObject
}

/** The pieces of an item's text, and their events. The place of the text in its item is the first: every item has one. */
abstract class WrittenItem implements OpenItem {
  item: JsonObject
  protected text = ''
  readonly #characters = new WholeCharacters()
  readonly #write: WriteEvent
  readonly #place: JsonObject
  readonly #index: number

  constructor(write: WriteEvent, index: number, item: JsonObject, place: JsonObject) {
    this.#write = write
    this.#index = index
    this.item = item
    this.#place = { item_id: item.id, output_index: index, ...place }
  }

  begin(): string {
    return this.#write('response.output_item.added', { output_index: this.#index, item: this.item })
  }

  push(piece: string): string {
    return this.delta(this.#characters.push(piece))
  }

  end(isComplete: boolean, sealed?: string): string {
    const last = this.delta(this.#characters.rest())
    this.item = this.ended(isComplete, sealed)
    return (
      last + this.close() + this.#write('response.output_item.done', { output_index: this.#index, item: this.item })
    )
  }

  /** Writes an event about the place of the text. */
  protected event(type: string, members: JsonObject): string {
    return this.#write(type, { ...this.#place, ...members })
  }

  protected delta(piece: string): string {
    if (piece === '') return ''
    this.text += piece
    return this.event(`${this.deltaType}.delta`, { ...this.deltaMembers, delta: piece })
  }

  protected readonly deltaMembers: JsonObject = {}
  protected abstract readonly deltaType: string
  /** Returns the events between the last piece and the end of the item. */
  protected abstract close(): string
  protected abstract ended(isComplete: boolean, sealed?: string): JsonObject
}

/** A message, whose one part is a text or a refusal. */
export class OpenMessage extends WrittenItem {
  readonly form: MessageForm
  protected readonly deltaType: string
  protected override readonly deltaMembers: JsonObject
  readonly #id: string

  constructor(write: WriteEvent, index: number, id: string, form: MessageForm) {
    super(write, index, messageItem(id, 'in_progress', form), { content_index: 0 })
    this.form = form
    this.#id = id
    this.deltaType = form === 'refusal' ? 'response.refusal' : 'response.output_text'
    this.deltaMembers = form === 'refusal' ? {} : { logprobs: [] }
  }

  override begin(): string {
    return super.begin() + this.event('response.content_part.added', { part: messagePart(this.form, '') })
  }

  protected close(): string {
    const said = this.form === 'refusal' ? { refusal: this.text } : { text: this.text, logprobs: [] }
    return (
      this.event(`${this.deltaType}.done`, said) +
      this.event('response.content_part.done', { part: messagePart(this.form, this.text) })
    )
  }

  protected ended(): JsonObject {
    return messageItem(this.#id, 'completed', this.form, this.text)
  }
}

/** The names of the events of reasoning. */
const reasoningEvents = {
  summary: { text: 'response.reasoning_summary_text', part: 'response.reasoning_summary_part' },
  content: { text: 'response.reasoning_text', part: 'response.content_part' },
} as const

/** Reasoning, as one part of its summary or content. */
export class OpenReasoning extends WrittenItem {
  protected readonly deltaType: string
  readonly #id: string
  readonly #form: ReasoningForm

  constructor(write: WriteEvent, index: number, id: string, form: ReasoningForm) {
    super(write, index, reasoningItem(id, form), form === 'summary' ? { summary_index: 0 } : { content_index: 0 })
    this.#id = id
    this.#form = form
    this.deltaType = reasoningEvents[form].text
  }

  /** The text so far. */
  get written(): string {
    return this.text
  }

  override begin(): string {
    return super.begin() + this.#part('added', '')
  }

  protected close(): string {
    return this.event(`${this.deltaType}.done`, { text: this.text }) + this.#part('done', this.text)
  }

  protected ended(_isComplete: boolean, sealed?: string): JsonObject {
    return reasoningItem(this.#id, this.#form, this.text, sealed)
  }

  #part(state: 'added' | 'done', text: string): string {
    return this.event(`${reasoningEvents[this.#form].part}.${state}`, { part: reasoningPart(this.#form, text) })
  }
}

/** The call of a function, whose arguments are written, or of a custom tool, whose input is. */
export class OpenCall extends WrittenItem {
  protected readonly deltaType: string
  readonly #call: CallOfItem
  readonly #input: CustomInput | undefined

  constructor(write: WriteEvent, index: number, call: CallOfItem) {
    super(write, index, writtenCallItem(call, 'in_progress', ''), {})
    this.#call = call
    this.#input = call.tool.kind === 'custom' ? new CustomInput() : undefined
    this.deltaType = this.#input ? 'response.custom_tool_call_input' : 'response.function_call_arguments'
  }

  override push(json: string): string {
    return super.push(this.#input ? this.#input.push(json) : json)
  }

  protected close(): string {
    return this.event(
      `${this.deltaType}.done`,
      this.#input ? { input: this.text } : { name: this.#call.tool.name, arguments: this.text },
    )
  }

  protected ended(isComplete: boolean): JsonObject {
    return writtenCallItem(this.#call, isComplete ? 'completed' : 'incomplete', this.text)
  }
}
