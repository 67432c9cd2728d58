// @ts-check
import { expect, it } from 'vitest'
import { wordsMadeIn, wordsOf } from './words.mjs'

it.each([
  ['<\\/?tool_call>', ['</', 'tool_call>']],
  ['(?:<\\|im_end\\|>|\\[\\/INST\\])', ['<|im_end|>', '[/INST]']],
  ['(?<name>[\\w.-]{1,64}?)\\s{0,9}<arg_key>', ['<arg_key>']],
  ['[<\uff1c\u3008](?!\u2060)DSML', ['\uff1c', '\u3008', 'DSML']],
  ['a\\u003cb\\n', ['a<b\n']],
])('takes the words out of %s', (source, words) => {
  expect(wordsOf(source)).toEqual(words)
})

it('sees the expressions that are made, and no others', () => {
  const name = 'to_be_found'
  expect(wordsMadeIn(() => void new RegExp(`<${name}>`))).toEqual(['<to_be_found>'])
  expect(wordsMadeIn(() => {})).toEqual([])
})
