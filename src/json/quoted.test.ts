import fc from 'fast-check'
import { expect, test } from 'vitest'
import { growthOf, linearGrowth } from '../../test/support/steps.ts'
import { mapStrings, quotedEnd } from './quoted.ts'

test('every string of a JSON text is found, and nothing else is changed', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = JSON.stringify(value, null, 1)
      const strings: string[] = []
      const same = mapStrings(json, (content) => {
        strings.push(`"${content}"`)
        return content
      })
      expect(same).toBe(json)
      const outside = strings.reduce((rest, string) => rest.replace(string, () => ''), json)
      expect(outside).not.toContain('"')
      for (const string of strings) expect(typeof JSON.parse(string)).toBe('string')
    }),
  )
})

test.each([
  ['""', 0, 2],
  ['"\\\\"', 0, 4],
  ['"\\""', 0, 4],
  ['"\\\\\\""x', 0, 6],
  ['"', 0, -1],
  ['"a\\"', 0, -1],
])('%s', (text, at, end) => {
  expect(quotedEnd(text, at)).toBe(end)
})

test('a string of 20 million characters, a third of them escaped, has an end', () => {
  const json = `"${'ab\\n'.repeat(5_000_000)}"`
  expect(quotedEnd(json, 0)).toBe(json.length)
})

test('the steps grow with the text, whatever stands before its quotes', () => {
  for (const filler of ['\\', '\\"', '"', '\\\\"']) {
    expect(growthOf((length) => void mapStrings(`"${filler.repeat(length)}`, (content) => content), 500)).toBeLessThan(
      linearGrowth,
    )
  }
})
