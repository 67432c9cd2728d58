import { describe, expect, test } from 'vitest'
import { KeywordSearch } from './keyword-search.ts'

function read(search: KeywordSearch, text: string): number {
  return [...text].reduce((node, char) => search.step(node, char), 0)
}

const words = ['he', 'she', 'his', 'hers']
const search = new KeywordSearch(
  words.map((word) => [...word]),
  false,
)

describe('words in a text', () => {
  test.each<[text: string, lengths: number[], whole: number, nexts: string]>([
    ['', [], 0, 'hs'],
    ['x', [], 0, 'hs'],
    ['us', [1], 0, 'hsh'],
    ['sh', [1, 2], 0, 'hseie'],
    ['ushe', [2, 3], 3, 'hsr'],
    ['usher', [3], 0, 'hss'],
    ['shers', [1, 4], 4, 'hsh'],
    ['shis', [1, 3], 3, 'hsh'],
  ])('%j', (text, lengths, whole, nexts) => {
    const node = read(search, text)
    expect([search.lengthsAt(node), search.wholeAt(node), search.nextsAt(node).join('')]).toEqual([
      lengths,
      whole,
      nexts,
    ])
    expect([1, 2, 3, 4].filter((length) => search.hasLength(node, length))).toEqual(lengths)
  })
})

test('in both cases, where there are two of one character', () => {
  expect(new KeywordSearch([['a'], ['ß'], ['1']], true).nextsAt(0)).toEqual(['a', 'A', 'ß', '1'])
})
