import { expect } from 'vitest'
import type { JsonObject, JsonValue } from '../../src/conversation/index.ts'
import { chunkMisfits } from '../support/protocols/openai-chat-schema.ts'
import { arrayOf, objectOf, textOf } from './json.ts'
import { readEvents } from './sse.ts'

export interface StreamedCompletion {
  content: string
  reasoning: string
  calls: { id: string; name: string; arguments: string; pieces: number }[]
  /** Absent if the stream ended with an error. */
  finishReason?: string
  usage?: JsonObject
  error?: JsonObject
}

/**
 * Reads a stream of Chat Completions more strictly than the strictest client: anything that a client is known to
 * refuse, to lose or to misread fails the test.
 */
export function readOpenAIStream(raw: string, options: { includeUsage?: boolean } = {}): StreamedCompletion {
  const { includeUsage = false } = options
  const events = readEvents(raw)
  expect(events.pop(), '[DONE] is the last').toEqual({ event: undefined, data: '[DONE]' })
  const chunks = events.map(({ event, data }) => {
    expect(event, 'the API names no events').toBeUndefined()
    return objectOf(JSON.parse(data))
  })
  const completion: StreamedCompletion = { content: '', reasoning: '', calls: [] }
  const last = chunks.at(-1)
  if (last?.error !== undefined) {
    completion.error = objectOf(last.error)
    chunks.pop()
  } else if (includeUsage) {
    const usage = chunks.pop()
    expect(usage?.choices, 'the usage comes in a chunk of its own').toEqual([])
    expect(chunkMisfits(usage)).toEqual([])
    expect(usage?.usage).toBeDefined()
    completion.usage = objectOf(usage?.usage)
  }
  const [first] = chunks
  for (const chunk of chunks) {
    // One id and one time for all: clients that share a connection distinguish replies by them.
    expect(chunk).toMatchObject({ id: first?.id, created: first?.created, model: first?.model })
    expect(chunkMisfits(chunk)).toEqual([])
    if (includeUsage) expect(chunk.usage, 'chunks before the usage say null').toBeNull()
    else expect(chunk).not.toHaveProperty('usage')
    const choices = arrayOf(chunk.choices)
    expect(choices).toHaveLength(1)
    const choice = objectOf(choices[0])
    expect(choice.index).toBe(0)
    const delta = objectOf(choice.delta)
    expect(delta.role, 'the first delta has the role, and no other').toBe(chunk === first ? 'assistant' : undefined)
    expect(completion.finishReason, 'nothing comes after the finish_reason').toBeUndefined()
    readDelta(delta, completion)
    if (choice.finish_reason === null) continue
    expect(delta, 'the finish has a chunk of its own').toEqual({})
    completion.finishReason = textOf(choice.finish_reason)
  }
  expect(first, 'there is a first chunk').toBeDefined()
  if (!completion.error) expect(completion.finishReason, 'a finish_reason comes').toBeDefined()
  return completion
}

function readDelta(delta: JsonObject, completion: StreamedCompletion): void {
  for (const [field, value] of Object.entries(delta)) {
    switch (field) {
      case 'role':
        break
      case 'content':
        completion.content += textOf(value)
        break
      case 'reasoning_content':
        completion.reasoning += textOf(value)
        break
      case 'tool_calls':
        for (const call of arrayOf(value)) readCall(objectOf(call), completion.calls)
        break
      default:
        expect.unreachable(`there is no delta ${field}`)
    }
  }
}

function readCall(delta: JsonObject, calls: StreamedCompletion['calls']): void {
  const called = objectOf(delta.function)
  expect(delta.index, 'every delta of a call has its index').toEqual(expect.any(Number))
  if (delta.index === calls.length) {
    // Older clients join the names of all deltas, and the SDK wants the type of a call on its first.
    expect(delta).toEqual({
      index: calls.length,
      id: expect.stringMatching(/^call_\w+$/),
      type: 'function',
      function: { name: expect.stringMatching(/./), arguments: '' },
    })
    calls.push({ id: textOf(delta.id), name: textOf(called.name), arguments: '', pieces: 0 })
    return
  }
  expect(delta, 'further deltas of a call have its arguments alone').toEqual({
    index: calls.length - 1,
    function: { arguments: expect.stringMatching(/./s) },
  })
  const call = calls.at(-1)
  if (!call) throw new Error('a delta comes before its call')
  call.arguments += textOf(called.arguments)
  call.pieces++
}

/** The content of a reply, the same in both of its forms: without the ids, which differ in each request. */
export interface ReceivedCompletion {
  content: string
  reasoning: string
  /** Arguments as JSON text, as they came. */
  calls: { name: string; arguments: string }[]
  finishReason: string
  usage: JsonValue
}

export function receivedFromStream(stream: StreamedCompletion): ReceivedCompletion {
  if (!stream.finishReason) throw new Error(`the stream ended with ${JSON.stringify(stream.error)}`)
  return {
    content: stream.content,
    reasoning: stream.reasoning,
    calls: stream.calls.map(({ name, arguments: json }) => ({ name, arguments: json })),
    finishReason: stream.finishReason,
    usage: stream.usage ?? null,
  }
}

/** Reads a completion that came whole, or that an SDK assembled. */
export function receivedFromCompletion(value: unknown): ReceivedCompletion {
  const completion = objectOf(value)
  expect(completion.id).toMatch(/^chatcmpl-/)
  const choice = objectOf(arrayOf(completion.choices)[0])
  const message = objectOf(choice.message)
  expect(message.role).toBe('assistant')
  return {
    // The API has null for calls alone, and streams have no content.
    content: textOf(message.content ?? ''),
    reasoning: textOf(message.reasoning_content ?? ''),
    calls: arrayOf(message.tool_calls ?? []).map((value) => {
      const call = objectOf(value)
      expect(call).toMatchObject({ id: expect.stringMatching(/^call_/), type: 'function' })
      const called = objectOf(call.function)
      return { name: textOf(called.name), arguments: textOf(called.arguments) }
    }),
    finishReason: textOf(choice.finish_reason),
    usage: completion.usage ?? null,
  }
}
