import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callsOf, readPieces, textOf } from '../../../../../test/support/dialects/replies.ts'
import { tool } from '../../../../../test/support/dialects/tables.ts'
import { lawRuns } from '../../../../../test/support/draws.ts'
import { faultOf } from '../../../../../tools/fuzz/laws.mjs'
import { createReader } from '../../../create-reader.ts'
import { dialects } from '../../../index.ts'

const tools = [tool('get_time'), tool('get_weather', { city: 'string' })]
const json = (name: string) => `{"name": "${name}", "arguments": {}}`
const [kimi, kimiEnd] = ['<|tool_calls_section_begin|>', '<|tool_calls_section_end|>']
const kimiCall = (name: string) =>
  `<|tool_call_begin|>functions.${name}:0<|tool_call_argument_begin|>{}<|tool_call_end|>`
const [deepseek, deepseekEnd] = ['<｜tool▁calls▁begin｜>', '<｜tool▁calls▁end｜>']

/** Texts with their text that is no call, and the names of the calls. */
const table: Record<string, [dialect: string, text: string, given: string, calls: string[]]> = {
  'a first call that is refused': [
    'kimi-k2',
    `A ${kimi}${kimiCall('nope')}${kimiCall('get_time')}${kimiEnd} B`,
    `A ${kimi}${kimiCall('nope')}${kimiEnd} B`,
    ['get_time'],
  ],
  'a later call that is refused': [
    'kimi-k2',
    `A ${kimi}${kimiCall('get_time')}${kimiCall('nope')}${kimiEnd} B`,
    `A ${kimiCall('nope')} B`,
    ['get_time'],
  ],
  'words before the closer, after a call': [
    'apriel',
    `A <tool_calls>[${json('get_time')}] or so </tool_calls> B`,
    'A or so B',
    ['get_time'],
  ],
  'words before the closer, after a refused call': [
    'kimi-k2',
    `A ${kimi}${kimiCall('nope')} or so ${kimiEnd} B`,
    `A ${kimi}${kimiCall('nope')} or so ${kimiEnd} B`,
    [],
  ],
  'words within a section that begins with a refused call': [
    'kimi-k2',
    `A ${kimi}${kimiCall('nope')} or so ${kimiCall('get_time')}${kimiEnd} B`,
    `A ${kimi}${kimiCall('nope')} or so ${kimiEnd} B`,
    ['get_time'],
  ],
  'a closer that is only shown': [
    'apriel',
    `<tool_calls>[${json('get_time')}] ends with \`</tool_calls>\`.`,
    'ends with `</tool_calls>`.',
    ['get_time'],
  ],
  'an opener without a call': [
    'universal',
    `A ${deepseek}get_weather{"city":"P"}<｜tool▁call▁end｜>${deepseekEnd} B`,
    `A ${deepseek}get_weather{"city":"P"}<｜tool▁call▁end｜>${deepseekEnd} B`,
    [],
  ],
  'two openers in one marker of calls': [
    'universal',
    `A ${kimi}<|tool_call_begin|>functions.x<|tool_call_end|>${kimiCall('get_time')}${kimiEnd} B`,
    `A ${kimi}<|tool_call_begin|>functions.x<|tool_call_end|>${kimiEnd} B`,
    ['get_time'],
  ],
  'a list with a marker': [
    'mistral',
    `[TOOL_CALLS][${json('nope')}, ${json('get_time')}] B`,
    `[TOOL_CALLS][${json('nope')}] B`,
    ['get_time'],
  ],
  'the end of the turn after such a list': [
    'mistral',
    `[TOOL_CALLS][${json('nope')}, ${json('get_time')}]</s>`,
    `[TOOL_CALLS][${json('nope')}]`,
    ['get_time'],
  ],
  'the comma before a refused item': [
    'universal',
    `A\n[${json('get_time')}, ${json('nope')}] B`,
    `A\n${json('nope')} B`,
    ['get_time'],
  ],
  'refused items around another': [
    'universal',
    `[${json('nope')}, ${json('get_time')}, ${json('no')}] B`,
    `[${json('nope')}, ${json('no')}] B`,
    ['get_time'],
  ],
  'a list in Python': [
    'universal',
    '[get_time(), nope(a=1), get_weather(city="x")] B',
    'nope(a=1) B',
    ['get_time', 'get_weather'],
  ],
}

describe('the markers around calls stay or go together', () => {
  it.each(Object.entries(table))('%s', (_name, [name, text, given, calls]) => {
    const dialect = dialects.find((one) => one.name === name)
    if (!dialect) throw new Error(`There is no dialect ${name}.`)
    for (const delivery of ['live', 'whole'] as const) {
      for (const pieces of [[text], [...text]]) {
        const { events } = readPieces(dialect, pieces, { tools, delivery })
        expect([textOf(events), callsOf(events).map((call) => call.name)]).toEqual([given, calls])
      }
    }
  })

  it.each([
    ['[get_weather(city="x"), get_time(', 'get_time('],
    [`[${json('get_time')}, {"name": "get_weather", "arguments": {"ci`, '{"name": "get_weather", "arguments": {"ci'],
  ])('a list that is cut: %s', (text, given) => {
    const universal = dialects.find(({ name }) => name === 'universal')
    const { events } = universal
      ? readPieces(universal, [text], { tools, delivery: 'whole', reason: 'length' })
      : { events: [] }
    expect(textOf(events)).toBe(given)
  })
})

/** The parts of a section by its family: its markers, a call, one that is refused, and one that breaks off. */
const families: Record<string, readonly string[]> = {
  'kimi-k2': [kimi, kimiEnd, kimiCall('run'), kimiCall('nope'), '<|tool_call_begin|>functions.run:0<|tool_call_end|>'],
  apriel: ['<tool_calls>[', ']', '</tool_calls>', json('run'), json('nope'), '{"name": "run", "arguments": {"a'],
  'minimax-m2': [
    '<minimax:tool_call>',
    '</minimax:tool_call>',
    '<invoke name="run"></invoke>',
    '<invoke name="nope"></invoke>',
    '<invoke name="run"></parameter>',
  ],
  dsml: [
    '<｜DSML｜tool_calls>',
    '</｜DSML｜tool_calls>',
    '<｜DSML｜invoke name="run"></｜DSML｜invoke>',
    '<｜DSML｜invoke name="nope"></｜DSML｜invoke>',
    '<｜DSML｜invoke name="run"></｜DSML｜parameter>',
  ],
}
const surroundings = ['\n', ' ', 'word', '"', "'", '`', '```\n', '    ', '<think>', '</think>', json('run'), '<', ']']

it.each(Object.entries(families))(
  'the same calls and reasoning are read after a section of %s, text or not',
  (dialect, parts) => {
    const texts = fc.array(fc.oneof(fc.constantFrom(...parts), fc.constantFrom(...surroundings)), { maxLength: 9 })
    fc.assert(
      fc.property(texts, fc.constantFrom(dialect, 'universal'), (pieces, reader) => {
        const text = (parts[0] ?? '') + pieces.join('')
        expect(faultOf(createReader, { dialect: reader, text, options: {} }, [[...text]])).toBeUndefined()
      }),
      { numRuns: 20 * lawRuns },
    )
  },
)
