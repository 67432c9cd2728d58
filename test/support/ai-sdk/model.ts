import type { LanguageModelV3FinishReason, LanguageModelV3StreamPart, LanguageModelV3Usage } from '@ai-sdk/provider'
import { convertArrayToReadableStream, MockLanguageModelV3 } from 'ai/test'
import { openReader, type ReplyReader } from '../../../src/ai-sdk/reply/reading.ts'
import { type Dialect, getDialect } from '../../../src/dialects/index.ts'

export const usage: LanguageModelV3Usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: undefined },
  outputTokens: { total: 5, text: 5, reasoning: undefined },
}

/** The model's next reply. */
export interface Said {
  text: string
  /** Characters in a piece; all at once by default. */
  size?: number
  finish?: LanguageModelV3FinishReason['unified']
}

/** A model that only writes text: its replies, in turn, whole or streamed. */
export function textModel(...replies: readonly (string | Said)[]): MockLanguageModelV3 {
  let next = 0
  const say = () => {
    const reply = replies[next++]
    if (reply === undefined) throw new Error('the model has nothing more to say')
    return typeof reply === 'string' ? { text: reply } : reply
  }
  return new MockLanguageModelV3({
    doGenerate: async () => {
      const { text, finish = 'stop' } = say()
      return {
        content: [{ type: 'text', text }],
        finishReason: { unified: finish, raw: finish },
        usage,
        warnings: [],
      }
    },
    doStream: async () => ({ stream: convertArrayToReadableStream(streamOf(say())) }),
  })
}

/** A reply as the stream of a model. */
export function streamOf({ text, size = text.length, finish = 'stop' }: Said): LanguageModelV3StreamPart[] {
  return [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: '0' },
    ...piecesOf(text, size).map((delta) => ({ type: 'text-delta' as const, id: '0', delta })),
    { type: 'text-end', id: '0' },
    { type: 'finish', finishReason: { unified: finish, raw: finish }, usage },
  ]
}

export function piecesOf(text: string, size: number): string[] {
  const step = Math.max(1, size)
  return Array.from({ length: Math.ceil(text.length / step) }, (_, index) =>
    text.slice(index * step, (index + 1) * step),
  )
}

/** A dialect that tests are written in. */
export function testDialect(): Dialect {
  const dialect = getDialect('tool-call-json')
  if (!dialect) throw new Error('the dialect that these tests are written in is gone')
  return dialect
}

/** A reader for a reply that may call the tool `note`. */
export function testReader(): ReplyReader {
  const schema = { type: 'object', properties: { text: { type: 'string' } } }
  return openReader({
    dialect: testDialect(),
    promptContext: { trigger: '' },
    tools: [{ name: 'note', description: '', schema }],
    toolChoice: { type: 'auto' },
    parallelCalls: true,
    options: {},
  })
}
