import {
  type AssistantPart,
  isJsonObject,
  type JsonObject,
  type ResultPart,
  type Turn,
  type UserPart,
} from '../../conversation/index.ts'
import { invalid, kindOf, readArray, readOptionalString, readString } from '../fields.ts'
import type { NoticeList } from '../notices.ts'
import { readArguments } from '../openai/arguments.ts'
import { CallLedger, type CallName } from '../openai/call-ledger.ts'
import { readEnvelope } from '../sealed-reasoning.ts'
import { readFields } from './fields.ts'
import { type Part, readParts, readShown } from './parts.ts'
import { isForeign, type OpenedThoughts } from './thoughts.ts'

/** Returns the contents of a request; a text is the message of a user. */
export function contentsOf(value: unknown): readonly unknown[] {
  if (typeof value === 'string') return value === '' ? [] : [{ role: 'user', parts: [{ text: value }] }]
  return isJsonObject(value) ? [value] : readArray(value, 'contents')
}

/** Decodes a system instruction: a content, or a text. */
export function decodeSystem(value: unknown, notices: NoticeList): string {
  if (value === undefined || value === null) return ''
  const path = 'systemInstruction'
  const parts = typeof value === 'string' ? value : readFields(value, path).parts
  return readParts(parts, `${path}.parts`)
    .flatMap((part) => readShown(part, notices))
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n\n')
}

/** Settings of `decodeContents`. `isExcerpt`: the contents may begin after the calls that their results answer. */
export interface ContentSettings {
  opened: OpenedThoughts
  notices: NoticeList
  isExcerpt: boolean
}

/** Decodes the contents of a conversation as turns. */
export function decodeContents(contents: readonly unknown[], settings: ContentSettings): Turn[] {
  const reader = new ContentReader(settings)
  return contents.map((content, i) => reader.read(readFields(content, `contents[${i}]`), i))
}

class ContentReader {
  readonly #opened: OpenedThoughts
  readonly #notices: NoticeList
  readonly #isExcerpt: boolean
  readonly #calls = new CallLedger()

  constructor({ opened, notices, isExcerpt }: ContentSettings) {
    this.#opened = opened
    this.#notices = notices
    this.#isExcerpt = isExcerpt
  }

  read(content: JsonObject, index: number): Turn {
    const path = `contents[${index}]`
    const parts = readParts(content.parts, `${path}.parts`)
    switch (readOptionalString(content.role, `${path}.role`) ?? 'user') {
      case 'user':
      // The role that results of functions had at first.
      case 'function':
        return { role: 'user', parts: parts.flatMap((part) => this.#userParts(part)) }
      case 'model':
        return { role: 'assistant', parts: this.#modelParts(parts, index) }
      default:
        throw invalid(`${path}.role`, `expected user or model, got ${kindOf(content.role)}`)
    }
  }

  #userParts(part: Part): UserPart[] {
    const { functionResponse } = part.fields
    if (functionResponse !== undefined && functionResponse !== null) return [this.#result(part)]
    return readShown(part, this.#notices)
  }

  /** The pieces of a streamed text are parts in some clients' histories: they are one text again. */
  #modelParts(parts: readonly Part[], index: number): AssistantPart[] {
    const read: AssistantPart[] = []
    for (const [place, part] of parts.entries()) {
      const { fields } = part
      if (fields.thought !== true) this.#openThought(part, read)
      if (isJsonObject(fields.functionCall)) read.push(this.#call(part, `call_${index}_${place}`))
      else for (const shown of this.#modelTexts(part)) join(read, shown)
    }
    return read
  }

  #modelTexts({ fields, path }: Part): AssistantPart[] {
    const isThought = fields.thought === true
    return readShown({ fields, path }, this.#notices).flatMap((shown): AssistantPart[] => {
      if (shown.type === 'text') return [isThought ? { type: 'reasoning', text: shown.text } : shown]
      const why = `${path}: an image was dropped; only text can be in a message of the model.`
      this.#notices.add('content-part-unsupported', 'model image', why)
      return []
    })
  }

  /** A signature holds the whole reasoning before its part: it replaces the thoughts that were shown. */
  #openThought({ fields, path }: Part, read: AssistantPart[]): void {
    const signature = readOptionalString(fields.thoughtSignature, `${path}.thoughtSignature`)
    if (!signature) return
    const text = this.#opened.get(signature)
    const isShown = read.at(-1)?.type === 'reasoning'
    if (text !== undefined) {
      if (isShown) read.pop()
      read.push(...readEnvelope(text))
    } else if (!isShown && isForeign(signature)) {
      const why = `${path}: left out; its signature was not made by this gateway, or not with its secret.`
      this.#notices.add('reasoning-dropped', 'thoughtSignature', why)
    }
  }

  #call({ fields, path }: Part, ownId: string): AssistantPart {
    const callPath = `${path}.functionCall`
    const call = readFields(fields.functionCall, callPath)
    const name = readString(call.name, `${callPath}.name`)
    const id = readOptionalString(call.id, `${callPath}.id`) || ownId
    this.#calls.add({ id, name })
    return { type: 'call', id, name, arguments: readArguments(call.args, `${callPath}.args`) }
  }

  #result({ fields, path }: Part): ResultPart {
    const resultPath = `${path}.functionResponse`
    const result = readFields(fields.functionResponse, resultPath)
    const call = this.#answered(result, resultPath)
    const attached = readParts(result.parts, `${resultPath}.parts`).flatMap((part) => readShown(part, this.#notices))
    const { text, isError } = responseText(result.response)
    const content: ResultPart['content'] = text === '' ? attached : [{ type: 'text', text }, ...attached]
    return { type: 'result', callId: call.id, name: call.name, content, isError }
  }

  /** Results have the ids of their calls, or else their names; the results of calls to one function are in the order of the calls. */
  #answered({ id, name }: JsonObject, path: string): CallName {
    const callId = readOptionalString(id, `${path}.id`)
    if (callId && this.#calls.has(callId)) return this.#calls.answerById(callId, `${path}.id`)
    const callName = readString(name, `${path}.name`)
    if (this.#isExcerpt && !this.#calls.hasName(callName)) return { id: callId || callName, name: callName }
    return this.#calls.answerByName(callName, `${path}.name`)
  }
}

/** Adds a text or a thought, to the one before it if that is of its kind. */
function join(parts: AssistantPart[], part: AssistantPart): void {
  const last = parts.at(-1)
  if (part.type === 'text' && last?.type === 'text') parts[parts.length - 1] = { ...last, text: last.text + part.text }
  else if (part.type === 'reasoning' && last?.type === 'reasoning' && last.opaque === undefined) {
    parts[parts.length - 1] = { ...last, text: last.text + part.text }
  } else parts.push(part)
}

/** The API has a result in `output` and an error in `error`; any other object is the result as a whole. */
function responseText(response: unknown): { text: string; isError: boolean } {
  if (response === undefined || response === null) return { text: '', isError: false }
  const [only, more] = isJsonObject(response) ? Object.keys(response) : []
  if (isJsonObject(response) && more === undefined && (only === 'output' || only === 'error')) {
    return { text: textOf(response[only]), isError: only === 'error' }
  }
  return { text: textOf(response), isError: false }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}
