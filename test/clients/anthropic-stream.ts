import { expect } from 'vitest'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/conversation/index.ts'
import { messageEventMisfits } from '../support/protocols/anthropic-schema.ts'
import { arrayOf, objectOf, textOf } from './json.ts'
import { readEvents } from './sse.ts'

/** A content block as its deltas make it. */
export type StreamedBlock =
  | { type: 'text'; text: string; pieces: number }
  | { type: 'thinking'; thinking: string; signature: string; pieces: number }
  | { type: 'tool_use'; id: string; name: string; json: string; pieces: number }

export interface StreamedMessage {
  id: string
  model: string
  blocks: StreamedBlock[]
  /** The fields of the `message_delta`; absent if the stream ended with an error. */
  stop?: { reason: string; sequence: JsonValue; usage: JsonObject }
  error?: { type: string; message: string }
}

const deltaTypes: Readonly<Record<StreamedBlock['type'], readonly string[]>> = {
  text: ['text_delta'],
  thinking: ['thinking_delta', 'signature_delta'],
  tool_use: ['input_json_delta'],
}

/** The gateway's own ids, or those of an upstream that calls by itself. */
const callId: RegExp = /^(?:toolu|call)_\w+$/

/**
 * Reads a stream of the Messages API more strictly than the strictest client: anything that a client is known to
 * refuse, to lose or to misread fails the test.
 */
export function readAnthropicStream(raw: string): StreamedMessage {
  const events = readEvents(raw).map(({ event, data }) => {
    const value = objectOf(JSON.parse(data))
    expect(event, 'an event is named as its data').toBe(value.type)
    expect(messageEventMisfits(value)).toEqual([])
    return value
  })
  const [start, ...rest] = events.filter((event) => event.type !== 'ping')
  const reader = new MessageReader(objectOf(start))
  for (const event of rest) reader.read(event)
  return reader.end()
}

class MessageReader {
  readonly #message: StreamedMessage
  #open: StreamedBlock | undefined
  #over = false

  constructor(start: JsonObject) {
    expect(start.type).toBe('message_start')
    const message = objectOf(start.message)
    expect(message).toMatchObject({ id: expect.stringMatching(/^msg_\w+$/), content: [], stop_reason: null })
    this.#message = { id: textOf(message.id), model: textOf(message.model), blocks: [] }
  }

