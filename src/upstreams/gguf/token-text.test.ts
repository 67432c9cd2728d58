import { expect, test } from 'vitest'
import { byteModel } from '../../../test/support/upstreams/gguf-engine.ts'
import { TokenText } from './token-text.ts'

const bytes = (...text: string[]) => text.flatMap((one) => [...new TextEncoder().encode(one)])

/** The pieces that come out, one for each token and the last for the end. */
function piecesOf(tokens: readonly number[], prompt: readonly number[] = []): string[] {
  const text = new TokenText(byteModel, prompt)
  return [...tokens.map((token) => text.push(token)), text.end()]
}

test.each<[string, number[], string[]]>([
  ['plain text', bytes('ab'), ['a', 'b', '']],
  ['two bytes', bytes('é'), ['', 'é', '']],
  ['four bytes, and text after', bytes('a😀b'), ['a', '', '', '', '😀', 'b', '']],
  ['a character that never ends', [0xf0, 0x9f], ['', '', '\ufffd']],
  ['a byte that is none', [0x80, 0x61], ['', '\ufffda', '']],
  ['bytes that are none before a character', [0x80, 0x80, ...bytes('😀')], ['', '', '', '\ufffd', '\ufffd', '😀', '']],
  ['the replacement character itself', bytes('\ufffdx'), ['', '', '', '\ufffdx', '']],
])('%s', (_, tokens, pieces) => {
  expect(piecesOf(tokens)).toEqual(pieces)
})

test('all pieces are the text, however long', () => {
  const text = 'Grüße, 日本語 😀\u{10ffff} \ufffd.'.repeat(20)
  expect(piecesOf(bytes(text)).join('')).toBe(text)
})

test('an engine that leaves out the space at the beginning of a text is told what stands before', () => {
  const model = {
    textOf: (tokens: readonly number[], before: readonly number[]) =>
      before.length === 0 ? byteModel.textOf(tokens, []).trimStart() : byteModel.textOf(tokens, before),
  }
  const text = new TokenText(model, bytes('Hi'))
  expect(bytes(' a b').map((token) => text.push(token))).toEqual([' ', 'a', ' ', 'b'])
})
