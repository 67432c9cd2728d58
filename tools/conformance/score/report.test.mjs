// @ts-check
import { expect, it } from 'vitest'
import { failureLines } from './report.mjs'

it('shows of long texts what is around the first difference', () => {
  const long = 'a'.repeat(1000)
  const lines = failureLines({
    id: 'x',
    file: 'a.json',
    source: '',
    output: long,
    notices: ['odd'],
    differences: [
      { what: 'content', expected: `${long}b${long}`, got: `${long}c${long}` },
      { what: 'by the character', note: 'the reader threw' },
    ],
  })
  const [title, output, expected, got, ...others] = lines
  expect(title).toBe('x  (a.json)')
  expect(output).toMatch(/^ {2}output {5}"a+\.\.\. \(1002\)$/)
  expect(expected).toMatch(/^ {2}content {4}expected \.\.\.a{40}ba+\.\.\. \(2001\)$/)
  expect(got).toMatch(/^ {13}got {6}\.\.\.a{40}ca+\.\.\. \(2001\)$/)
  expect(others).toEqual(['  by the character: the reader threw', '  notices    odd'])
})
