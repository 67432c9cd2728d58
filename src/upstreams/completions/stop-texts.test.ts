import { expect, test } from 'vitest'
import { StopTexts } from './stop-texts.ts'

test.each<[stops: string[], pieces: string[], given: string[], isStopped: boolean]>([
  [[], ['a', 'b'], ['a', 'b', ''], false],
  [[''], ['a'], ['a', ''], false],
  [['<end>'], ['Hello', ' <end>'], ['Hello', ' '], true],
  [['<end>'], ['Hello <', 'e', 'nd', '> more'], ['Hello ', '', '', ''], true],
  [['<end>'], ['a <en', 'try>'], ['a ', '<entry>', ''], false],
  [['<end>'], ['a <', '<end>'], ['a ', '<'], true],
  [['<end>'], ['a <en'], ['a ', '<en'], false],
  [['aab'], ['aaa', 'b'], ['a', ''], true],
  [['bc', 'c'], ['abcd'], ['a'], true],
  [['xyz', 'b'], ['xy', 'ab'], ['', 'xya'], true],
  [['\n\n', '</s>'], ['a\n', 'b\n', '\nc'], ['a', '\nb', ''], true],
])('up to one of %j of %j', (stops, pieces, given, isStopped) => {
  const texts = new StopTexts(stops)
  const out: string[] = []
  let stopped = false
  for (const piece of pieces) {
    const shown = texts.push(piece)
    out.push(shown.text)
    stopped = shown.isStopped
    if (stopped) break
  }
  if (!stopped) out.push(texts.end())
  expect({ out, stopped }).toEqual({ out: given, stopped: isStopped })
})
