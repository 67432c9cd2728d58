import { expect, test } from 'vitest'
import { SyntaxWatch } from './syntax-watch.ts'

/** The words, the first of them as people write it in prose too. */
const words = ['tool_calls', '"tool_calls"', '<tool_call', '<function_call', '<invoke', 'function.name:']

/** Each split of the text "See WORD." into up to three pieces. */
const splits = words.flatMap((word) => {
  const text = `See ${word}.`
  const places = Array.from({ length: text.length + 1 }, (_, place) => place)
  return places.flatMap((one) =>
    places.slice(one).map((other) => [word, [text.slice(0, one), text.slice(one, other), text.slice(other)]] as const),
  )
})

test('each word is seen, however the text is split', () => {
  for (const [word, pieces] of splits) {
    const watch = new SyntaxWatch()
    let offset = 100
    for (const piece of pieces) {
      watch.feed(piece, offset)
      offset += piece.length
    }
    expect([pieces, watch.saw(false), watch.markupAt(false)]).toEqual([
      pieces,
      true,
      word === 'tool_calls' ? undefined : 104,
    ])
  }
})

test.each([
  ['in capitals', ['See <TOOL', '_CALL>'], true],
  ['broken by a line end', ['See tool', '\n', '_calls'], false],
  ['without its underscore', ['See tool', ' calls: none'], false],
])('a word %s', (_, pieces, expected) => {
  const watch = new SyntaxWatch()
  for (const piece of pieces) {
    if (piece === '\n') watch.endLine(false)
    else watch.feed(piece, 0)
  }
  expect(watch.saw(false)).toBe(expected)
})
