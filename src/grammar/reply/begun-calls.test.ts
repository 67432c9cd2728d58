import { describe, expect, test } from 'vitest'
import { readBlock } from '../../../test/support/dialects/format-reading.ts'
import { lawRuns } from '../../../test/support/draws.ts'
import { admits, derive, parseGbnf } from '../../../test/support/grammar/gbnf.ts'
import { randomOf } from '../../../test/support/grammar/random.ts'
import type { JsonObject, Tool } from '../../conversation/index.ts'
import { call, close, type Expression, jsonArguments, jsonCall, sequence, token } from '../tree/expression.ts'
import * as pattern from '../tree/pattern.ts'
import { printReplyGrammar } from './grammar.ts'
import { printReplyStructuralTag } from './reply-tag.ts'
import type { ReplyRequest, ReplyShape } from './shape.ts'

function tool(name: string, properties: JsonObject = {}): Tool {
  return { name, description: '', schema: { type: 'object', properties } }
}

const tools = [tool('weather', { city: { type: 'string' } }), tool('get_weather'), tool('now')]
const person: JsonObject = { type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] }

/** The form of functionary: `>>>` before each name, and `all` in place of a name before text. */
const recipients = call(token('>>>', pattern.capture('name', '\\w.-'), '\n'), jsonArguments())
const plain: ReplyShape = { calls: recipients, separator: '', begun: '>>>', content: { open: '>>>all\n', close: '' } }
const thinking: ReplyShape = {
  ...plain,
  reasoning: { open: '>>>self', close: '>>>all', isOpen: false, isOff: false },
}
const tagged: Expression = sequence(
  '<tool_call>',
  token(pattern.space('\n')),
  jsonCall(),
  token(pattern.space('\n')),
  close('</tool_call>'),
)
const tags: ReplyShape = {
  calls: tagged,
  begun: '<tool_call>',
  reasoning: { open: '<think>', close: '</think>', isOpen: false, isOff: false },
}

const required: ReplyRequest = { tools, toolChoice: { type: 'required' }, parallelCalls: true }
const auto: ReplyRequest = { ...required, toolChoice: { type: 'auto' } }
const jsonOrCalls: ReplyRequest = { ...auto, responseSchema: person }
const json: ReplyRequest = { ...jsonOrCalls, toolChoice: { type: 'none' } }
const none: ReplyRequest = { ...required, toolChoice: { type: 'none' } }

type Row = readonly [what: string, shape: ReplyShape, request: ReplyRequest, text: string]

function grammarOf(shape: ReplyShape, request: ReplyRequest) {
  return parseGbnf(printReplyGrammar(shape, request)?.grammar ?? '')
}

describe('where the prompt has begun the first call', () => {
  test.each<Row>([
    ['a call', plain, required, 'now\n{}'],
    ['a call', plain, { ...required, textBefore: true }, 'weather\n{"city": "Paris"}'],
    ['more calls', plain, required, 'now\n{}>>>get_weather\n{}'],
    ['a named call', plain, { ...required, toolChoice: { type: 'named', name: 'now' } }, 'now\n{}'],
    ['reasoning', thinking, required, 'self\nHm.>>>all\n>>>now\n{}'],
    ['no reasoning', thinking, required, 'now\n{}>>>now\n{}'],
    ['a call in tags', tags, required, '\n{"name": "now", "arguments": {}}\n</tool_call>'],
    ['JSON', plain, json, 'all\n{"age": 3}'],
    ['JSON where calls are free', plain, jsonOrCalls, 'all\n{"age": 3}'],
    ['a call in place of JSON', plain, jsonOrCalls, 'now\n{}'],
    ['JSON after reasoning', thinking, json, 'self\nHm.>>>all\n{"age": 3}'],
    ['text without calls', plain, none, 'all\nNothing to get now.'],
    ['a call from the trigger on', plain, auto, 'now\n{}>>>now\n{}'],
  ])('admits %s', (_what, shape, request, text) => {
    expect(admits(grammarOf(shape, request), text)).toBe(true)
  })

  test.each<Row>([
    ['the marker once more', plain, required, '>>>now\n{}'],
    ['white space before the name', plain, required, '\nnow\n{}'],
    ['a second call without its marker', plain, required, 'now\n{}now\n{}'],
    ['text before', plain, { ...required, textBefore: true }, 'all\nI look.>>>now\n{}'],
    ['a second call where one is allowed', plain, { ...required, parallelCalls: false }, 'now\n{}>>>now\n{}'],
    ['another tool', plain, { ...required, toolChoice: { type: 'named', name: 'now' } }, 'get_weather\n{}'],
    ['reasoning alone', thinking, required, 'self\nHm.>>>all\n'],
    ['reasoning that may not be', off(thinking), required, 'self\nHm.>>>all\n>>>now\n{}'],
    [
      'reasoning that does not begin so',
      tags,
      required,
      '<think>Hm.</think><tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>',
    ],
    ['JSON without what opens text', plain, json, '{"age": 3}'],
    ['what opens text after what opened it', thinking, json, 'self\nHm.>>>all\n>>>all\n{"age": 3}'],
    ['a call where none may be', plain, none, 'now\n{}'],
  ])('does not admit %s', (_what, shape, request, text) => {
    expect(admits(grammarOf(shape, request), text)).not.toBe(true)
  })

  test('the names of tools trigger, the longer ones first', () => {
    const grammar = printReplyGrammar(plain, auto)
    expect(grammar?.isLazy).toBe(true)
    expect(grammar?.triggers).toEqual(['get_weather\n', 'weather\n', 'now\n'].map((value) => ({ type: 'word', value })))
    expect(printReplyGrammar(tags, auto)?.triggers.map(({ value }) => value)).toContain('\n{"name": "now"')
  })

  test('a tool whose name stands in the marker as well is told by its own', () => {
    const calls = call(token('>>>for=', pattern.capture('name', '\\w.-'), '\n'), jsonArguments())
    const grammar = printReplyGrammar({ ...plain, calls }, { ...auto, tools: [tool('for'), tool('or')] })
    expect(grammar?.triggers.map(({ value }) => value)).toEqual(['for=for\n', 'for=or\n'])
  })

  test.each([
    ['names in markers', plain],
    ['names in JSON', tags],
  ])('what it draws is read after the marker: %s', (_what, shape) => {
    const tree = shape.calls ?? tagged
    const grammar = grammarOf(shape, { ...required, parallelCalls: false })
    for (let draw = 1; draw <= 2 * lawRuns; draw++) {
      const text = `${shape.begun}${derive(grammar, randomOf(draw), 60)}`
      const { status, notices, calls, rest } = readBlock([{ tree, place: 'anywhere' }], text, { tools })
      expect([text, status, notices, calls.length, rest]).toEqual([text, 'complete', [], 1, ''])
    }
  })

  test.each([['>>'], ['<|call|>']])('calls that do not begin with %j are whole', (begun) => {
    const grammar = grammarOf({ ...plain, begun }, required)
    expect(admits(grammar, '>>>now\n{}') === true).toBe(begun !== '>>')
    expect(admits(grammar, '>now\n{}') === true).toBe(begun === '>>')
  })
})

