import type { LanguageModelV3Content } from '@ai-sdk/provider'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { streamOf, testReader, usage } from '../../../test/support/ai-sdk/model.ts'
import { ReplyParts } from './parts.ts'
import { readWhole } from './whole.ts'

const call = '<TOOL_CALL>{"name": "note", "input": {"text": "a"}}</TOOL_CALL>'
const stopped = { unified: 'stop', raw: 'stop' } as const

function read(...content: LanguageModelV3Content[]) {
  return readWhole({ content, finishReason: stopped, usage, warnings: [] }, testReader())
}

describe('whole replies', () => {
  it.each<[string, LanguageModelV3Content[], unknown[]]>([
    ['nothing', [], []],
    [
      'what is not text',
      [
        { type: 'reasoning', text: 'hm', providerMetadata: { some: { signature: 'x' } } },
        { type: 'file', mediaType: 'image/png', data: 'AAAA' },
        { type: 'tool-call', toolCallId: '1', toolName: 'note', input: '{}' },
      ],
      [
        { type: 'reasoning', text: 'hm', providerMetadata: { some: { signature: 'x' } } },
        { type: 'file', mediaType: 'image/png', data: 'AAAA' },
        { type: 'tool-call', toolCallId: '1', toolName: 'note', input: '{}' },
      ],
    ],
    [
      'a call that is cut between two texts',
      [
        { type: 'text', text: call.slice(0, 20) },
        { type: 'text', text: call.slice(20) },
      ],
      [{ type: 'tool-call', toolCallId: expect.stringMatching(/^call_/), toolName: 'note', input: '{"text":"a"}' }],
    ],
  ])('%s', (_, content, expected) => {
    expect(read(...content).content).toEqual(expected)
  })

  it('keeps everything else that the model gave', () => {
    const result = { content: [], finishReason: stopped, usage, warnings: [], response: { id: 'r' } }
    expect(readWhole(result, testReader())).toEqual(result)
  })

  it('hold what the same reply streamed holds', () => {
    const piece = fc.oneof(
      fc.constantFrom(call, '<TOOL_CALL>', '{"name": "note"', '<think>', '</think>', '\n'),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), fc.integer({ min: 1, max: 9 }), (pieces, size) => {
        const text = pieces.join('')
        const whole = read({ type: 'text', text })
        const reply = new ReplyParts(testReader())
        const parts = streamOf({ text, size }).flatMap((part) => reply.push(part))
        const joined = (type: 'text' | 'reasoning') =>
          parts.map((part) => (part.type === `${type}-delta` && 'delta' in part ? part.delta : '')).join('')
        for (const type of ['text', 'reasoning'] as const) {
          const texts = whole.content.map((part) => (part.type === type ? part.text : ''))
          expect(joined(type)).toBe(texts.join(''))
        }
        const inputs = parts.flatMap((part) => (part.type === 'tool-call' ? [part.input] : []))
        expect(whole.content.flatMap((part) => (part.type === 'tool-call' ? [part.input] : []))).toEqual(inputs)
        expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: whole.finishReason })
      }),
    )
  })
})
