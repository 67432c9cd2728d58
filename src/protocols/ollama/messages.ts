import type { AssistantPart, ImagePart, JsonObject, TextPart, Turn, UserTurn } from '../../conversation/index.ts'
import { invalid, kindOf, readArray, readObject, readOptionalString, readString } from '../fields.ts'
import { readArguments } from '../openai/arguments.ts'
import { CallLedger, type CallName } from '../openai/call-ledger.ts'

export interface DecodedMessages {
  system: string
  turns: Turn[]
}

/** Decodes the messages of a chat as a system prompt and turns. */
export function decodeMessages(value: unknown): DecodedMessages {
  const reader = new MessageReader()
  for (const [i, message] of readArray(value, 'messages').entries()) {
    reader.read(readObject(message, `messages[${i}]`), i)
  }
  return { system: reader.system.join('\n\n'), turns: reader.turns }
}

class MessageReader {
  readonly system: string[] = []
  readonly turns: Turn[] = []
  readonly #calls = new CallLedger()
  /** The turn of results that the next result joins; undefined if another message came in between. */
  #results: UserTurn | undefined

  read(message: JsonObject, index: number): void {
    const path = `messages[${index}]`
    const role = readString(message.role, `${path}.role`)
    if (role === 'tool') {
      this.#readResult(message, path)
      return
    }
    this.#results = undefined
    switch (role) {
      case 'system':
        this.#readSystem(textOf(message, path))
        return
      case 'user':
        this.turns.push({ role: 'user', parts: shownParts(message, path) })
        return
      case 'assistant':
        this.turns.push({ role: 'assistant', parts: this.#assistantParts(message, index) })
        return
      default:
        throw invalid(`${path}.role`, `expected system, user, assistant or tool, got ${kindOf(message.role)}`)
    }
  }

  #readSystem(text: string): void {
    if (text === '') return
    if (this.turns.length === 0) this.system.push(text)
    else this.turns.push({ role: 'system', text })
  }

  #assistantParts(message: JsonObject, index: number): AssistantPart[] {
    const path = `messages[${index}]`
    const parts: AssistantPart[] = []
    const thinking = readOptionalString(message.thinking, `${path}.thinking`)
    if (thinking) parts.push({ type: 'reasoning', text: thinking })
    const text = textOf(message, path)
    if (text !== '') parts.push({ type: 'text', text })
    const calls = message.tool_calls ?? []
    for (const [i, value] of readArray(calls, `${path}.tool_calls`).entries()) {
      const callPath = `${path}.tool_calls[${i}]`
      const call = readObject(value, callPath)
      const called = readObject(call.function, `${callPath}.function`)
      const name = readString(called.name, `${callPath}.function.name`)
      // Most clients keep no ids. One of the call's place is the same in each later request.
      const id = readOptionalString(call.id, `${callPath}.id`) || `call_${index}_${i}`
      this.#calls.add({ id, name })
      parts.push({
        type: 'call',
        id,
        name,
        arguments: readArguments(called.arguments, `${callPath}.function.arguments`),
      })
    }
    return parts
  }

  #readResult(message: JsonObject, path: string): void {
    const call = this.#answered(message, path)
    if (this.#results === undefined) {
      this.#results = { role: 'user', parts: [] }
      this.turns.push(this.#results)
    }
    const content = shownParts(message, path)
    this.#results.parts.push({ type: 'result', callId: call.id, name: call.name, content, isError: false })
  }

  /** Results name their call by its id, by its tool, or not at all: then they are in the order of the calls. */
  #answered(message: JsonObject, path: string): CallName {
    const id = readOptionalString(message.tool_call_id, `${path}.tool_call_id`)
    if (id && this.#calls.has(id)) return this.#calls.answerById(id, `${path}.tool_call_id`)
    const name = readOptionalString(message.tool_name ?? message.name, `${path}.tool_name`)
    return name ? this.#calls.answerByName(name, `${path}.tool_name`) : this.#calls.answerNext(path)
  }
}

function textOf(message: JsonObject, path: string): string {
  return readOptionalString(message.content, `${path}.content`) ?? ''
}

/** Returns the text and the images of a message. */
function shownParts(message: JsonObject, path: string): (TextPart | ImagePart)[] {
  const text = textOf(message, path)
  const images = decodeImages(message.images, `${path}.images`)
  return text === '' ? images : [{ type: 'text', text }, ...images]
}

/** The types of images by the beginning of their data in base64. */
const imageTypes: readonly [beginning: string, type: string][] = [
  ['iVBORw', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
]

/** Decodes images: their data in base64, whose type is not said. */
export function decodeImages(value: unknown, path: string): ImagePart[] {
  if (value === undefined || value === null) return []
  return readArray(value, path).map((entry, i) => {
    const data = readString(entry, `${path}[${i}]`)
    if (data.startsWith('data:')) return { type: 'image', url: data }
    const type = imageTypes.find(([beginning]) => data.startsWith(beginning))?.[1]
    if (type === undefined) {
      throw invalid(`${path}[${i}]`, 'expected a PNG, JPEG, GIF or WebP image in base64, without a prefix')
    }
    return { type: 'image', url: `data:${type};base64,${data}` }
  })
}
