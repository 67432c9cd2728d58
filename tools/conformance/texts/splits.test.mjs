// @ts-check
import { expect, it } from 'vitest'
import { randomSplits } from './splits.mjs'

const text = 'A call: <tool_call>{"name": "f", "emoji": "\u{1F600}"}</tool_call>, and some text after it.'

it('cuts a text into pieces that join to it, each time in another way', () => {
  const splits = randomSplits(text, 'seed', 20)
  expect(splits).toHaveLength(20)
  for (const pieces of splits) expect(pieces.join('')).toBe(text)
  expect(new Set(splits.map((pieces) => JSON.stringify(pieces))).size).toBeGreaterThan(15)
})

it('cuts alike for the same seed only', () => {
  expect(randomSplits(text, 'seed', 20)).toEqual(randomSplits(text, 'seed', 20))
  expect(randomSplits(text, 'seed', 20)).not.toEqual(randomSplits(text, 'other', 20))
})

it('cuts an empty text', () => {
  expect(randomSplits('', 'seed', 2)).toEqual([[], []])
})
