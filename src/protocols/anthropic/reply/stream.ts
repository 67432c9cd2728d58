import {
  type AnycallError,
  type FinishEvent,
  isRefusal,
  type JsonObject,
  type ReplyEvent,
  type SaidReasoning,
} from '../../../conversation/index.ts'
import { BegunCalls } from '../../begun-calls.ts'
import type { ReplyContext, SynchronousEncoder } from '../../protocol.ts'
import { sseEvent } from '../../sse.ts'
import { WholeCharacters } from '../../whole-characters.ts'
import type { AnthropicOptions } from '../request/decode.ts'
import { asReplyBlock, encodeMessage, encodeStop, thinkingSignature } from './encode.ts'
import { encodeError } from './error.ts'
import { encodeFinalUsage, encodeInitialUsage } from './usage.ts'

/** The open content block. `call` is the index of its call in the reply's events. */
type OpenBlock = { type: 'none' } | { type: 'text' } | { type: 'thinking' } | { type: 'tool_use'; call: number }

/** The delta of each block type as JSON text, up to the value of its field. */
const deltas = {
  text: '{"type":"text_delta","text":',
  thinking: '{"type":"thinking_delta","thinking":',
  tool_use: '{"type":"input_json_delta","partial_json":',
} as const

const none: OpenBlock = { type: 'none' }

export function createEncoder(context: ReplyContext<AnthropicOptions>): SynchronousEncoder {
  return new MessageEncoder(context)
}

/** Writes one reply as Anthropic's server-sent events. At most one content block is open at any time. */
class MessageEncoder implements SynchronousEncoder {
  readonly #context: ReplyContext<AnthropicOptions>
  readonly #calls = new BegunCalls()
  #open: OpenBlock = none
  /** The index of the open block, or of the last one. */
  #index = -1
  /** The open block's delta event, up to its value. A reply has one delta per token, so only the value is built each time. */
  #deltaHead = ''
  readonly #whole = new WholeCharacters()
  #characters = 0
  #isRefused = false
  #ended = false

  constructor(context: ReplyContext<AnthropicOptions>) {
    this.#context = context
  }

  start(): string {
    const usage = encodeInitialUsage(this.#context)
    const message = encodeMessage(this.#context, [], encodeStop(undefined), usage)
    return event({ type: 'message_start', message })
  }

  encode(events: readonly ReplyEvent[]): string {
    let out = ''
    for (const reply of this.#calls.pass(events)) {
      if (this.#ended) return out
      out += this.#encodeOne(reply)
    }
    return out
  }

  ping(): string {
    return this.#ended ? '' : event({ type: 'ping' })
  }

  fail(error: AnycallError): string {
    if (this.#ended) return ''
    this.#ended = true
    return sseEvent(JSON.stringify(encodeError(error, this.#context.requestId).body), 'error')
  }

  #encodeOne(reply: ReplyEvent): string {
    switch (reply.type) {
      case 'text':
        if (isRefusal(reply)) this.#isRefused = true
        return reply.text === '' ? '' : this.#openText() + this.#delta(reply.text)
      case 'reasoning':
        return this.#think(reply)
      case 'call-start':
        this.#characters += reply.name.length
        return this.#openBlock(
          { type: 'tool_use', call: reply.index },
          { type: 'tool_use', id: reply.id, name: reply.name, input: {} },
        )
      case 'call-arguments':
        return reply.json !== '' && this.#isOpenCall(reply.index) ? this.#delta(reply.json) : ''
      case 'call-end':
        return this.#isOpenCall(reply.index) ? this.#close() : ''
      case 'notice':
        return ''
      case 'finish':
        return this.#finish(reply)
    }
  }

  #isOpenCall(call: number): boolean {
    return this.#open.type === 'tool_use' && this.#open.call === call
  }

  #openText(): string {
    return this.#open.type === 'text' ? '' : this.#openBlock({ type: 'text' }, { type: 'text', text: '' })
  }

  #think({ text, sealed }: SaidReasoning): string {
    const words = text === '' ? '' : this.#openThinking() + this.#delta(text)
    return sealed === undefined ? words : words + this.#openThinking() + this.#close(sealed)
  }

  #openThinking(): string {
    if (this.#open.type === 'thinking') return ''
    return this.#openBlock({ type: 'thinking' }, { type: 'thinking', thinking: '', signature: '' })
  }

  #openBlock(block: Exclude<OpenBlock, { type: 'none' }>, content: JsonObject): string {
    const closed = this.#close()
    this.#open = block
    this.#index += 1
    this.#deltaHead = `${this.#deltaStart()}${deltas[block.type]}`
    return closed + event({ type: 'content_block_start', index: this.#index, content_block: asReplyBlock(content) })
  }

  #close(signature = thinkingSignature): string {
    if (this.#open.type === 'none') return ''
    const half = this.#whole.rest()
    let out = half === '' ? '' : this.#write(half)
    if (this.#open.type === 'thinking') {
      out += `${this.#deltaStart()}{"type":"signature_delta","signature":"${signature}"}}\n\n`
    }
    this.#open = none
    return out + event({ type: 'content_block_stop', index: this.#index })
  }

  #deltaStart(): string {
    return `event: content_block_delta\ndata: {"type":"content_block_delta","index":${this.#index},"delta":`
  }

  #delta(piece: string): string {
    this.#characters += piece.length
    const text = this.#whole.push(piece)
    return text === '' ? '' : this.#write(text)
  }

  #write(text: string): string {
    return `${this.#deltaHead}${JSON.stringify(text)}}}\n\n`
  }

  #finish(finish: FinishEvent): string {
    const closed = this.#close()
    this.#ended = true
    const usage = encodeFinalUsage(finish, this.#context, this.#characters)
    return (
      closed +
      event({ type: 'message_delta', delta: encodeStop(finish, this.#isRefused), usage }) +
      event({ type: 'message_stop' })
    )
  }
}

/** Encodes an event whose name is the type of its data, as Anthropic's all are. */
function event(data: { type: string; [key: string]: unknown }): string {
  return sseEvent(JSON.stringify(data), data.type)
}
