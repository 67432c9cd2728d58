import { expect, test } from 'vitest'
import { docstringFaults } from './docstrings.mjs'

/** @param {string} text */
const docstring = (text) => `/*${text}`

test.each([
  ['a docstring of one line', `let a\n${docstring('* What it is. */')}`, 'x.ts:2: a docstring begins with "What"'],
  ['a docstring of several lines', docstring('*\n * Whether it is.\n */'), 'x.ts:1: a docstring begins with "Whether"'],
  ['a docstring within a line', `f(${docstring('* As it is. */')} a)`, 'x.ts:1: a docstring begins with "As"'],
])('a fault: %s', (_, source, fault) => {
  expect(docstringFaults(source, 'x.ts')).toEqual([`${fault}; begin with a verb or a noun phrase`])
})

test.each([
  ['a verb', docstring('* Returns what it is. */')],
  ['a noun phrase', docstring('*\n * The place where it is.\n */')],
  ['a longer word', docstring('* Offsets of all words. */')],
  ['a comment that is no docstring', '// What is not documented.'],
])('no fault: %s', (_, source) => {
  expect(docstringFaults(source, 'x.ts')).toEqual([])
})