test.each<[text: string, isAdmitted: boolean]>([
  ['>>>now\n{}', true],
  ['>>>all\nI look.\n>>>now\n{}', true],
  ['>>>all\nSo:\n```\nx = 1\n```\n>>>now\n{}', true],
  ['>>>all\nSo:\n```\n>>>now\n{}', false],
  ['>>>all\nWrite `>>>now\n{}', false],
  ['>>>all\nI look.', false],
  ['I look.\n>>>now\n{}', false],
])('after text that is opened and not closed, calls are meant: %j %s', (text, isAdmitted) => {
  const grammar = grammarOf({ ...plain, begun: undefined }, { ...required, textBefore: true })
  expect(admits(grammar, text) === true).toBe(isAdmitted)
})

test('the structural tag: names trigger, and demanded calls begin with one', () => {
  const one = { ...required, tools: tools.slice(2), parallelCalls: false }
  const formatOf = (shape: ReplyShape, request: ReplyRequest) => printReplyStructuralTag(shape, request)?.tag.format
  expect(formatOf(plain, one)).toEqual({ type: 'const_string', value: 'now\n{}' })
  expect(formatOf(plain, { ...one, toolChoice: { type: 'auto' } })).toEqual({
    type: 'triggered_tags',
    triggers: ['now\n'],
    tags: [{ type: 'tag', begin: 'now\n', content: { type: 'const_string', value: '{' }, end: '}' }],
    stop_after_first: true,
  })
  expect(formatOf(thinking, one)).toMatchObject({
    type: 'or',
    elements: [
      { type: 'const_string', value: 'now\n{}' },
      {
        type: 'sequence',
        elements: [
          // Without white space after it, the marker would be the beginning of a tool's name.
          { type: 'const_string', value: 'self' },
          { type: 'regex', pattern: '[ \\t\\n]' },
          { type: 'tag', begin: '', end: '>>>all' },
          { type: 'regex', pattern: '[ \\t\\n]' },
          { type: 'regex', pattern: '[ \\t\\n]{0,8}' },
          { type: 'const_string', value: '>>>now\n{}' },
        ],
      },
    ],
  })
  expect(formatOf(plain, { ...one, toolChoice: { type: 'none' } })).toMatchObject({
    type: 'any_text',
    excludes: ['>>>', 'now\n'],
  })
})

test('a text goes on with the marker that the prompt has begun, without any tools too', () => {
  const alone: ReplyRequest = { ...json, tools: [] }
  const grammar = grammarOf(plain, alone)
  expect(admits(grammar, 'all\n{"age": 4}')).toBe(true)
  expect(admits(grammar, '>>>all\n{"age": 4}')).not.toBe(true)
  expect(admits(grammarOf(thinking, alone), 'self\nHm.>>>all\n{"age": 4}')).toBe(true)
  const format = JSON.stringify(printReplyStructuralTag(plain, alone)?.tag)
  expect(format).toContain('"all')
  expect(format).not.toContain('>>>')
})

function off(shape: ReplyShape): ReplyShape {
  return { ...shape, ...(shape.reasoning && { reasoning: { ...shape.reasoning, isOff: true } }) }
}
