import { expect, test } from 'vitest'
import { ReplyStops } from './reply-stops.ts'

const stops = ['<end>']
const triggers = ['<call>', '\n{']

test.each<[triggers: string[] | undefined, pieces: string[], isEnded: boolean, text: string, isStopped: boolean]>([
  [triggers, ['a <e', 'nd> b'], false, 'a ', true],
  [triggers, ['a <e', 'nt> b'], false, 'a <ent> b', false],
  [triggers, ['a<call>', '<end>', 'b'], false, 'a<call><end>b', false],
  // At the beginning of a line only, and the reply begins one.
  [triggers, ['{', '<end>', '}'], false, '{<end>}', false],
  [triggers, ['a {', '<end>', '}'], false, 'a {', true],
  // One piece holds both.
  [triggers, ['a<end><call>b'], false, 'a', true],
  [triggers, ['a<call>b<end>c'], false, 'a<call>b<end>c', false],
  [triggers, ['a<en<call>d>'], false, 'a<en<call>d>', false],
  // The token that ends a reply may be shown as text.
  [triggers, ['<call>', '<end>'], true, '<call>', false],
  [triggers, ['<call>', '<end>'], false, '<call><end>', false],
  [triggers, ['<call>', '<end>', ''], true, '<call>', false],
  [triggers, ['<call>', '<en'], true, '<call><en', false],
  [[], ['a<end>', 'b<end>'], true, 'a<end>b', false],
  [undefined, ['<call><end>'], false, '<call>', true],
])('with triggers %j: %j, ended %s', (given, pieces, isEnded, text, isStopped) => {
  const found = new ReplyStops(stops, given)
  let out = ''
  let stopped = false
  for (const piece of pieces) {
    const shown = found.push(piece)
    out += shown.text
    stopped = shown.isStopped
    if (stopped) break
  }
  if (!stopped) out += found.end(isEnded)
  expect({ out, stopped }).toEqual({ out: text, stopped: isStopped })
})
