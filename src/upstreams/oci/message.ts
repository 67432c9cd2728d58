import { isJsonObject, type JsonObject } from '../../conversation/index.ts'
import type { ObjectContent } from '../http/wire-format.ts'
import type { CallPiece } from '../upstream.ts'
import { addEnd, addText } from './ending.ts'

/** A reply in which each piece is a piece of a message: the choice in GENERIC, the whole reply in COHEREV2. */
export class MessageReply {
  readonly #calls = new CallPieces()
  readonly #toolName: (sent: string) => string
  /** The text received so far, for replies in COHEREV2. */
  readonly #said = new Map<string, string>()
  /** The same, before the last event. */
  #before: ReadonlyMap<string, string> | undefined
  #isCohere = false

  constructor(toolName: (sent: string) => string) {
    this.#toolName = toolName
  }

  read(choice: JsonObject, content: ObjectContent): void {
    const { events } = content
    const { message, finishReason, errorMessage, apiFormat } = choice
    if (apiFormat === 'COHEREV2') this.#isCohere = true
    const isLast = typeof finishReason === 'string' && finishReason !== ''
    if (isLast) this.#before = new Map(this.#said)
    if (isJsonObject(message)) {
      addText(events, 'reasoning', message.reasoningContent)
      addText(events, 'reasoning', this.#fresh('plan', message.toolPlan))
      const parts: unknown[] = Array.isArray(message.content) ? message.content : []
      for (const part of parts) {
        if (!isJsonObject(part)) continue
        addText(events, 'reasoning', this.#fresh('thinking', part.thinking))
        addText(events, 'text', this.#fresh('text', part.text))
      }
      addText(events, 'text', message.refusal)
      const calls: unknown[] = Array.isArray(message.toolCalls) ? message.toolCalls : []
      for (const call of calls) events.push(...this.#readCall(call))
    }
    if (isLast) addEnd(content, finishReason, errorMessage)
  }

  #readCall(value: unknown): CallPiece[] {
    if (!isJsonObject(value)) return []
    // COHEREV2 has the function within the call, GENERIC in its place.
    const call = isJsonObject(value.function) ? { ...value, ...value.function } : value
    if (this.#fresh(`call ${String(call.id)}`, call.arguments) === undefined) return []
    return this.#calls.read(call, this.#toolName)
  }

  /** A piece as it came; undefined for a last one that repeats everything, as COHERE's last event does. */
  #fresh(what: string, piece: unknown): unknown {
    if (!this.#isCohere || typeof piece !== 'string' || piece === '') return piece ?? ''
    if (piece === this.#before?.get(what)) return undefined
    this.#said.set(what, (this.#said.get(what) ?? '') + piece)
    return piece
  }
}

/** The calls of a reply. Pieces of some models have an index, some the call's id, and some neither. */
class CallPieces {
  readonly #byId = new Map<string, number>()
  readonly #named = new Set<number>()
  #last = -1

  read(call: JsonObject, toolName: (sent: string) => string): CallPiece[] {
    const id = typeof call.id === 'string' && call.id !== '' ? call.id : undefined
    const name = typeof call.name === 'string' && call.name !== '' ? call.name : undefined
    const index = this.#indexOf(call.index, id, name)
    this.#last = Math.max(this.#last, index)
    const piece: CallPiece = { type: 'call', index }
    if (id !== undefined && !this.#byId.has(id)) {
      this.#byId.set(id, index)
      piece.id = id
    }
    if (name !== undefined && !this.#named.has(index)) {
      this.#named.add(index)
      piece.name = toolName(name)
    }
    if (typeof call.arguments === 'string') piece.arguments = call.arguments
    return [piece]
  }

  #indexOf(index: unknown, id: string | undefined, name: string | undefined): number {
    if (typeof index === 'number') return index
    if (id !== undefined) return this.#byId.get(id) ?? this.#last + 1
    return name !== undefined || this.#last < 0 ? this.#last + 1 : this.#last
  }
}