  read(event: JsonObject): void {
    expect(this.#over, `nothing comes after the end, but ${event.type} did`).toBe(false)
    switch (event.type) {
      case 'content_block_start':
        this.#start(event)
        return
      case 'content_block_delta':
        this.#delta(event)
        return
      case 'content_block_stop':
        this.#stop(event)
        return
      case 'message_delta': {
        expect(this.#open, 'every block is closed before the end').toBeUndefined()
        expect(this.#message.stop, 'one message_delta').toBeUndefined()
        const delta = objectOf(event.delta)
        this.#message.stop = {
          reason: textOf(delta.stop_reason),
          sequence: delta.stop_sequence ?? null,
          usage: objectOf(event.usage),
        }
        return
      }
      case 'message_stop':
        expect(this.#message.stop, 'a message_delta comes before the message_stop').toBeDefined()
        this.#over = true
        return
      case 'error': {
        const error = objectOf(event.error)
        this.#message.error = { type: textOf(error.type), message: textOf(error.message) }
        this.#over = true
        return
      }
      default:
        expect.unreachable(`there is no event ${String(event.type)}`)
    }
  }

  end(): StreamedMessage {
    expect(this.#over, 'a stream ends with message_stop or error').toBe(true)
    return this.#message
  }

  #start(event: JsonObject): void {
    expect(this.#message.stop, 'no block begins after the message_delta').toBeUndefined()
    expect(this.#open, 'blocks do not interleave').toBeUndefined()
    expect(event.index, 'indices are consecutive').toBe(this.#message.blocks.length)
    const block = objectOf(event.content_block)
    switch (block.type) {
      case 'text':
        expect(block.text).toBe('')
        this.#open = { type: 'text', text: '', pieces: 0 }
        break
      case 'thinking':
        expect(block).toEqual({ type: 'thinking', thinking: '', signature: '' })
        this.#open = { type: 'thinking', thinking: '', signature: '', pieces: 0 }
        break
      case 'tool_use':
        expect(block).toMatchObject({ id: expect.stringMatching(callId), input: {} })
        this.#open = { type: 'tool_use', id: textOf(block.id), name: textOf(block.name), json: '', pieces: 0 }
        break
      default:
        throw new Error(`there is no block ${String(block.type)}`)
    }
    this.#message.blocks.push(this.#open)
  }

  #delta(event: JsonObject): void {
    const open = this.#open
    if (!open) throw new Error('a delta comes before its content_block_start')
    expect(event.index, 'a delta is of the open block').toBe(this.#message.blocks.length - 1)
    const delta = objectOf(event.delta)
    expect(deltaTypes[open.type], `a delta of a ${open.type} block`).toContain(delta.type)
    open.pieces++
    switch (open.type) {
      case 'text':
        open.text += nonEmpty(delta.text)
        return
      case 'thinking':
        expect(open.signature, 'the signature is the last delta').toBe('')
        if (delta.type === 'signature_delta') open.signature = nonEmpty(delta.signature)
        else open.thinking += nonEmpty(delta.thinking)
        return
      case 'tool_use':
        open.json += nonEmpty(delta.partial_json)
    }
  }

  #stop(event: JsonObject): void {
    const open = this.#open
    if (!open) throw new Error('a content_block_stop without an open block')
    expect(event.index).toBe(this.#message.blocks.length - 1)
    if (open.type === 'text') expect(open.text, 'no text block is empty').not.toBe('')
    if (open.type === 'thinking') expect(open.signature, 'thinking is signed').not.toBe('')
    this.#open = undefined
  }
}

function nonEmpty(value: JsonValue | undefined): string {
  const text = textOf(value)
  expect(text, 'a delta says something').not.toBe('')
  return text
}

/** The content of a reply, the same in both of its forms: without the ids, which differ in each request. */
export interface ReceivedMessage {
  content: JsonValue[]
  stopReason: string
  usage: JsonObject
}

/** Reads a streamed message. A call whose JSON is open is given by that JSON, as `cut`. */
export function receivedFromStream(message: StreamedMessage): ReceivedMessage {
  if (!message.stop) throw new Error(`the stream ended with the error ${message.error?.message}`)
  return { content: contentOf(message), stopReason: message.stop.reason, usage: message.stop.usage }
}

/** The blocks that a stream has, be it to its end or to an error. */
export function contentOf(message: StreamedMessage): JsonValue[] {
  return message.blocks.map(contentOfBlock)
}

function contentOfBlock(block: StreamedBlock): JsonValue {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'thinking':
      return { type: 'thinking', thinking: block.thinking }
    case 'tool_use':
      return callOf(block.name, block.json)
  }
}

function callOf(name: string, json: string): JsonValue {
  try {
    // No delta at all is how the API streams a call without arguments.
    return { type: 'tool_use', name, input: json === '' ? {} : JSON.parse(json) }
  } catch {
    return { type: 'cut', name, json }
  }
}

/** Reads a message that came whole, or that an SDK assembled. */
export function receivedFromMessage(value: unknown): ReceivedMessage {
  const message = objectOf(value)
  expect(message.id).toMatch(/^msg_/)
  const usage = objectOf(message.usage)
  return {
    content: arrayOf(message.content).map((value): JsonValue => {
      const block = objectOf(value)
      switch (block.type) {
        case 'text':
          expect(block.text, 'no text block is empty').not.toBe('')
          return { type: 'text', text: textOf(block.text) }
        case 'thinking':
          return { type: 'thinking', thinking: textOf(block.thinking) }
        default:
          expect(block).toMatchObject({ type: 'tool_use', id: expect.stringMatching(callId) })
          expect(isJsonObject(block.input), 'the input is an object').toBe(true)
          return { type: 'tool_use', name: textOf(block.name), input: objectOf(block.input) }
      }
    }),
    stopReason: textOf(message.stop_reason),
    usage,
  }
}
