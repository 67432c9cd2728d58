import { describe, expect, test } from 'vitest'
import { admits, admitsPrefix, parseGbnf } from '../../../test/support/grammar/gbnf.ts'
import { shapeOf } from '../../../test/support/grammar/reply-shapes.ts'
import { tools } from '../../../test/support/grammar/tools.ts'
import type { JsonObject } from '../../conversation/index.ts'
import { formats } from '../../dialects/formats/index.ts'
import { printReplyGrammar } from './grammar.ts'
import type { ReplyRequest, ReplyShape } from './shape.ts'

const some = tools.filter(({ name }) => name === 'get_weather' || name === 'now')
const person: JsonObject = { type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] }

type How = 'unknown' | 'open' | 'off' | 'none'

function shapeWith(name: string, how: How): ReplyShape {
  const shape = shapeOf(name)
  const { reasoning } = shape
  if (how === 'none' || !reasoning) return { ...shape, reasoning: undefined }
  return { ...shape, reasoning: { ...reasoning, isOpen: how === 'open', isOff: how === 'off' } }
}

const base: ReplyRequest = { tools: some, toolChoice: { type: 'required' }, parallelCalls: true }

function grammarOf(name: string, how: How, request: Partial<ReplyRequest>): string {
  return printReplyGrammar(shapeWith(name, how), { ...base, ...request })?.grammar ?? ''
}

/** One call of `now` in each format. */
const call = {
  hermes: '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>',
  'qwen3-coder': '<tool_call>\n<function=now>\n</function>\n</tool_call>',
  'kimi-k2':
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>',
  'llama-json': '{"name": "now", "parameters": {}}',
  harmony: '<|channel|>commentary to=functions.now <|constrain|>json<|message|>{}<|call|>',
  'deepseek-v3.1':
    '<\uff5ctool\u2581calls\u2581begin\uff5c><\uff5ctool\u2581call\u2581begin\uff5c>now<\uff5ctool\u2581sep\uff5c>{}<\uff5ctool\u2581call\u2581end\uff5c><\uff5ctool\u2581calls\u2581end\uff5c>',
}
type Name = keyof typeof call
const names: readonly Name[] = ['hermes', 'qwen3-coder', 'kimi-k2', 'llama-json', 'harmony', 'deepseek-v3.1']
const harmonyThought = '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant'

const before: Partial<ReplyRequest> = { textBefore: true }
const json: Partial<ReplyRequest> = { toolChoice: { type: 'none' }, responseSchema: person }
const jsonOrCalls: Partial<ReplyRequest> = { toolChoice: { type: 'auto' }, responseSchema: person }

type Row = readonly [name: Name, how: How, request: Partial<ReplyRequest>, text: string]

