import {
  type AssistantPart,
  type CallPart,
  isJsonObject,
  type JsonObject,
  type Notice,
  type ResultPart,
  type Turn,
  type UserTurn,
} from '../../conversation/index.ts'
import { invalid, kindOf, readArray, readObject, readOptionalString, readString } from '../fields.ts'
import { readArguments } from '../openai/arguments.ts'
import { CallLedger } from '../openai/call-ledger.ts'
import { decodeContent, decodeTextContent } from '../openai/content.ts'
import { isEnvelope } from '../seals.ts'

export interface DecodedMessages {
  system: string
  turns: Turn[]
}

const blankLine = '\n\n'

/** Decodes the request's `messages` as a system prompt and turns. */
export function decodeMessages(value: unknown, notices: Notice[]): DecodedMessages {
  const messages = readArray(value, 'messages')
  if (messages.length === 0) throw invalid('messages', 'is empty; send at least one message')
  const reader = new MessageReader(notices)
  for (const [i, message] of messages.entries()) reader.read(readObject(message, `messages[${i}]`), i)
  return { system: reader.system.join(blankLine), turns: reader.turns }
}

class MessageReader {
  readonly system: string[] = []
  readonly turns: Turn[] = []
  readonly #notices: Notice[]
  /** The turn of tool results that the next tool message joins; undefined if another message came in between. */
  #results: UserTurn | undefined
  readonly #calls = new CallLedger()

  constructor(notices: Notice[]) {
    this.#notices = notices
  }

  read(message: JsonObject, index: number): void {
    const path = `messages[${index}]`
    const role = readString(message.role, `${path}.role`)
    if (role === 'tool' || role === 'function') {
      this.#readResult(message, role, path)
      return
    }
    this.#results = undefined
    switch (role) {
      case 'system':
      case 'developer':
        this.#readSystem(message, path)
        return
      case 'user':
        this.turns.push({ role: 'user', parts: decodeContent(message.content, `${path}.content`, this.#notices) })
        return
      case 'assistant':
        this.#readAssistant(message, index)
        return
      default:
        throw invalid(
          `${path}.role`,
          `expected system, developer, user, assistant or tool, got ${kindOf(message.role)}`,
        )
    }
  }

  #readSystem(message: JsonObject, path: string): void {
    const parts = decodeTextContent(message.content, `${path}.content`, this.#notices)
    const text = parts.map((part) => part.text).join(blankLine)
    if (text === '') return
    if (this.turns.length === 0) this.system.push(text)
    else this.turns.push({ role: 'system', text })
  }

  #readAssistant(message: JsonObject, index: number): void {
    const path = `messages[${index}]`
    const parts: AssistantPart[] = []
    // DeepSeek and most servers use `reasoning_content`; OpenRouter and newer vLLM use `reasoning`.
    const reasoning =
      readOptionalString(message.reasoning_content, `${path}.reasoning_content`) ||
      readOptionalString(message.reasoning, `${path}.reasoning`)
    const envelopes = envelopesIn(message.reasoning_details)
    if (envelopes.length > 0) parts.push({ type: 'reasoning', text: reasoning ?? '', envelopes })
    else if (reasoning) parts.push({ type: 'reasoning', text: reasoning })
    parts.push(...decodeTextContent(message.content ?? null, `${path}.content`, this.#notices))
    const refusal = readOptionalString(message.refusal, `${path}.refusal`)
    if (refusal) parts.push({ type: 'text', text: refusal })
    for (const call of decodeCalls(message, index)) {
      this.#calls.add(call)
      parts.push(call)
    }
    this.turns.push({ role: 'assistant', parts })
  }

  #readResult(message: JsonObject, role: 'tool' | 'function', path: string): void {
    const call =
      role === 'tool'
        ? this.#calls.answerById(message.tool_call_id, `${path}.tool_call_id`)
        : this.#calls.answerByName(message.name, `${path}.name`)
    const result: ResultPart = {
      type: 'result',
      callId: call.id,
      name: call.name,
      // A JavaScript client whose tool returned nothing sends no `content` at all.
      content: decodeContent(message.content ?? null, `${path}.content`, this.#notices),
      isError: false,
    }
    if (this.#results === undefined) {
      this.#results = { role: 'user', parts: [] }
      this.turns.push(this.#results)
    }
    this.#results.parts.push(result)
  }
}

function decodeCalls(message: JsonObject, index: number): CallPart[] {
  const path = `messages[${index}]`
  const calls: CallPart[] = []
  if (message.tool_calls !== undefined && message.tool_calls !== null) {
    for (const [i, value] of readArray(message.tool_calls, `${path}.tool_calls`).entries()) {
      const callPath = `${path}.tool_calls[${i}]`
      const call = readObject(value, callPath)
      const id = readOptionalString(call.id, `${callPath}.id`) || positionId(index, i)
      calls.push(decodeCall(call, id, callPath))
    }
  }
  if (message.function_call !== undefined && message.function_call !== null) {
    const callPath = `${path}.function_call`
    const call = readObject(message.function_call, callPath)
    calls.push(decodeFunction(call, positionId(index, calls.length), callPath))
  }
  return calls
}

/** Returns an id for a call without one. It is derived from the call's place, so that the prompts of later turns stay the same. */
function positionId(message: number, call: number): string {
  return `call_${message}_${call}`
}

function decodeCall(call: JsonObject, id: string, path: string): CallPart {
  if (isJsonObject(call.custom)) {
    const name = readString(call.custom.name, `${path}.custom.name`)
    const input = readString(call.custom.input, `${path}.custom.input`)
    return { type: 'call', id, name, arguments: JSON.stringify({ input }) }
  }
  // Some clients leave out the `function` level.
  if (call.function === undefined && call.name !== undefined) return decodeFunction(call, id, path)
  return decodeFunction(readObject(call.function, `${path}.function`), id, `${path}.function`)
}

function decodeFunction(call: JsonObject, id: string, path: string): CallPart {
  const name = readString(call.name, `${path}.name`)
  return { type: 'call', id, name, arguments: readArguments(call.arguments, `${path}.arguments`) }
}

/** Returns the envelopes in the details of reasoning. */
function envelopesIn(details: unknown): string[] {
  if (!Array.isArray(details)) return []
  return details.flatMap((detail) =>
    isJsonObject(detail) && detail.type === 'reasoning.encrypted' && isEnvelope(detail.data) ? [detail.data] : [],
  )
}
