import type { ChatResponse } from 'ollama'
import { expect } from 'vitest'
import { isJsonObject, type JsonObject } from '../../../src/conversation/index.ts'
import type { ReadReply } from './read-reply.ts'
import { constant, misfits, published, shape, type Wire } from './shape.ts'

// The shapes of what the gateway writes. The compiler compares a chat's end with the type of the package ollama, which has none for
// the objects before it.

const said = shape({
  'thinking?': 'string',
  'tool_calls?': [{ id: 'string', function: { index: 'integer', name: 'string', arguments: 'object' } }],
})
const message = shape({ role: constant('assistant'), content: 'string', ...said })
const end = shape({
  done: constant(true),
  done_reason: constant('stop', 'length'),
  total_duration: 'integer',
  load_duration: 'integer',
  prompt_eval_count: 'integer',
  prompt_eval_duration: 'integer',
  eval_count: 'integer',
  eval_duration: 'integer',
})
const head = shape({ model: 'string', created_at: 'string' })

const wholes = {
  chat: published(shape({ ...head, message, ...end }), (value): Wire<ChatResponse> => value),
  generate: shape({ ...head, response: 'string', ...said, ...end }),
}
const pieces = {
  chat: shape({ ...head, message, done: constant(false) }),
  generate: shape({ ...head, response: 'string', ...said, done: constant(false) }),
}

/** Reads a reply from its lines, or from a whole one. Fails for anything that a client of the API could not read. */
export function readOllamaReply(objects: readonly unknown[], endpoint: 'chat' | 'generate' = 'chat'): ReadReply {
  const reply: ReadReply = { text: '', reasoning: '', calls: [] }
  for (const [at, object] of objects.entries()) {
    const isLast = at === objects.length - 1
    if (!isJsonObject(object)) throw new Error(`not an object: ${JSON.stringify(object)}`)
    if ('error' in object) {
      expect(misfits(object, { error: 'string' })).toEqual([])
      expect(isLast, 'nothing comes after an error').toBe(true)
      reply.error = String(object.error)
      continue
    }
    expect(misfits(object, isLast ? wholes[endpoint] : pieces[endpoint])).toEqual([])
    if (isLast) reply.finish = String(object.done_reason)
    readPiece(endpoint === 'chat' && isJsonObject(object.message) ? object.message : object, reply)
  }
  return reply
}

function readPiece(piece: JsonObject, reply: ReadReply): void {
  reply.text += piece.content ?? piece.response ?? ''
  reply.reasoning += piece.thinking ?? ''
  const calls = Array.isArray(piece.tool_calls) ? piece.tool_calls : []
  for (const call of calls.filter(isJsonObject)) {
    const { index, name, arguments: input }: JsonObject = isJsonObject(call.function) ? call.function : {}
    expect(index).toBe(reply.calls.length)
    reply.calls.push({ id: String(call.id), name: String(name), input })
  }
}

/** Reads a stream of lines. Readers in Go take no blank ones. */
export function readOllamaStream(text: string, endpoint: 'chat' | 'generate' = 'chat'): ReadReply {
  const lines = text.split('\n')
  expect(lines.pop(), 'the last line is whole').toBe('')
  return readOllamaReply(
    lines.map((line): unknown => JSON.parse(line)),
    endpoint,
  )
}
