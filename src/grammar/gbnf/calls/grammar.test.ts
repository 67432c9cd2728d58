import { describe, expect, test } from 'vitest'
import { coveringTests } from '../../../../test/support/covering-tests.ts'
import { readBlock } from '../../../../test/support/dialects/format-reading.ts'
import { coveringPairs, lawRuns } from '../../../../test/support/draws.ts'
import { admits, derive, parseGbnf } from '../../../../test/support/grammar/gbnf.ts'
import { randomOf } from '../../../../test/support/grammar/random.ts'
import { schemaFault } from '../../../../test/support/grammar/schema.ts'
import { calls, largeTool, needsFreeElements, oddTools, tools } from '../../../../test/support/grammar/tools.ts'
import type { Tool } from '../../../conversation/index.ts'
import { formats } from '../../../dialects/formats/index.ts'
import { call, close, jsonArguments, jsonCall, repeat, sequence, token, value } from '../../tree/expression.ts'
import * as pattern from '../../tree/pattern.ts'
import { writeCalls } from '../../write/write.ts'
import { type GrammarRequest, makeCallsGrammar } from './grammar.ts'

function requestOf(of: readonly Tool[], more: Partial<GrammarRequest> = {}): GrammarRequest {
  return { tools: of, toolChoice: { type: 'required' }, parallelCalls: true, ...more }
}

const toolsFor = coveringPairs(formats, [...tools, ...oddTools])
const testsOf = coveringTests(formats, 2)
const mayRepeat = 'arguments that the schema does not name may come twice'

for (const format of formats) {
  const [block] = format.blocks
  if (!block) continue
  const separator = format.separator === undefined ? {} : { separator: format.separator }
  describe(format.name, () => {
    const test = testsOf(format)
    const whole = makeCallsGrammar(block.tree, requestOf(tools, separator))

    test('admits what is written', () => {
      const written = calls.filter((call) => format.name !== 'minimax-m3' || !needsFreeElements(call))
      const grammar = parseGbnf(whole?.grammar ?? '')
      for (const call of written) {
        const text = writeCalls(block.tree, [call], tools, separator)
        expect([text, admits(grammar, text)]).toEqual([text, true])
      }
      const all = writeCalls(block.tree, written, tools, separator)
      expect([all, admits(grammar, all)]).toEqual([all, true])
    })

    test('admits a call with many arguments in any order', () => {
      const found = makeCallsGrammar(block.tree, requestOf([largeTool], { ...separator, parallelCalls: false }))
      const grammar = parseGbnf(found?.grammar ?? '')
      let outOfOrder = 0
      // Enough that some are out of order, whatever the seed.
      const draws = 12 + lawRuns
      for (let draw = 1; draw <= draws; draw++) {
        const text = derive(grammar, randomOf(draw), 40 + (160 * draw) / draws)
        const reading = readBlock([block], text, { tools: [largeTool] })
        const others = reading.notices.filter((code) => code !== 'duplicate-argument')
        expect([text, reading.status, others, reading.rest, reading.calls.length]).toEqual([
          text,
          'complete',
          [],
          '',
          1,
        ])
        const value: object = JSON.parse(reading.calls[0]?.slice('large '.length) ?? '')
        expect([text, schemaFault(largeTool.schema, value)]).toEqual([text, undefined])
        const keys = Object.keys(value)
        if (keys.indexOf('line') < keys.indexOf('path')) outOfOrder++
        if (reading.notices.length > 0) expect(found?.widened.join()).toContain('may come twice')
      }
      expect(outOfOrder).toBeGreaterThan(0)
    })

    test.each(toolsFor(format).map((one) => [one.name, one] as const))(
      'admits only calls that are read back as they are: %s',
      (_name, one) => {
        const found = makeCallsGrammar(block.tree, requestOf([one], { ...separator, parallelCalls: false }))
        const grammar = parseGbnf(found?.grammar ?? '')
        for (let draw = 1; draw <= lawRuns; draw++) {
          const text = derive(grammar, randomOf(draw), 10 + (100 * draw) / lawRuns)
          const reading = readBlock([block], text, { tools: [one] })
          // Names that no schema has cannot be kept from coming twice.
          const isRepeated = reading.notices.some((code) => code === 'retyped' || code === 'duplicate-argument')
          if (found?.widened.includes(mayRepeat) && isRepeated) continue
          expect([text, reading.status, reading.notices, reading.rest, reading.calls.length]).toEqual([
            text,
            'complete',
            [],
            '',
            1,
          ])
          const [call = ''] = reading.calls
          expect([text, call.slice(0, one.name.length + 1)]).toEqual([text, `${one.name} `])
          const value: unknown = JSON.parse(call.slice(one.name.length + 1))
          if (found?.widened.every((what) => what === mayRepeat))
            expect([text, schemaFault(one.schema, value)]).toEqual([text, undefined])
        }
      },
    )
  })
}

