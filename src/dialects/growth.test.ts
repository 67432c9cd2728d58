import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../../test/support/draws.ts'
import { growthOf, linearGrowth } from '../../test/support/steps.ts'
import { createReader, dialects } from './index.ts'

const tools = [
  {
    name: 'get_weather',
    description: '',
    schema: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'array', items: { type: 'string' } } },
    },
  },
]
/** One of each kind of character, and the parts of tags. */
const fillers = [
  ...[
    ' ',
    '\n',
    '\r\n',
    '\t',
    '\u00a0',
    '\u3000',
    '\u2060',
    'x',
    'É',
    '7',
    '_',
    '-',
    ':',
    ',',
    '=',
    '"',
    "'",
    '`',
    '\\',
  ],
  ...['<', '>', '</', '<\u2060', '{', '}', '[', ']', '(', '|', '\uff5c', '/', '&lt;', '```\n', ' x', '"}', "' ", '\\"'],
  ...['<tool_call>', '</parameter>', '</function>', '<arg_key>', '<think>', '{"name":', '<|', '\ud83d\ude00'],
]

test('steps for each character do not depend on what came before', () => {
  const place = fc.record({
    index: fc.nat({ max: dialects.length - 1 }),
    isUniversal: fc.boolean(),
    cut: fc.double({ min: 0, max: 1, noNaN: true }),
    filler: fc.constantFrom(...fillers),
    size: fc.constantFrom(3, 7, 100_000),
  })
  fc.assert(
    fc.property(place, ({ index, isUniversal, cut, filler, size }) => {
      const { name = '', example = '' } = dialects[index] ?? {}
      const trigger = '<<CALL_9f3a27c1>>'
      const prefix = example.slice(0, Math.round(cut * example.length)).replaceAll('read_file', 'get_weather')
      const read = (length: number) => {
        const reader = createReader({ dialect: isUniversal ? 'universal' : name, tools, trigger })
        const text = prefix + filler.repeat(length / filler.length)
        for (let at = 0; at < text.length; at += size) reader.push(text.slice(at, at + size))
        reader.end()
      }
      // The first thousand characters of a block may take no steps at all.
      expect(growthOf(read, 6000)).toBeLessThan(linearGrowth)
    }),
    { numRuns: Math.ceil(lawRuns / 2) },
  )
})

test.each(['stop', 'length', 'stop-sequence'] as const)(
  'reasoning that is opened again and again, each time with the beginning of a call, takes as many steps as it is long: %s',
  (reason) => {
    const read = (length: number) => {
      const reader = createReader({ dialect: 'universal', tools })
      reader.push('<think>\nto=get_weather<|message|><function_calls>\n<func'.repeat(length / 54))
      reader.end(reason)
    }
    expect(growthOf(read, 4000)).toBeLessThan(linearGrowth)
  },
)
