// @ts-check
import { expect, it } from 'vitest'
import { createRandom, seedOf } from '../bench/robustness/random.mjs'
import { allSplits, randomPieces, singleUnits } from './splits.mjs'
import { Texts } from './texts.mjs'

/** @import { WritingDialect } from './types.ts' */

/** @type {WritingDialect} */
const dialect = {
  name: 'shout',
  example: '<SHOUT>get_weather</SHOUT>',
  usesTrigger: false,
  neutralise: (text) => text.replaceAll('<', '<\u2060'),
  renderAssistant: (parts) => parts.map((part) => (part.type === 'call' ? `<SHOUT>${part.name}</SHOUT>` : '')).join(''),
}

/** @param {string} seed */
function written(seed) {
  const texts = new Texts([dialect], createRandom(seedOf(seed)))
  return Array.from({ length: 200 }, () => texts.next('shout'))
}

it('writes the same texts for the same seed, and others for another', () => {
  expect(written('1')).toEqual(written('1'))
  expect(written('1')).not.toEqual(written('2'))
})

it('writes many different texts, most of them with marks of the dialect', () => {
  const texts = written('3')
  expect(new Set(texts).size).toBeGreaterThan(150)
  expect(texts.filter((text) => text.includes('SHOUT')).length).toBeGreaterThan(80)
})

it.each(['', 'a', 'ab\ud83d\udc4dc', 'x'.repeat(300)])('splits %j into pieces that join to it', (text) => {
  const splits = [...allSplits(text), singleUnits(text), randomPieces(text, createRandom(7))]
  for (const pieces of splits) expect(pieces.join('')).toBe(text)
})