const [weather, now, schedule] = tools
const some = [weather, now, schedule].filter((one) => one !== undefined)
const named = (name: string) =>
  formats.find((format) => format.name === name)?.blocks[0]?.tree ?? { type: 'sequence' as const, of: [] }

function matches(name: string, text: string, more: Partial<GrammarRequest>): boolean {
  return admits(parseGbnf(makeCallsGrammar(named(name), requestOf(some, more))?.grammar ?? ''), text) === true
}

const hermesCall = (name: string) => `<tool_call>\n{"name": "${name}", "arguments": {}}\n</tool_call>`
const [one, two] = [hermesCall('now'), hermesCall('schedule')]
const demanded = { toolChoice: { type: 'required' } } as const

test.each<[what: string, format: string, text: string, more: Partial<GrammarRequest>, fits: boolean]>([
  ['one call', 'hermes', one, demanded, true],
  ['a call without a required argument', 'hermes', hermesCall('get_weather'), demanded, false],
  ['a tool that is not offered', 'hermes', hermesCall('later'), demanded, false],
  ['several calls', 'hermes', `${one}\n${two}`, demanded, true],
  ['several calls where one is allowed', 'hermes', `${one}\n${two}`, { ...demanded, parallelCalls: false }, false],
  ['no call', 'hermes', '', demanded, false],
  ['text where a call is demanded', 'hermes', `I look.\n${one}`, demanded, false],
  ['text before a call', 'hermes', `I look. <tool <tool_cal\n${one}`, { ...demanded, textBefore: true }, true],
  ['only text', 'hermes', 'I look.', { ...demanded, textBefore: true }, false],
  ['the named tool', 'hermes', two, { toolChoice: { type: 'named', name: 'schedule' } }, true],
  ['another than the named tool', 'hermes', one, { toolChoice: { type: 'named', name: 'schedule' } }, false],
  ['text where no call is allowed', 'hermes', 'I look. <tool', { toolChoice: { type: 'none' } }, true],
  ['a call where none is allowed', 'hermes', one, { toolChoice: { type: 'none' } }, false],
  ['a call after the trigger', 'hermes', one, { toolChoice: { type: 'auto' } }, true],
  [
    'a section with two calls',
    'kimi-k2',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_call_begin|>functions.now:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>',
    demanded,
    true,
  ],
  [
    'text before a section',
    'kimi-k2',
    'Hm. <|tool_calls_section_begin|><|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>',
    { ...demanded, textBefore: true },
    true,
  ],
  [
    'a list of one',
    'apertus',
    '<|tools_prefix|>[{"now": {}}]<|tools_suffix|>',
    { ...demanded, parallelCalls: false },
    true,
  ],
  ['a list of two', 'apertus', '<|tools_prefix|>[{"now": {}}, {"now": {}}]<|tools_suffix|>', demanded, true],
  [
    'a list of two where one is allowed',
    'apertus',
    '<|tools_prefix|>[{"now": {}}, {"now": {}}]<|tools_suffix|>',
    { ...demanded, parallelCalls: false },
    false,
  ],
  [
    'the token that ends the turn',
    'harmony',
    '<|channel|>commentary to=functions.now <|constrain|>json<|message|>{}<|call|>',
    demanded,
    true,
  ],
  [
    'without the token that ends the turn',
    'harmony',
    '<|channel|>commentary to=functions.now <|constrain|>json<|message|>{}',
    demanded,
    true,
  ],
])('%s: %s', (_what, format, text, more, fits) => {
  expect(matches(format, text, more)).toBe(fits)
})

