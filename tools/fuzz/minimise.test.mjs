// @ts-check
import { expect, it } from 'vitest'
import { minimise, minimiseText } from './minimise.mjs'

it.each([
  ['one character', 'aaaaXaaaa', /X/, 'X'],
  ['two that stand apart', '.....a.......b....', /a.*b/s, 'ab'],
  ['all that is needed', 'abc', /^abc$/, 'abc'],
  ['nothing at all', 'abcdef', /^/, ''],
])('leaves %s', (_what, text, fails, small) => {
  expect(minimiseText(text, (shorter) => fails.test(shorter))).toBe(small)
})

it('takes out options that do not matter, and then more of the text', () => {
  const fuzzCase = {
    dialect: 'd',
    text: 'say x!',
    options: { standalone: true, accept: { looseCalls: true, naturalLanguage: true } },
  }
  const small = minimise(fuzzCase, ({ text, options }) => text.includes('x') && options.accept?.looseCalls === true)
  expect(small).toEqual({ dialect: 'd', text: 'x', options: { accept: { looseCalls: true } } })
})
