import type {
  JSONObject,
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  SharedV3ProviderMetadata,
} from '@ai-sdk/provider'
import { type FinishReason, isRefusal, type Notice, type ReplyEvent } from '../../conversation/index.ts'
import { type FinishPart, noticeObject, refusalMark, withMetadata } from './findings.ts'
import type { ReplyReader } from './reading.ts'

interface Call {
  id: string
  name: string
  json: string
}

/**
 * The reason why the model stopped, as a reader understands it: `error` and `interrupted` (v4) mean that the reply was
 * cut off; servers that give no reason send `other`.
 */
const reasons: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'content-filter',
  'tool-calls': 'stop',
  error: 'length',
  interrupted: 'length',
  other: 'stop',
}

/** Parts that end the text before them. The last two are those of models of specification v4. */
const standsAlone: ReadonlySet<string> = new Set([
  'reasoning-start',
  'tool-input-start',
  'tool-result',
  'tool-approval-request',
  'file',
  'reasoning-file',
  'custom',
])

/**
 * Converts the parts that a model streams into the parts of a model with tool calls: its text is read, and emitted as
 * text, reasoning and calls. Other parts pass through. A call that breaks off has a `tool-input-start` and its input so
 * far, but no end and no `tool-call`: nothing can run it.
 */
export class ReplyParts {
  readonly #reader: ReplyReader
  /** Begins the ids of blocks. */
  readonly #prefix: string
  readonly #notices: Notice[] = []
  readonly #incomplete: Call[] = []
  readonly #calls = new Map<number, Call>()
  #open: { type: 'text' | 'reasoning'; id: string } | undefined
  #blocks = 0
  /** The provider's metadata of the text that is being read. */
  #metadata: SharedV3ProviderMetadata | undefined
  #reason: FinishReason = 'stop'
  #isOver = false

  constructor(reader: ReplyReader, prefix: string = 'anycall') {
    this.#reader = reader
    this.#prefix = prefix
  }

  push(part: LanguageModelV3StreamPart): LanguageModelV3StreamPart[] {
    switch (part.type) {
      case 'text-start':
        this.#metadata = part.providerMetadata
        return part.providerMetadata ? this.#close() : []
      case 'text-delta':
        return this.#isOver ? [] : this.#encode(this.#reader.push(part.delta))
      case 'text-end':
        return part.providerMetadata && this.#open?.type === 'text' ? this.#close(part.providerMetadata) : []
      case 'finish':
        return this.#finish(part)
      case 'tool-call':
        if (!part.providerExecuted) this.#reader.noteCall?.()
        return [...this.#close(), part]
      default:
        // Text after another part does not continue the text before it.
        return standsAlone.has(part.type) ? [...this.#close(), part] : [part]
    }
  }

  /** Ends the stream. Without a finish it broke off, and the text that is still held back is released. */
  end(): LanguageModelV3StreamPart[] {
    if (this.#isOver) return []
    this.#isOver = true
    return [...this.#encode(this.#reader.end('length')), ...this.#close()]
  }

  #finish(part: FinishPart): LanguageModelV3StreamPart[] {
    if (this.#isOver) return [part]
    this.#isOver = true
    const last = [...this.#encode(this.#reader.end(reasons[part.finishReason.unified] ?? 'stop')), ...this.#close()]
    return [...last, withMetadata({ ...part, finishReason: this.#reasonOf(part) }, this.#findings())]
  }

  /** The provider's reason, unless the text has another: it has calls, or its value breaks off. */
  #reasonOf({ finishReason }: FinishPart): LanguageModelV3FinishReason {
    const { unified, raw } = finishReason
    if (this.#reason === 'calls') return { unified: 'tool-calls', raw }
    return this.#reason === 'length' && reasons[unified] === 'stop' ? { unified: 'length', raw } : finishReason
  }

  /** Findings about how the text was read; mostly empty. */
  #findings(): JSONObject {
    const notices = this.#notices.map(noticeObject)
    const incomplete = this.#incomplete.map(({ id, name, json }) => ({ id, name, json }))
    return { ...(notices.length > 0 && { notices }), ...(incomplete.length > 0 && { incomplete }) }
  }

  #encode(events: readonly ReplyEvent[]): LanguageModelV3StreamPart[] {
    const parts: LanguageModelV3StreamPart[] = []
    for (const event of events) this.#add(parts, event)
    return parts
  }

  #add(parts: LanguageModelV3StreamPart[], event: ReplyEvent): void {
    switch (event.type) {
      case 'text':
      case 'reasoning':
        if (event.text !== '') this.#addText(parts, event)
        return
      case 'call-start': {
        const { id, name } = event
        this.#calls.set(event.index, { id, name, json: '' })
        parts.push(...this.#close(), { type: 'tool-input-start', id, toolName: name })
        return
      }
      case 'call-arguments': {
        const call = this.#calls.get(event.index)
        if (!call) return
        call.json += event.json
        parts.push({ type: 'tool-input-delta', id: call.id, delta: event.json })
        return
      }
      case 'call-end': {
        const call = this.#calls.get(event.index)
        if (!call) return
        this.#calls.delete(event.index)
        if (event.complete) parts.push(...endOf(call))
        else this.#incomplete.push(call)
        return
      }
      case 'notice':
        this.#notices.push(event.notice)
        return
      case 'finish':
        this.#reason = event.reason
    }
  }

  #addText(parts: LanguageModelV3StreamPart[], event: Extract<ReplyEvent, { type: 'text' | 'reasoning' }>): void {
    const { type, text: delta } = event
    if (this.#open?.type !== type) {
      parts.push(...this.#close())
      this.#open = { type, id: `${this.#prefix}-${this.#blocks++}` }
      const own = type === 'text' ? { ...this.#metadata, ...(isRefusal(event) && refusalMark) } : {}
      const known = Object.keys(own).length > 0 && { providerMetadata: own }
      parts.push({ type: `${type}-start`, id: this.#open.id, ...known })
    }
    parts.push({ type: `${type}-delta`, id: this.#open.id, delta })
  }

  #close(providerMetadata?: SharedV3ProviderMetadata): LanguageModelV3StreamPart[] {
    const open = this.#open
    if (!open) return []
    this.#open = undefined
    return [{ type: `${open.type}-end`, id: open.id, ...(providerMetadata && { providerMetadata }) }]
  }
}

function endOf({ id, name, json }: Call): LanguageModelV3StreamPart[] {
  return [
    { type: 'tool-input-end', id },
    { type: 'tool-call', toolCallId: id, toolName: name, input: json },
  ]
}