test.each<[format: string, triggers: unknown, tokens: string[], stops?: string[]]>([
  ['hermes', [{ type: 'word', value: '<tool_call>' }], ['<tool_call>', '</tool_call>']],
  ['mistral', [{ type: 'word', value: '[TOOL_CALLS]' }], ['[TOOL_CALLS]', '[ARGS]']],
  [
    'deepseek-v3.1',
    [{ type: 'word', value: '<\uff5ctool\u2581calls\u2581begin\uff5c>' }],
    [
      '<\uff5ctool\u2581calls\u2581begin\uff5c>',
      '<\uff5ctool\u2581call\u2581begin\uff5c>',
      '<\uff5ctool\u2581sep\uff5c>',
      '<\uff5ctool\u2581call\u2581end\uff5c>',
      '<\uff5ctool\u2581calls\u2581end\uff5c>',
    ],
  ],
  [
    'harmony',
    [{ type: 'word', value: '<|channel|>commentary to=functions.' }],
    ['<|channel|>', '<|constrain|>', '<|message|>', '<|call|>'],
    ['<|call|>'],
  ],
  ['llama-json', [{ type: 'word', value: '{"name": "' }], []],
  ['pythonic', [{ type: 'pattern', value: '(\\[get_weather\\(|\\[now\\(|\\[schedule\\()' }], []],
  ['functionary-v3.2', [{ type: 'pattern', value: '(>>>get_weather\\n|>>>now\\n|>>>schedule\\n)' }], []],
])('what an engine needs for %s', (format, triggers, tokens, stops = []) => {
  const found = makeCallsGrammar(named(format), requestOf(some, { toolChoice: { type: 'auto' } }))
  expect([found?.isLazy, found?.triggers, found?.preservedTokens, found?.stops]).toEqual([
    true,
    triggers,
    tokens,
    stops,
  ])
})

test('says what it widens', () => {
  const odd = {
    name: 'odd',
    description: '',
    schema: {
      type: 'object',
      properties: { a: { type: 'string', maxLength: 5, pattern: '^<.*$' }, b: { type: 'array', uniqueItems: true } },
    },
  }
  expect(makeCallsGrammar(named('qwen3-coder'), requestOf([odd]))?.widened).toEqual([
    'the pattern or grammar of argument "a" is not expressed: it may admit markers of the format',
    '"uniqueItems" is not expressed',
  ])
})

const entityArgument = sequence(
  token('<', pattern.capture('key', '\\w'), '>'),
  value('</a>', { trim: 'none', entities: true }),
)
const entityTree = sequence(
  call(token('<c ', pattern.capture('name', '\\w'), '>'), repeat(entityArgument), close('</c>')),
)

test.each<[what: string, title: string, fits: boolean]>([
  ['as many as may be', 'five!', true],
  ['one too many', 'sixsix', false],
  ['entities, each of which is one', '&lt;a&gt;&amp;b', true],
  ['an entity too many', '&lt;abcd&gt;', false],
  ['nothing', '', true],
])('counts the characters of text with entities: %s', (_what, title, fits) => {
  const schema = { type: 'object', properties: { title: { type: 'string', maxLength: 5 } } }
  const found = makeCallsGrammar(entityTree, requestOf([{ name: 'short', description: '', schema }]))
  expect(found?.widened).toEqual([])
  const text = `<c short><title>${title}</a></c>`
  expect(admits(parseGbnf(found?.grammar ?? ''), text) === true).toBe(fits)
})