test.each<Row>([
  ...names.map((name): Row => [name, 'unknown', {}, call[name]]),
  ...names.map((name): Row => [name, 'unknown', {}, `\n\n${call[name]}`]),
  ...names.map((name): Row => [name, 'off', before, call[name]]),
  // Reasoning may be there or not if it is unknown whether the model reasons.
  ['hermes', 'unknown', {}, `<think>\nI see: x < 3 </thin\n</think>\n\n${call.hermes}`],
  ['qwen3-coder', 'unknown', {}, `<think></think>${call['qwen3-coder']}`],
  ['kimi-k2', 'unknown', {}, `<think>Hm.</think>${call['kimi-k2']}`],
  ['harmony', 'unknown', {}, harmonyThought + call.harmony],
  ['deepseek-v3.1', 'unknown', {}, `<think>Hm.</think>${call['deepseek-v3.1']}`],
  // The prompt has opened it.
  ['hermes', 'open', {}, `I see.\n</think>\n\n${call.hermes}`],
  ['hermes', 'open', {}, `</think>${call.hermes}`],
  ['qwen3-coder', 'open', before, `I see.\n</think>\n\nI look.\n\n${call['qwen3-coder']}`],
  ['deepseek-v3.1', 'open', {}, `I see.</think>${call['deepseek-v3.1']}`],
  ['kimi-k2', 'open', {}, `I see.</think>${call['kimi-k2']}`],
  // Text before calls.
  ['hermes', 'unknown', before, `I don't know; it's "x" <b>, or a > b.\n${call.hermes}`],
  ['hermes', 'unknown', before, `I look.${call.hermes}`],
  ['hermes', 'unknown', before, `<think>Hm.</think>\nI look.\n${call.hermes}`],
  ['hermes', 'unknown', before, `So:\n\`\`\`js\nif (a < b) {}\n\n\`\`\`\n${call.hermes}`],
  ['hermes', 'unknown', before, `So:\n\`\`\`\n\`\`\`\n${call.hermes}`],
  ['qwen3-coder', 'unknown', before, `\n\nI look: <tool\n${call['qwen3-coder']}`],
  ['kimi-k2', 'unknown', before, `I look. ${call['kimi-k2']}`],
  ['deepseek-v3.1', 'unknown', before, `I look.\n\n${call['deepseek-v3.1']}`],
  ['llama-json', 'unknown', before, `I look {at} [it].\n  ${call['llama-json']}`],
  ['llama-json', 'unknown', before, `I look.\n\n${call['llama-json']}`],
  ['harmony', 'unknown', before, `<|channel|>commentary<|message|>I look.<|end|><|start|>assistant${call.harmony}`],
  [
    'harmony',
    'unknown',
    before,
    `${harmonyThought}<|channel|>commentary<|message|>I look.<|end|><|start|>assistant${call.harmony}`,
  ],
  // JSON in place of text.
  ...names.filter((name) => name !== 'harmony').map((name): Row => [name, 'unknown', json, '{"age": 3}']),
  ['harmony', 'unknown', json, '<|channel|>final<|message|>{"age": 3}'],
  ['harmony', 'unknown', json, `${harmonyThought}<|channel|>final<|message|>{"age": 3}`],
  ['hermes', 'unknown', json, '<think>Hm.</think>\n\n{"age": 3}'],
  ['hermes', 'open', json, 'Hm.</think>\n{\n  "age": 3\n}'],
  ['hermes', 'none', { ...json, responseSchema: true }, '{"a": [1, "<table>", {"b": null}]}'],
  ['hermes', 'none', { ...json, responseSchema: true }, '{}'],
  ['hermes', 'none', { ...json, responseSchema: { type: 'array', items: { type: 'string' } } }, '["a"]'],
  ['hermes', 'unknown', { ...json, tools: [] }, '{"age": 3}'],
  // JSON or calls.
  ['hermes', 'unknown', jsonOrCalls, '{"age": 3}'],
  ['hermes', 'unknown', jsonOrCalls, `${call.hermes}\n${call.hermes}`],
  ['hermes', 'open', jsonOrCalls, `Hm.</think>\n${call.hermes}`],
  ['harmony', 'unknown', jsonOrCalls, call.harmony],
  ['qwen3-coder', 'off', jsonOrCalls, call['qwen3-coder']],
  // Demanded calls leave no place for the JSON.
  ['hermes', 'unknown', { responseSchema: person }, call.hermes],
  // No calls.
  ['hermes', 'unknown', { toolChoice: { type: 'none' } }, '<think>\nHm.</think>I am <tool here.'],
  ['llama-json', 'unknown', { toolChoice: { type: 'none' } }, '{"name" is a key'],
  ['kimi-k2', 'off', { toolChoice: { type: 'none' } }, ''],
])('%s, reasoning %s, %j: admits %j', (name, how, request, text) => {
  expect(admits(parseGbnf(grammarOf(name, how, request)), text)).toBe(true)
})

