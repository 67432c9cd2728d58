import type { GenerateContentResponse } from '@google/genai'
import { expect } from 'vitest'
import { isJsonObject, type JsonObject } from '../../../src/conversation/index.ts'
import type { ReadReply } from './read-reply.ts'
import { constant, either, misfits, published, shape, type Wire } from './shape.ts'

// The shapes of what the gateway writes, which the compiler compares with the types of the package @google/genai.

const part = either(
  { text: 'string', 'thoughtSignature?': 'string' },
  { text: 'string', thought: constant(true), 'thoughtSignature?': 'string' },
  { functionCall: { id: 'string', name: 'string', args: 'object' }, 'thoughtSignature?': 'string' },
)
const finishReason = constant('STOP', 'MAX_TOKENS', 'SAFETY', 'MALFORMED_FUNCTION_CALL')
const usage = shape({
  promptTokenCount: 'integer',
  candidatesTokenCount: 'integer',
  totalTokenCount: 'integer',
  'thoughtsTokenCount?': 'integer',
  'cachedContentTokenCount?': 'integer',
  promptTokensDetails: [{ modality: constant('TEXT'), tokenCount: 'integer' }],
})
type Published = Pick<GenerateContentResponse, 'candidates' | 'usageMetadata' | 'modelVersion' | 'responseId'>

const response = published(
  shape({
    candidates: [
      {
        content: { parts: [part], role: constant('model') },
        'finishReason?': finishReason,
        index: constant(0),
      },
    ],
    'usageMetadata?': usage,
    modelVersion: 'string',
    responseId: 'string',
  }),
  (value): Wire<Published> => value,
)
const failure = shape({ error: { code: 'integer', message: 'string', status: 'string', details: ['object'] } })

/** Reads a reply from its chunks, or from a whole one. Fails for anything that a client of the API could not read. */
export function readGeminiReply(chunks: readonly unknown[]): ReadReply {
  const reply: ReadReply = { text: '', reasoning: '', calls: [], signatures: [] }
  for (const [at, chunk] of chunks.entries()) {
    if (isJsonObject(chunk) && 'error' in chunk) {
      expect(misfits(chunk, failure)).toEqual([])
      expect(at, 'nothing comes after an error').toBe(chunks.length - 1)
      reply.error = String(isJsonObject(chunk.error) ? chunk.error.message : '')
      continue
    }
    expect(misfits(chunk, response)).toEqual([])
    readChunk(chunk, reply, at === chunks.length - 1)
  }
  if (reply.error === undefined) expect(reply.finish, 'the last chunk has a finishReason').toBeDefined()
  return reply
}

interface Chunk {
  candidates: { content: { parts: JsonObject[] }; finishReason?: string }[]
  usageMetadata?: { promptTokenCount: number; candidatesTokenCount: number; totalTokenCount: number }
}

function readChunk(chunk: unknown, reply: ReadReply, isLast: boolean): void {
  const { candidates, usageMetadata } = chunk as Chunk
  expect(candidates).toHaveLength(1)
  const [{ content, finishReason: finish }] = candidates as [Chunk['candidates'][number]]
  for (const { text, thought, functionCall, thoughtSignature } of content.parts) {
    if (typeof thoughtSignature === 'string') {
      // Libraries in other languages have it as bytes.
      expect(btoa(atob(thoughtSignature))).toBe(thoughtSignature)
      reply.signatures?.push(thoughtSignature)
    }
    if (isJsonObject(functionCall)) {
      expect(functionCall.id).toMatch(/^\w+$/)
      reply.calls.push({ id: String(functionCall.id), name: String(functionCall.name), input: functionCall.args })
    } else if (thought === true) reply.reasoning += text
    else reply.text += text
  }
  if (isLast) {
    reply.finish = finish
    expect(usageMetadata, 'the last chunk has the usage').toBeDefined()
  } else expect(finish, 'only the last chunk has a finishReason').toBeUndefined()
}

/** Reads a stream of events, or of one array, as Google's libraries do. */
export function readGeminiStream(text: string): ReadReply {
  if (text.trimStart().startsWith('[')) {
    const chunks: unknown = JSON.parse(text)
    if (!Array.isArray(chunks)) throw new Error('no array')
    return readGeminiReply(chunks)
  }
  const blocks = text.split('\n\n')
  const rest = blocks.pop() ?? ''
  const chunks: unknown[] = blocks
    .filter((block) => block !== '')
    .map((block) => {
      // Older versions of the library read no other line.
      const data = /^data: ([^\n]*)$/.exec(block)?.[1]
      if (data === undefined) throw new Error(`no event: ${block}`)
      return JSON.parse(data)
    })
  // An error comes again by itself.
  if (rest !== '') expect(JSON.parse(rest)).toEqual(chunks.at(-1))
  return readGeminiReply(chunks)
}
