import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { promptContext, readPieces as read, textOf, tools } from '../../../../test/support/dialects/replies.ts'
import { expectReading, type Short } from '../../../../test/support/dialects/tables.ts'
import { lawRuns } from '../../../../test/support/draws.ts'
import { dialects } from '../../index.ts'

const call = (name = 'run') => `<tool_call>{"name": "${name}", "arguments": {}}</tool_call>`
const ran: Short = { call: 'run', json: '{}' }
const many = ' '.repeat(100)

/** Texts for the universal reader, with their results: the white space at each seam belongs to one side. */
const table: [text: string, expected: Short[]][] = [
  [`Hello ${call()} world`, ['Hello', ran, ' world']],
  [`Hello ${call()}world`, ['Hello', ran, ' world']],
  [`Hello${call()} world`, ['Hello', ran, ' world']],
  [`Hello${call()}world`, ['Hello', ran, 'world']],
  [`Hello\n\n${call()}\n\nworld`, ['Hello', ran, '\n\nworld']],
  [`Hello\n\n${call()} world`, ['Hello', ran, '\n\nworld']],
  [`Hello ${call()}\nworld`, ['Hello', ran, '\nworld']],
  [`Hello \n\n ${call()}\n`, ['Hello', ran]],
  [`\n\n${call()}\n\nHello \n`, [ran, 'Hello \n']],
  [`Hello ${call()}\n\n${call()} world`, ['Hello', ran, ran, ' world']],
  [`a ${call()} b ${call()} c`, ['a', ran, ' b', ran, ' c']],
  [
    `a\n${call('no')}\n${call()}\nb`,
    [`a\n${call('no').slice(0, -12)}`, { notice: 'unknown-tool', at: [1, 44] }, '</tool_call>', ran, '\nb'],
  ],
  ['\n Hello ', ['\n Hello ']],
  [`<think>\na \n</think>\n\nHello \n${call()}`, [{ think: 'a' }, 'Hello', ran]],
  ['Hello\n<think> a </think>\n\nworld', ['Hello', { think: 'a' }, '\n\nworld']],
  [`Hello\n<think>a</think>${call()}world`, ['Hello', { think: 'a' }, ran, '\nworld']],
  [`<think>a</think>\n${call()}\nHello`, [{ think: 'a' }, ran, 'Hello']],
  ['Hello \n<|im_end|>\n', ['Hello']],
  ['Hello <|im_end|> world', ['Hello world']],
  [`a${many}${call()}${many}b`, [`a${' '.repeat(36)}`, ran, `${many}b`]],
]

describe('seams between text and what is none', () => {
  it.each(table)('reads %j', (text, expected) => {
    const universal = dialects.find(({ name }) => name === 'universal')
    if (!universal) throw new Error('There is no universal dialect.')
    expectReading(universal, text, expected, { tools })
  })

  it.each(dialects.map((dialect) => [dialect.name, dialect] as const))(
    'leaves one side of white space: %s',
    (_, dialect) => {
      const written = dialect
        .renderAssistant([{ type: 'call', id: '', name: 'run', arguments: '{}' }], promptContext, tools)
        .trim()
      const blanks = fc.string({ unit: fc.constantFrom(' ', '\n', '\t', '\u00a0'), maxLength: 8 })
      fc.assert(
        fc.property(blanks, fc.integer({ min: 1, max: 3 }), blanks, (before, calls, after) => {
          // Some calls count at the beginning of a line only, and some continue unless a line ends after them.
          const [left, right] = [`${before}\n`, `\n${after}`]
          const text = `Hello${left}${Array(calls).fill(written).join('\n')}${right}world`
          const reading = read(dialect, [text], { tools })
          expect([`Hello${left}world`, `Hello${right}world`]).toContain(textOf(reading.events))
          expect(textOf(read(dialect, [text.slice(0, -5)], { tools }).events)).toBe('Hello')
        }),
        { numRuns: Math.ceil(lawRuns / 2) },
      )
    },
  )

  it('keeps nothing but white space', () => {
    const [universal] = dialects.filter(({ name }) => name === 'universal')
    const reader = universal?.createReader({ tools, toolChoice: { type: 'auto' }, parallelCalls: true })
    const give = (piece: string) => reader?.push(piece)
    expect(give('Hello \n')).toEqual([{ type: 'text', text: 'Hello' }])
    expect(give('\t')).toEqual([])
    expect(give('world')).toEqual([{ type: 'text', text: ' \n\tworld' }])
    // All of a long run except its end is emitted.
    expect(give(many)).toEqual([{ type: 'text', text: many.slice(64) }])
    expect(reader?.end('length')).toMatchObject([{ type: 'text', text: many.slice(36) }, { type: 'finish' }])
  })
})
