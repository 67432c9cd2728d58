import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MarkRestorer, Marks } from './marks.ts'

const literals = ['<invoke', '</invoke', '<<CALL_9f3a27c1>>', '<think>']
const marks = new Marks(literals)
const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '<',
        '\u2060',
        '/',
        '>',
        'invoke',
        '<invoke',
        '<INVOKE',
        '</in',
        '<<CALL_',
        '9f3a27c1>>',
        'think',
      ),
      fc.constantFrom(...literals),
      fc.constantFrom(...literals.map((mark) => marks.neutralise(mark))),
      fc.string({ maxLength: 4 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

describe('Marks with one more', () => {
  const more = marks.with('<<CALL_9f3a27c1>>')

  it.each([
    '<<CALL_9f3a27c1>>',
    '<<call_9F3A27C1>>',
    '<\u2060<\u2060CALL_9f3a27c1>>',
    `${literals.join(' ')} <<CALL_9f3a27c1>>`,
  ])('breaks it like the others, and puts it back: %s', (text) => {
    const neutral = more.neutralise(text)
    expect(neutral).not.toMatch(/<CALL_9f3a27c1>>/i)
    for (const literal of literals) expect(neutral.toLowerCase()).not.toContain(literal.toLowerCase())
    expect(more.restore(neutral)).toBe(text)
  })

  it('leaves alone what the others leave alone', () => {
    expect(more.neutralise('a < b, <CALL_0>')).toBe('a < b, <CALL_0>')
  })
})

describe('Marks', () => {
  it.each([
    ['a <invoke name="x">', 'a <\u2060invoke name="x">'],
    ['</INVOKE>', '<\u2060/INVOKE>'],
    ['<\u2060invoke', '<\u2060\u2060invoke'],
    ['<<CALL_9f3a27c1>>', '<<\u2060CALL_9f3a27c1>>'],
    ['<b>x</b> a < b <\u2060p', '<b>x</b> a < b <\u2060p'],
  ])('neutralises %j', (text, neutralised) => {
    expect(marks.neutralise(text)).toBe(neutralised)
    expect(marks.restore(neutralised)).toBe(text)
  })

  it('leaves no mark, and gives every text back', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const neutralised = marks.neutralise(text)
        for (const mark of literals) expect(neutralised.toLowerCase()).not.toContain(mark.toLowerCase())
        expect(marks.restore(neutralised)).toBe(text)
      }),
      { numRuns: 1000 },
    )
  })

  it('keeps its word where one mark ends with another', () => {
    const nested = new Marks(['<<call>>', '<call'])
    for (const text of ['<<call>>', '<\u2060<call', '<<\u2060call>>']) {
      expect(nested.restore(nested.neutralise(text))).toBe(text)
    }
  })

  it('restores pieces as it restores the whole', () => {
    fc.assert(
      fc.property(texts, fc.array(fc.nat(), { maxLength: 6 }), (text, cuts) => {
        for (const places of [cuts.map((cut) => cut % (text.length + 1)), [...text.split('').keys()]]) {
          const ends = [...places, text.length].sort((a, b) => a - b)
          const restorer = new MarkRestorer(marks)
          const pieces = ends.map((end, index) => restorer.push(text.slice(ends[index - 1] ?? 0, end)))
          expect(pieces.join('') + restorer.end()).toBe(marks.restore(text))
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('holds no more than a mark back', () => {
    const restorer = new MarkRestorer(marks)
    expect(restorer.push('a <')).toBe('a <')
    expect(restorer.push('\u2060\u2060\u2060invo')).toBe('\u2060\u2060')
    expect(restorer.push('ke')).toBe('invoke')
  })
})
