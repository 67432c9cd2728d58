import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lawRuns } from '../../../test/support/draws.ts'
import { closeTag, openTag, type Pattern, pattern } from '../../grammar/index.ts'
import { type Mark, MarkRestorer, Marks } from './marks.ts'

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
  const more = marks.with(['<<CALL_9f3a27c1>>'])

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
  it.each([1, 255, 256, 257, 512, 1000])('neutralises %d marks in one text like each alone', (count) => {
    const neutral = marks.neutralise('a <invoke b'.repeat(count))
    expect(neutral).toBe('a <\u2060invoke b'.repeat(count))
    expect(marks.restore(neutral)).toBe('a <invoke b'.repeat(count))
  })

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
      { numRuns: 60 * lawRuns },
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
      { numRuns: 60 * lawRuns },
    )
  })

  it('holds no more than a mark back', () => {
    const restorer = new MarkRestorer(marks)
    expect(restorer.push('a <')).toBe('a <')
    expect(restorer.push('\u2060\u2060\u2060invo')).toBe('\u2060\u2060')
    expect(restorer.push('ke')).toBe('invoke')
  })
})

const bareJson: Pattern = pattern.sequence('{', pattern.space(), '"', pattern.choice('name', 'type'), '"')
const listed: Pattern = pattern.sequence('[', pattern.space(), pattern.capture('name', '\\w.-'), '(')
const vendor = { prefix: 'vendor' } as const
const others: Mark[] = [
  '[TOOL_CALLS]',
  '[ARGS]',
  'functools[',
  '>>>',
  'Action:',
  'function.name:',
  '```json',
  ']<]minimax[>[<invoke',
  '<call',
  bareJson,
  listed,
  pattern.sequence('(', pattern.chars('^)', 1, 8), ')!'),
  openTag('invoke', vendor),
  closeTag('invoke', vendor),
  openTag('call', { prefix: 'namespace' }),
]
/** Marks that no text may contain once marks are broken. */
const standing =
  /\[TOOL_CALLS\]|\[ARGS\]|functools\[|>>>|Action:|function\.name:|```json|<invoke|<call|\{\s*"(?:name|type)"|\[\s*[\w.-]+\(|<\/?｜DSML｜invoke|<ns:call/i

describe('Marks without a bracket, patterns and tags', () => {
  const all = new Marks(others)

  it.each([
    ['[tool_calls]', '[\u2060tool_calls]'],
    ['functools[', 'f\u2060unctools['],
    ['>>>>', '>>\u2060>\u2060>'],
    ['a >> b', 'a >> b'],
    ['Action: x', 'A\u2060ction: x'],
    ['```json', '```\u2060json'],
    ['{ \n "name": 1}', '{\u2060 \n "name": 1}'],
    ['{"other": 1}', '{"other": 1}'],
    ['[ f(a=1)]', '[\u2060 f(a=1)]'],
    ['[f](x)', '[f](x)'],
    ['[x[f(', '[x[\u2060f('],
    [']<]minimax[>[<invoke', ']<]minimax[>[<\u2060invoke'],
    ['<｜DSML｜invoke name', '<\u2060｜DSML｜invoke name'],
    ['</ns:invoke>', '<\u2060/ns:invoke>'],
    ['＜|DSML| invoke>', '＜\u2060|DSML| invoke>'],
    ['<‖DSML‖invoke>', '<\u2060‖DSML‖invoke>'],
    ['< | DSML | invoke>', '<\u2060 | DSML | invoke>'],
    ['<｜DSML｜inv name', '<\u2060｜DSML｜inv name'],
    ['<inv name', '<inv name'],
    ['<ns:call>', '<\u2060ns:call>'],
    ['(ab)!', '(\u2060ab)!'],
  ])('neutralises %j', (text, neutralised) => {
    expect(all.neutralise(text)).toBe(neutralised)
    expect(all.restore(neutralised)).toBe(text)
  })

  const fragments = [
    ...others.filter((mark) => typeof mark === 'string'),
    ...[
      '[',
      '>',
      '>>',
      '{',
      '{"name"',
      '{ "',
      'f(',
      '[f(',
      '(',
      ')!',
      'f',
      'a',
      '`',
      '``',
      '<',
      '</',
      '｜DSML｜invoke',
    ],
    ...['\u2060', '\u2060\u2060', ' ', '\n', 'ns:', 'x', '<ns:call>', '＜', '"type"', '.name:', 'ction:', 'json'],
  ]
  const mixed = fc
    .array(fc.oneof(fc.constantFrom(...fragments), fc.constantFrom(...fragments.map((one) => all.neutralise(one)))), {
      maxLength: 10,
    })
    .map((parts) => parts.join(''))

  it('leave none standing, and come back', () => {
    fc.assert(
      fc.property(mixed, (text) => {
        const neutralised = all.neutralise(text)
        expect(neutralised).not.toMatch(standing)
        expect(all.restore(neutralised)).toBe(text)
        expect(all.restore(all.restore(all.neutralise(neutralised)))).toBe(text)
      }),
      { numRuns: 200 * lawRuns },
    )
  })

  it('come back in pieces as they come back at once', () => {
    fc.assert(
      fc.property(mixed, fc.array(fc.nat(), { maxLength: 6 }), (text, cuts) => {
        for (const places of [cuts.map((cut) => cut % (text.length + 1)), [...text.split('').keys()]]) {
          const ends = [...places, text.length].sort((a, b) => a - b)
          const restorer = new MarkRestorer(all)
          const pieces = ends.map((end, index) => restorer.push(text.slice(ends[index - 1] ?? 0, end)))
          expect(pieces.join('') + restorer.end()).toBe(all.restore(text))
        }
      }),
      { numRuns: 200 * lawRuns },
    )
  })

  it('hold no more than a mark back, however many joiners come', () => {
    const restorer = new MarkRestorer(all)
    let given = ''
    for (const char of `>${'\u2060'.repeat(50)}>${'\u2060'.repeat(50)}`) given += restorer.push(char)
    expect(given.length).toBe(101)
    expect(given + restorer.push('>') + restorer.end()).toBe(`>${'\u2060'.repeat(50)}>${'\u2060'.repeat(49)}>`)
  })
})
