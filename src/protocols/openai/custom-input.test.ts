import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CustomInput } from './custom-input.ts'

function inputOf(pieces: readonly string[]): string[] {
  const input = new CustomInput()
  return pieces.map((piece) => input.push(piece))
}

it('is the text, however it is written and cut', () => {
  const written = (text: string, isEscaped: boolean): string =>
    isEscaped
      ? [...Array(text.length).keys()].map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')
      : JSON.stringify(text).slice(1, -1)
  const space = fc.constantFrom('', ' ', '\n\t')
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.boolean(),
      fc.tuple(space, space, space),
      fc.array(fc.nat({ max: 40 })),
      (text, isEscaped, [a, b, c], cuts) => {
        const json = `${a}{${b}"input"${c}:${a}"${written(text, isEscaped)}"${b}}${c}`
        const ends = [...cuts, json.length].sort((x, y) => x - y)
        const pieces = inputOf(ends.map((end, at) => json.slice(ends[at - 1] ?? 0, end)))
        expect(pieces.join('')).toBe(text)
        for (const piece of pieces) expect(piece).not.toMatch(/\p{Surrogate}/u)
      },
    ),
  )
})

it.each<[string, string[], string[]]>([
  ['goes out as it comes', ['{"input":"', 'a', '\\', 'n', 'b\\u00', 'e9"', '}'], ['', 'a', '', '\n', 'b', 'é', '']],
  ['waits for the other half', ['{"input":"\\ud83d', '\\ude00"}'], ['', '😀']],
  ['that is cut stays cut', ['{"input":"a\\'], ['a']],
  ['ends at its quote', ['{"input":"a","input":"b"}'], ['a']],
  ['that is empty', ['{"input":""}'], ['']],
  ['under another name is JSON', ['{"', 'code"', ':1}'], ['', '{"code"', ':1}']],
  ['that is no string is JSON', ['{"input":', '{"a":1}}'], ['', '{"input":{"a":1}}']],
  ['under a name that looks alike is JSON', ['{"in put":"a"}'], ['{"in put":"a"}']],
  ['that is nothing is JSON', ['{}'], ['{}']],
])('%s', (_, pieces, given) => {
  expect(inputOf(pieces)).toEqual(given)
})
