import type { JsonObject } from '../../../conversation/index.ts'
import { CustomInput } from '../../openai/custom-input.ts'
import { WholeCharacters } from '../../whole-characters.ts'
import {
  type CallOfItem,
  endStatus,
  type MessageForm,
  messageItem,
  type ReasoningForm,
  reasoningItem,
  writtenCall,
  writtenCallItem,
  writtenMessage,
  writtenPart,
  writtenReasoningPart,
} from './items.ts'

/** Writes the events of a stream. */
export interface EventWriter {
  /** Writes an event; `members` are its other members as JSON, without braces. */
  event(type: string, members: string): string
  /** Writes the event of an item that begins or is done; `json` is the item as JSON, if it is known. */
  item(state: 'added' | 'done', index: number, item: JsonObject, json?: string): string
}

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
  readonly #events: EventWriter
  /** The members that name the place, as JSON. */
  readonly #place: string
  readonly #index: number

  /** `place` is the member that names the part of the item, as JSON; empty for an item without parts. */
  constructor(events: EventWriter, index: number, item: JsonObject, place: string) {
    this.#events = events
    this.#index = index
    this.item = item
    this.#place = `"item_id":${JSON.stringify(item.id)},"output_index":${index}${place === '' ? '' : `,${place}`}`
  }

  begin(): string {
    return this.#events.item('added', this.#index, this.item)
  }

  push(piece: string): string {
    return this.delta(this.#characters.push(piece))
  }

  end(isComplete: boolean, sealed?: string): string {
    const last = this.delta(this.#characters.rest())
    // Once for all events that have the text: it may be long.
    const text = JSON.stringify(this.text)
    this.item = this.ended(isComplete, sealed)
    return last + this.close(text) + this.#events.item('done', this.#index, this.item, this.json(isComplete, text))
  }

  /** Writes an event about the place of the text; `members` are its other members as JSON. */
  protected event(type: string, members: string): string {
    return this.#events.event(type, `${this.#place},${members}`)
  }

  protected delta(piece: string): string {
    if (piece === '') return ''
    this.text += piece
    return this.event(this.deltaEvent, `${this.deltaMembers}"delta":${JSON.stringify(piece)}`)
  }

  /** The members before the piece, as JSON with the comma after them. */
  protected readonly deltaMembers: string = ''
  protected abstract readonly deltaEvent: string
  /** Returns the events between the last piece and the end of the item; `text` is its text as JSON. */
  protected abstract close(text: string): string
  protected abstract ended(isComplete: boolean, sealed?: string): JsonObject
  /** Returns the item as it ended as JSON, if that is less work with its text as JSON. */
  protected json(_isComplete: boolean, _text: string): string | undefined {
    return undefined
  }
}

/** A message, whose one part is a text or a refusal. */
export class OpenMessage extends WrittenItem {
  readonly form: MessageForm
  protected readonly deltaEvent: string
  protected override readonly deltaMembers: string
  readonly #id: string

  constructor(events: EventWriter, index: number, id: string, form: MessageForm) {
    super(events, index, messageItem(id, 'in_progress', form), '"content_index":0')
    this.form = form
    this.#id = id
    this.deltaEvent = `response.${form === 'refusal' ? 'refusal' : 'output_text'}.delta`
    this.deltaMembers = form === 'refusal' ? '' : '"logprobs":[],'
  }

  override begin(): string {
    return super.begin() + this.event('response.content_part.added', emptyParts[this.form])
  }

  protected close(text: string): string {
    const done =
      this.form === 'refusal'
        ? this.event('response.refusal.done', `"refusal":${text}`)
        : this.event('response.output_text.done', `"text":${text},"logprobs":[]`)
    return done + this.event('response.content_part.done', `"part":${writtenPart(this.form, text)}`)
  }

  protected ended(isComplete: boolean): JsonObject {
    return messageItem(this.#id, endStatus(isComplete), this.form, this.text)
  }

  protected override json(isComplete: boolean, text: string): string {
    return writtenMessage(this.#id, endStatus(isComplete), this.form, writtenPart(this.form, text))
  }
}

const emptyParts: Readonly<Record<MessageForm, string>> = {
  text: `"part":${writtenPart('text', '""')}`,
  refusal: `"part":${writtenPart('refusal', '""')}`,
}

/** The names of the events of reasoning. */
const reasoningEvents = {
  summary: { text: 'response.reasoning_summary_text', part: 'response.reasoning_summary_part' },
  content: { text: 'response.reasoning_text', part: 'response.content_part' },
} as const

/** Reasoning, as one part of its summary or content. */
export class OpenReasoning extends WrittenItem {
  protected readonly deltaEvent: string
  readonly #id: string
  readonly #form: ReasoningForm

  constructor(events: EventWriter, index: number, id: string, form: ReasoningForm) {
    super(events, index, reasoningItem(id, form), form === 'summary' ? '"summary_index":0' : '"content_index":0')
    this.#id = id
    this.#form = form
    this.deltaEvent = `${reasoningEvents[form].text}.delta`
  }

  /** The text so far. */
  get written(): string {
    return this.text
  }

  override begin(): string {
    return super.begin() + this.#part('added', '""')
  }

  protected close(text: string): string {
    const done = this.event(`${reasoningEvents[this.#form].text}.done`, `"text":${text}`)
    return done + this.#part('done', text)
  }

  protected ended(isComplete: boolean, sealed?: string): JsonObject {
    return reasoningItem(this.#id, this.#form, this.text, sealed, isComplete)
  }

  #part(state: 'added' | 'done', text: string): string {
    const part = writtenReasoningPart(this.#form, text)
    return this.event(`${reasoningEvents[this.#form].part}.${state}`, `"part":${part}`)
  }
}

/** The call of a function, whose arguments are written, or of a custom tool, whose input is. */
export class OpenCall extends WrittenItem {
  protected readonly deltaEvent: string
  readonly #call: CallOfItem
  readonly #input: CustomInput | undefined

  constructor(events: EventWriter, index: number, call: CallOfItem) {
    super(events, index, writtenCallItem(call, 'in_progress', ''), '')
    this.#call = call
    this.#input = call.tool.kind === 'custom' ? new CustomInput() : undefined
    this.deltaEvent = `response.${this.#input ? 'custom_tool_call_input' : 'function_call_arguments'}.delta`
  }

  override push(json: string): string {
    return super.push(this.#input ? this.#input.push(json) : json)
  }

  protected close(text: string): string {
    if (this.#input) return this.event('response.custom_tool_call_input.done', `"input":${text}`)
    const name = JSON.stringify(this.#call.tool.name)
    return this.event('response.function_call_arguments.done', `"name":${name},"arguments":${text}`)
  }

  protected ended(isComplete: boolean): JsonObject {
    return writtenCallItem(this.#call, endStatus(isComplete), this.text)
  }

  protected override json(isComplete: boolean, text: string): string {
    return writtenCall(this.#call, endStatus(isComplete), text)
  }
}