test.each<[format: string, bounds: Record<string, number>, widened: number]>([
  ['qwen3-coder', { maxLength: 5 }, 1],
  ['qwen3-coder', { minLength: 1 }, 0],
  ['qwen3-coder', { minLength: 3 }, 1],
])('says which length it does not express: %s %j', (format, bounds, widened) => {
  const schema = { type: 'object', properties: { title: { type: 'string', ...bounds } } }
  const found = makeCallsGrammar(named(format), requestOf([{ name: 'short', description: '', schema }]))
  expect(found?.widened.filter((what) => what.includes('between tags is not counted'))).toHaveLength(widened)
})

test('nothing to call is nothing to constrain', () => {
  expect(makeCallsGrammar(named('hermes'), requestOf([]))).toBeUndefined()
  expect(
    makeCallsGrammar(named('hermes'), requestOf(some, { toolChoice: { type: 'named', name: 'x' } })),
  ).toBeUndefined()
})

test('arguments as JSON in a string', () => {
  const tree = sequence('<c>', jsonCall({ name: 'name', arguments: 'arguments', isEncoded: true }), close('</c>'))
  const grammar = parseGbnf(makeCallsGrammar(tree, requestOf(tools, { parallelCalls: false }))?.grammar ?? '')
  for (const call of calls) {
    const text = writeCalls(tree, [call], tools)
    expect([text, admits(grammar, text)]).toEqual([text, true])
  }
  for (let draw = 1; draw <= 4 * lawRuns; draw++) {
    const text = derive(grammar, randomOf(draw), 100)
    const reading = readBlock([{ tree, place: 'anywhere' }], text, { tools })
    // With so many tools those arguments of "six" are not counted that may be left out.
    const notices = reading.notices.filter((code) => code !== 'duplicate-argument')
    expect([text, reading.status, notices, reading.calls.length]).toEqual([text, 'complete', [], 1])
    const [call = ''] = reading.calls
    const of = tools.find(({ name }) => call.startsWith(`${name} `))
    expect([text, schemaFault(of?.schema, JSON.parse(call.slice(call.indexOf(' '))))]).toEqual([text, undefined])
  }
})

test('an id that is made of the name and the number', () => {
  const id = pattern.sequence('functions.', pattern.capture('name', '\\w'), ':', {
    type: 'capture',
    as: 'index',
    of: pattern.chars('0-9', 1, 6, '0'),
  })
  const tree = sequence(call(token('<c ', { type: 'capture', as: 'id', of: id }, '>'), jsonArguments(), close('</c>')))
  const grammar = parseGbnf(makeCallsGrammar(tree, requestOf(some))?.grammar ?? '')
  expect(admits(grammar, '<c functions.now:0>{}</c>')).toBe(true)
  expect(admits(grammar, '<c functions.now:12>{}</c>')).toBe(true)
  expect(admits(grammar, '<c functions.later:0>{}</c>')).not.toBe(true)
  expect(admits(grammar, '<c now>{}</c>')).not.toBe(true)
})

test.each([
  [true, true],
  [false, false],
])('quotes that are the own ones of a string: %s', (keepsQuotes, fits) => {
  const argument = sequence(
    token('<', pattern.capture('key', '\\w'), '>'),
    value('</a>', { trim: 'none', keepsQuotes }),
  )
  const tree = sequence(call(token('<c ', pattern.capture('name', '\\w'), '>'), repeat(argument), close('</c>')))
  const grammar = parseGbnf(makeCallsGrammar(tree, requestOf(some))?.grammar ?? '')
  expect(admits(grammar, '<c get_weather><city>Paris</a></c>')).toBe(true)
  expect(admits(grammar, '<c get_weather><city>"Paris"</a></c>') === true).toBe(fits)
  // A section is no text, whatever is done with quotes, and one without an end would lose its beginning.
  for (const cdata of ['<![CDATA[x]]>', ' <![CDATA[x', '<![CDATA['])
    expect(admits(grammar, `<c get_weather><city>${cdata}</a></c>`)).not.toBe(true)
})
