import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lawRuns } from '../../../test/support/draws.ts'
import type { ReplyEvent } from '../../conversation/index.ts'
import { AnswerFence } from './answer-fence.ts'

function answered(pieces: readonly string[]): { text: string; longestHeld: number } {
  const answer = new AnswerFence()
  let [given, taken, longestHeld] = [0, 0, 0]
  const textOf = (events: readonly ReplyEvent[]) => events.map((event) => (event.type === 'text' ? event.text : ''))
  const parts = pieces.flatMap((text) => {
    const shown = textOf(answer.read([{ type: 'text', text }]))
    given += shown.join('').length
    taken += text.length
    longestHeld = Math.max(longestHeld, taken - given)
    return shown
  })
  return { text: [...parts, ...textOf(answer.read([{ type: 'finish', reason: 'stop' }]))].join(''), longestHeld }
}

describe('an answer in JSON', () => {
  test.each([
    ['{"a": 1}', '{"a": 1}'],
    ['```json\n{"a": 1}\n```', '{"a": 1}'],
    ['\n ```\n[1]```\n\n', '[1]'],
    ['```json\n{"a": 1}\n', '{"a": 1}\n'],
    ['```json\n{"a": 1}\n``', '{"a": 1}\n``'],
    ['```json\n"```"\n```', '"```"'],
    ['a ```\n{}\n```', 'a ```\n{}\n```'],
    [`\`\`\`\n{}${' '.repeat(300)}\`\`\``, `{}${' '.repeat(44)}`],
  ])('%j is read as %j', (text, read) => {
    expect(answered([text]).text).toBe(read)
  })

  test('is read alike in all pieces, and no more is held than a fence', () => {
    const part = fc.constantFrom('`', '``', '```', '```json', '\n', ' ', ' '.repeat(200), '\n'.repeat(300), '{}', 'x')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = parts.join('')
        // The opening line and the white space around it are dropped; a possible end of the fence is held.
        const single = answered([...text])
        expect(single.text).toBe(answered([text]).text)
        expect(single.longestHeld).toBeLessThan(1000)
      }),
      { numRuns: 20 * lawRuns },
    )
  })
})