test.each<Row>([
  ...names.map((name): Row => [name, 'unknown', {}, '']),
  ...names.map((name): Row => [name, 'unknown', {}, `I look.\n${call[name]}`]),
  ...names.map((name): Row => [name, 'unknown', before, 'I look.']),
  ...names.map((name): Row => [name, 'unknown', before, `So:\n\`\`\`\n${call[name]}`]),
  ...names.map((name): Row => [name, 'unknown', json, call[name]]),
  ...names.map((name): Row => [name, 'unknown', { toolChoice: { type: 'none' } }, call[name]]),
  ...names
    .filter((name) => name !== 'llama-json')
    .map((name): Row => [name, 'off', {}, `<think>Hm.</think>${call[name]}`]),
  ['hermes', 'unknown', { parallelCalls: false }, `${call.hermes}\n${call.hermes}`],
  ['hermes', 'unknown', { ...before, parallelCalls: false }, `I look.\n${call.hermes}\n${call.hermes}`],
  ['hermes', 'unknown', { toolChoice: { type: 'named', name: 'get_weather' } }, call.hermes],
  // Reasoning that is not closed, or once more.
  ['hermes', 'unknown', {}, `<think>Hm.\n${call.hermes}`],
  ['hermes', 'unknown', {}, `<think>a</think><think>b</think>${call.hermes}`],
  ['hermes', 'open', {}, call.hermes],
  ['hermes', 'open', {}, `I see.\n${call.hermes}`],
  ['harmony', 'unknown', {}, `<|channel|>analysis<|message|>Hm.<|end|>${call.harmony}`],
  ['hermes', 'off', before, `<think>Hm.</think>\n${call.hermes}`],
  ['hermes', 'off', { toolChoice: { type: 'none' } }, '<think>Hm.</think>No.'],
  ['hermes', 'off', json, '<think>Hm.</think>{"age": 3}'],
  // More white space than models write.
  ['hermes', 'unknown', {}, `${' '.repeat(9)}${call.hermes}`],
  // The text before a call only shows it.
  ['hermes', 'unknown', before, `Write "${call.hermes}`],
  ['hermes', 'unknown', before, `Write '${call.hermes}`],
  ['hermes', 'unknown', before, `Write \`${call.hermes}`],
  ['hermes', 'unknown', before, `> ${call.hermes}`],
  ['hermes', 'unknown', before, `<pre>\n${call.hermes}`],
  ['hermes', 'unknown', before, `<!-- \n${call.hermes}`],
  ['hermes', 'unknown', before, `~~~\n${call.hermes}`],
  ['llama-json', 'unknown', before, `I look: ${call['llama-json']}`],
  ['llama-json', 'unknown', before, `{"x": 1}\n${call['llama-json']}`],
  // Texts that the reader would take for something else than text.
  ['hermes', 'unknown', before, `<tool_calls>\n${call.hermes}`],
  ['hermes', 'unknown', before, `<ANALYSIS>\n${call.hermes}`],
  ['hermes', 'unknown', json, '{"age": "3"}'],
  ['hermes', 'unknown', json, 'Here: {"age": 3}'],
  ['hermes', 'unknown', json, '{"age": 3}\nThat is it.'],
  ['hermes', 'none', { ...json, responseSchema: true }, '[]'],
  ['hermes', 'none', { ...json, responseSchema: true }, '{"a": "<Tool_call>"}'],
  ['hermes', 'unknown', jsonOrCalls, `I look.\n${call.hermes}`],
  ['hermes', 'unknown', { responseSchema: person }, '{"age": 3}'],
  ['harmony', 'unknown', json, '{"age": 3}'],
])('%s, reasoning %s, %j: refuses %j', (name, how, request, text) => {
  const grammar = grammarOf(name, how, request)
  expect(grammar).not.toBe('')
  expect(admits(parseGbnf(grammar), text)).not.toBe(true)
})

test.each<[text: string, isBeginning: boolean]>([
  ['', true],
  ['<think>Hm.', true],
  ['<think>Hm.</think>\n<tool_c', true],
  ['I look.\n```\n', true],
  ['<think>Hm.</think><think>', false],
  ['I look.\n<tool_call>\n{"name": "l', false],
])('the beginning of a reply: %j: %s', (text, isBeginning) => {
  expect(admitsPrefix(parseGbnf(grammarOf('hermes', 'unknown', before)), text)).toBe(isBeginning)
})

describe('forms of reasoning', () => {
  const wrapped = (reasoning: Partial<ReplyShape['reasoning']>): ReplyShape => ({
    ...shapeOf('hermes'),
    reasoning: { open: '<think>\n', close: '\n</think>\n\n', isOpen: false, isOff: false, ...reasoning },
  })
  test.each<[what: string, shape: ReplyShape, text: string, fits: boolean]>([
    ['white space in the markers is optional', wrapped({}), `<think>Hm.</think>${call.hermes}`, true],
    ['no opening marker', wrapped({ open: '' }), `Hm.</think>${call.hermes}`, true],
    ['no opening marker, and no reasoning', wrapped({ open: '' }), call.hermes, true],
    ['no opening marker, and no end', wrapped({ open: '' }), `Hm.${call.hermes}`, false],
    ['no closing marker is no reasoning', wrapped({ close: '' }), call.hermes, true],
    ['open and off: closed at once', wrapped({ isOpen: true, isOff: true }), `\n</think>\n\n${call.hermes}`, true],
    ['open and off: no thought', wrapped({ isOpen: true, isOff: true }), `Hm.</think>${call.hermes}`, false],
  ])('%s', (_what, shape, text, fits) => {
    const grammar = parseGbnf(printReplyGrammar(shape, base)?.grammar ?? '')
    expect(admits(grammar, text) === true).toBe(fits)
  })
})

test('where text is wrapped', () => {
  const content = { open: '<|START_RESPONSE|>', close: '<|END_RESPONSE|>' }
  const grammar = (more: Partial<ReplyRequest>) => {
    const found = printReplyGrammar(shapeOf('hermes', { content }), { ...base, ...more })
    return parseGbnf(found?.grammar ?? '')
  }
  expect(admits(grammar(before), `<|START_RESPONSE|>I look.<|END_RESPONSE|>${call.hermes}`)).toBe(true)
  expect(admits(grammar(before), call.hermes)).toBe(true)
  expect(admits(grammar(before), `I look.${call.hermes}`)).not.toBe(true)
  expect(admits(grammar(json), '<|START_RESPONSE|>\n{"age": 3}<|END_RESPONSE|>')).toBe(true)
  expect(admits(grammar(json), '<|START_RESPONSE|>{"age": 3}')).toBe(true)
  expect(admits(grammar(json), '{"age": 3}')).not.toBe(true)
})

