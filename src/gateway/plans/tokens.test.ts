import { describe, expect, test } from 'vitest'
import type { ChatMessage } from '../../upstreams/upstream.ts'
import { estimateTextTokens, estimateTokens } from './tokens.ts'

const said = (text: string): ChatMessage => ({ role: 'user', parts: [{ type: 'text', text }] })

/** Tokens as cl100k counts them, without the marks around a message. */
describe('a guess is near what a tokenizer counts, and rather high', () => {
  test.each<[string, number]>([
    ['The quick brown fox jumps over the lazy dog.', 10],
    ['function add(a: number, b: number): number {\n  return a + b\n}\n', 21],
    ['東京の天気はどうですか。', 12],
    ['Привет, как дела?', 8],
  ])('%s', (text, counted) => {
    const guess = estimateTokens([said(text)]) - estimateTokens([said('')])
    expect(guess).toBeGreaterThanOrEqual(counted * 0.6)
    expect(guess).toBeLessThanOrEqual(counted * 2)
  })
})

test('more is never less', () => {
  const messages: ChatMessage[] = [said('one'), said('two')]
  const image: ChatMessage = { role: 'user', parts: [{ type: 'image', url: 'data:image/png;base64,AAAA' }] }
  const thought: ChatMessage = { role: 'assistant', parts: [], reasoning: 'I think, therefore I am.' }
  let before = estimateTokens([])
  expect(before).toBe(0)
  for (const message of [...messages, image, thought]) {
    const now = estimateTokens([...messages.slice(0, messages.indexOf(message)), message]) + before
    expect(now).toBeGreaterThan(before)
    before = now
  }
})

test('an image counts by itself, not by the length of its URL', () => {
  const image = (url: string): ChatMessage => ({ role: 'user', parts: [{ type: 'image', url }] })
  expect(estimateTokens([image(`data:image/png;base64,${'A'.repeat(100_000)}`)])).toBe(
    estimateTokens([image('https://example.com/a.png')]),
  )
})

test('is a whole number', () => {
  expect(Number.isInteger(estimateTokens([said('abc')]))).toBe(true)
})

test.each([
  ['of one script', 'wörld of '],
  ['of another script', '東京の天気。'],
  ['without any ASCII', 'é'],
])('a long text %s is estimated from samples, like its parts together', (_, part) => {
  const all = estimateTextTokens(part) * 200_000
  const guess = estimateTextTokens(part.repeat(200_000))
  expect(guess / all).toBeGreaterThan(0.99)
  expect(guess / all).toBeLessThan(1.01)
})

test('the end of a long text counts', () => {
  const ascii = 'a'.repeat(500_000)
  expect(estimateTextTokens(ascii + '東'.repeat(500_000))).toBeGreaterThan(2 * estimateTextTokens(ascii))
})
