import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readChunk } from '../openai-chat/chunk.ts'
import { ChunkTemplate } from './chunk-template.ts'

type Write = (text: string) => string

/** The notations in which servers write a chunk with a piece of text. */
const servers: Record<string, Write> = {
  compact: (content) =>
    JSON.stringify({ id: 'x', choices: [{ index: 0, delta: { content }, finish_reason: null }], usage: null }),
  spaced: (content) => `{"id": "x", "choices": [{"index": 0, "delta": {"content": ${JSON.stringify(content)}}}]}`,
  'with the role in every chunk': (content) =>
    JSON.stringify({ choices: [{ delta: { role: 'assistant', content, reasoning_content: null, tool_calls: [] } }] }),
  'with the key elsewhere too': (content) =>
    JSON.stringify({ note: { content: 'note' }, 'a"content":"b': 'x', choices: [{ delta: { content } }] }),
}

function learned(from: string): ChunkTemplate {
  const template = new ChunkTemplate('content', readChunk)
  template.learn(from)
  return template
}

describe.each(Object.entries(servers).slice(0, 3))('a server that writes chunks %s', (_, write) => {
  test('every text is read as it was written', () => {
    const template = learned(write('first'))
    const anyText = fc.string({ unit: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('"', '\\', '\n', '"}')) })
    fc.assert(
      fc.property(anyText, (text) => {
        expect(template.read(write(text))).toBe(text)
      }),
    )
  })

  test('escapes that JSON does not need are read', () => {
    const template = learned(write('first'))
    expect(template.read(write('@').replace('@', '\\u00e9\\/'))).toBe('é/')
  })
})

describe('what is not like the chunk learned from is left to the parser', () => {
  const compact = servers.compact ?? String
  test.each([
    ['another field', compact('a').replace('"x"', '"y"')],
    ['a finish reason', compact('a').replace('"finish_reason":null', '"finish_reason":"stop"')],
    ['a field after the text', compact('a').replace('"a"', '"a","reasoning_content":"b"')],
    ['a text that is broken off', compact('a').replace('"a"', '"a\\"')],
    ['a line break inside the text', compact('a').replace('"a"', '"a\n"')],
    ['an escape that is none', compact('a').replace('"a"', '"\\x"')],
    ['less than the template', compact('').slice(0, 40)],
    ['nothing', ''],
  ])('%s', (_, data) => {
    expect(learned(compact('first')).read(data)).toBeUndefined()
  })

  test('before anything was learned', () => {
    expect(new ChunkTemplate('content', readChunk).read(compact('a'))).toBeUndefined()
  })
})

describe('nothing is learned from', () => {
  test.each([
    ['a chunk in which the place of the text is in doubt', servers['with the key elsewhere too']?.('first') ?? ''],
    [
      'a chunk that says more than a text',
      JSON.stringify({ choices: [{ delta: { content: 'a' }, finish_reason: 'stop' }] }),
    ],
    ['a chunk of reasoning', JSON.stringify({ choices: [{ delta: { reasoning_content: 'a' } }] })],
    ['what is no JSON', '"content":"a"'],
  ])('%s', (_, data) => {
    expect(learned(data).read(data)).toBeUndefined()
  })
})

test('where every chunk has fields of its own, learning is given up', () => {
  const template = new ChunkTemplate('content', readChunk)
  const write = (id: number): string => JSON.stringify({ id, choices: [{ delta: { content: 'a' } }] })
  for (let id = 0; id < 3; id++) template.learn(write(id))
  template.learn(write(3))
  expect(template.read(write(3))).toBeUndefined()
})

test('a template that was of use is followed by the next', () => {
  const template = new ChunkTemplate('content', readChunk)
  const write = (id: number, text: string): string => JSON.stringify({ id, choices: [{ delta: { content: text } }] })
  for (let id = 0; id < 10; id++) {
    template.learn(write(id, 'a'))
    expect(template.read(write(id, 'b'))).toBe('b')
  }
})