test('free to call: the grammar of the calls, after their trigger', () => {
  const found = printReplyGrammar(shapeOf('hermes'), { ...base, toolChoice: { type: 'auto' } })
  expect(found).toMatchObject({ isLazy: true, triggers: [{ type: 'word', value: '<tool_call>' }] })
  expect(found?.preservedTokens).toEqual(['<tool_call>', '</tool_call>', '<think>', '</think>'])
  expect(admits(parseGbnf(found?.grammar ?? ''), call.hermes)).toBe(true)
})

test('text after calls begins none, where a pattern is what triggers them either', () => {
  const shape = shapeOf('pythonic', { endsAfter: ['<|eot_id|>'] })
  const found = printReplyGrammar(shape, { ...base, toolChoice: { type: 'auto' } })
  expect(found?.triggers.map(({ type }) => type)).toEqual(['pattern'])
  const grammar = parseGbnf(found?.grammar ?? '')
  const first = '[now()]'
  expect(admits(grammar, `${first}\nThat is all.`)).toBe(true)
  expect(admits(grammar, `${first}\nAnd once more:\n${first}`)).not.toBe(true)
})

test('what an engine needs beside a grammar that holds from the beginning', () => {
  const found = printReplyGrammar(shapeOf('harmony'), { ...base, textBefore: true })
  expect(found).toMatchObject({ isLazy: false, triggers: [], stops: ['<|call|>'], widened: [] })
  expect(found?.preservedTokens).toEqual([
    '<|channel|>',
    '<|constrain|>',
    '<|message|>',
    '<|call|>',
    '<|end|>',
    '<|start|>',
    // A tokenizer may have one token for markers that its template writes together.
    '<|channel|>analysis<|message|>',
    '<|end|><|start|>assistant',
    '<|channel|>final<|message|>',
    '<|channel|>commentary<|message|>',
    '<|channel|>commentary to=functions.',
    '<|constrain|>json<|message|>',
  ])
})

test.each<[what: string, shape: ReplyShape, request: ReplyRequest]>([
  ['no tools', shapeOf('hermes'), { ...base, tools: [] }],
  ['a format without calls', shapeOf('hermes', { calls: undefined }), base],
  [
    'a format without calls, free to call',
    shapeOf('hermes', { calls: undefined }),
    { ...base, toolChoice: { type: 'auto' } },
  ],
  ['a tool that there is none of', shapeOf('hermes'), { ...base, toolChoice: { type: 'named', name: 'later' } }],
  ['no tools and no calls', shapeOf('hermes'), { ...base, tools: [], toolChoice: { type: 'none' } }],
])('nothing to constrain: %s', (_what, shape, request) => {
  expect(printReplyGrammar(shape, request)).toBeUndefined()
})

test('a format without calls has its JSON', () => {
  const found = printReplyGrammar(shapeOf('hermes', { calls: undefined }), { ...base, ...jsonOrCalls })
  expect(admits(parseGbnf(found?.grammar ?? ''), '{"age": 3}')).toBe(true)
  expect(admits(parseGbnf(found?.grammar ?? ''), call.hermes)).not.toBe(true)
})

test('says what of a response is widened', () => {
  const odd = { type: 'object', properties: { n: { type: 'array', items: { type: 'integer' }, uniqueItems: true } } }
  expect(printReplyGrammar(shapeOf('hermes'), { ...base, ...json, responseSchema: odd })?.widened).toEqual([
    '"uniqueItems" is not expressed',
  ])
})

test.each(formats.map((format) => [format.name, format] as const))(
  '%s, written in any of its ways: what begins calls says something',
  (name, format) => {
    const otherCalls = format.blocks.slice(1).map(({ tree, place }) => ({ tree, beginLine: place !== 'anywhere' }))
    const request: ReplyRequest = { ...base, toolChoice: { type: 'auto' } }
    const triggers = printReplyGrammar(shapeOf(name, { otherCalls }), request)?.triggers ?? []
    expect(triggers.filter(({ value }) => /^$|(?<!\\)\(\)$/.test(value))).toEqual([])
    expect(new Set(triggers.map(({ value }) => value)).size).toBe(triggers.length)
    for (const { type, value } of triggers) {
      if (type === 'pattern') expect('Some words.\nAnd more.').not.toMatch(new RegExp(value))
    }
  },
)
