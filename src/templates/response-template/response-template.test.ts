import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readBlock } from '../../../test/support/dialects/format-reading.ts'
import { canonical, message, promptContext, readPieces } from '../../../test/support/dialects/replies.ts'
import { expectReading, type Short, tool } from '../../../test/support/dialects/tables.ts'
import { coveringPairs, lawRuns } from '../../../test/support/draws.ts'
import { derive, parseGbnf } from '../../../test/support/grammar/gbnf.ts'
import { randomOf } from '../../../test/support/grammar/random.ts'
import { tools as grammarTools, oddTools } from '../../../test/support/grammar/tools.ts'
import {
  cohere,
  dataOf,
  ernie,
  formatOf,
  gemma,
  glm,
  gptOss,
  inkling,
  lfm,
  lines,
  llama,
  mistral,
  mistralList,
  muse,
  nemotron,
  qwenCoder,
  servedQwen,
  smollm,
  trlGptOss,
} from '../../../test/support/templates/response-templates.ts'
import type { CallPart, JsonObject } from '../../conversation/index.ts'
import { formatDialect } from '../../dialects/prompt/format-dialect.ts'
import { makeCallsGrammar, writeCalls } from '../../grammar/index.ts'

const tools = [tool('get_weather', { city: 'string', days: 'integer', tags: 'array' }), tool('list-files')]
const paris: Short = { call: 'get_weather', json: '{"city":"Paris","days":3}' }
const files: Short = { call: 'list-files', json: '{}' }
const json = '{"city": "Paris", "days": 3}'
const parameter = (key: string, value: string) => `<parameter=${key}>\n${value}\n</parameter>\n`
const coder = (name: string, inside: string) => `<tool_call>\n<function=${name}>\n${inside}</function>\n</tool_call>`

describe('published response templates', () => {
  it.each<[name: string, spec: JsonObject, text: string, expected: Short[]]>([
    [
      'SmolLM3: all parts',
      smollm,
      `<think>\nShould I?\n</think>\n\n<tool_call>{"name": "get_weather", "arguments": ${json}}</tool_call><|im_end|>`,
      [{ think: 'Should I?' }, paris],
    ],
    [
      'Qwen 3: two calls on lines of their own after text',
      smollm,
      `Wait.\n<tool_call>\n{"name": "get_weather", "arguments": ${json}}\n</tool_call>\n<tool_call>\n{"name": "list-files", "arguments": {}}\n</tool_call><|im_end|>`,
      ['Wait.', paris, files],
    ],
    ['SmolLM3: text alone', smollm, 'Gravity <b>pulls</b>.<|im_end|>', ['Gravity <b>pulls</b>.']],
    [
      'gpt-oss: reasoning, and a call whose end the engine took',
      gptOss,
      `<|channel|>analysis<|message|>Look it up.<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>${json}`,
      [{ think: 'Look it up.' }, paris],
    ],
    [
      'gpt-oss: a name with a dash, as the template has none',
      gptOss,
      '<|channel|>commentary to=functions.list-files <|constrain|>json<|message|>{}<|call|>',
      [files],
    ],
    [
      'gpt-oss: an answer',
      gptOss,
      '<|channel|>analysis<|message|>2+2<|end|><|start|>assistant<|channel|>final<|message|>4<|end|>',
      [{ think: '2+2' }, '4'],
    ],
    [
      'gpt-oss in TRL: the recipient in the role',
      trlGptOss,
      `<|channel|>analysis<|message|>So.<|end|><|start|>assistant to=functions.get_weather<|channel|>commentary json<|message|>${json}<|call|>`,
      [{ think: 'So.' }, paris],
    ],
    [
      'Cohere: a list of calls',
      cohere,
      `<|START_THINKING|>So.<|END_THINKING|><|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "get_weather", "parameters": ${json}},\n    {"tool_call_id": "1", "tool_name": "list-files", "parameters": {}}\n]<|END_ACTION|>`,
      [{ think: 'So.' }, paris, files],
    ],
    [
      'Cohere: an answer',
      cohere,
      '<|START_THINKING|>So.<|END_THINKING|><|START_RESPONSE|>Hi.<|END_RESPONSE|>',
      [{ think: 'So.' }, 'Hi.'],
    ],
    [
      'Qwen3-Coder: arguments by their types',
      qwenCoder,
      coder('get_weather', parameter('city', 'Paris') + parameter('days', '3')),
      [paris],
    ],
    [
      'Qwen3-Coder: a value of lines, and JSON',
      qwenCoder,
      coder('get_weather', parameter('city', 'New\n  York') + parameter('tags', '[{"a": "b"}]')),
      [{ call: 'get_weather', json: '{"city":"New\\n  York","tags":[{"a": "b"}]}' }],
    ],
    ['Qwen3-Coder: no arguments', qwenCoder, coder('list-files', ''), [files]],
    [
      'Qwen3.5 as served: reasoning, text, two calls',
      servedQwen,
      `<think>\nr\n</think>\n\nHello.\n\n${coder('get_weather', parameter('city', 'Paris') + parameter('days', '3'))}\n${coder('list-files', '')}<|im_end|>`,
      [{ think: 'r' }, 'Hello.', paris, files],
    ],
    [
      'Gemma 4: bare keys and strings in delimiters',
      gemma,
      '<|channel>thought\nSo.<channel|><|tool_call>call:get_weather{city:<|"|>Paris, "TX"<|"|>,days:3}<tool_call|><|tool_response>',
      [{ think: 'So.' }, { call: 'get_weather', json: '{"city":"Paris, \\"TX\\"","days":3}' }],
    ],
    [
      'Gemma 4: two calls',
      gemma,
      '<|tool_call>call:get_weather{city:<|"|>Paris<|"|>,days:3}<tool_call|><|tool_call>call:list-files{}<tool_call|>',
      [paris, files],
    ],
    [
      'GLM 4.5',
      glm,
      '<think>r</think>\nOk.\n<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n</tool_call><|user|>',
      [{ think: 'r' }, 'Ok.', paris],
    ],
    [
      'GLM 4.7: the same without line breaks',
      glm,
      '<tool_call>get_weather<arg_key>city</arg_key><arg_value>Paris</arg_value><arg_key>days</arg_key><arg_value>3</arg_value></tool_call><tool_call>list-files</tool_call>',
      [paris, files],
    ],
    ['GLM 4.5: no arguments', glm, '<tool_call>list-files\n</tool_call>', [files]],
    ['Llama 3: JSON and nothing else', llama, `{"name": "get_weather", "parameters": ${json}}<|eot_id|>`, [paris]],
    ['Llama 3: text', llama, 'Hi.<|eot_id|>', ['Hi.']],
    [
      'Ernie: an answer in a tag',
      ernie,
      '<think>\nr\n</think>\n\n<response>\nHello!\n</response>\n',
      [{ think: 'r' }, 'Hello!'],
    ],
    [
      'Inkling: messages with the name in the JSON',
      inkling,
      '<|content_thinking|>So.<|end_message|><|message_model|><|content_text|>Look.<|end_message|><|message_model|>get_weather<|content_invoke_tool_json|>{"name":"get_weather","args":{"city":"Paris","days":3}}<|end_message|>',
      [{ think: 'So.' }, 'Look.', paris],
    ],
    [
      'Muse Glimmer: attributes between tag and name',
      muse,
      'to=self<|message|>So.<|eom|><atem:invoke name="get_weather">\n<atem:parameter name="city">Paris</atem:parameter>\n<atem:parameter type="int" name="days">3</atem:parameter>\n</atem:invoke>',
      [{ think: 'So.' }, paris],
    ],
    [
      'Mistral: a list, whose end the engine took',
      mistralList,
      `[TOOL_CALLS][{"name": "get_weather", "arguments": ${json}, "id": "abc123456"}, {"name": "list-files", "arguments": {}}]`,
      [paris, files],
    ],
    [
      'lines of keys and values',
      lines,
      'Ok.\n<tool_call><function=get_weather>\ncity: Paris: TX\n\ndays: 3\n</tool_call>\n<tool_call><function=list-files>\n</tool_call><|im_end|>',
      ['Ok.', { call: 'get_weather', json: '{"city":"Paris: TX","days":3}' }, files],
    ],
    [
      'LFM2.5: Python calls in a list',
      lfm,
      "<think>So.</think>Ok, f(x).<|tool_call_start|>[get_weather(city='Paris', days=3), list-files()]<|tool_call_end|><|im_end|>",
      [{ think: 'So.' }, 'Ok, f(x).', paris, files],
    ],
    [
      'Mistral: two calls that nothing closes',
      mistral,
      `[THINK]So.[/THINK]Ok.[TOOL_CALLS]get_weather[ARGS]${json}[TOOL_CALLS]list-files[ARGS]{}</s>`,
      [{ think: 'So.' }, 'Ok.', paris, files],
    ],
  ])('%s', (_name, spec, text, expected) => {
    expectReading(formatDialect(dataOf(spec)), text, expected, { tools })
  })

  it.each([
    ['Nemotron 3', nemotron],
    ['Ernie', ernie],
  ])('of %s reads reasoning that the prompt has opened', (_name, spec) => {
    const text = 'So.\n</think>\n\n<tool_call>\n'
    const rest = spec === ernie ? '{"name": "list-files", "arguments": {}}' : '<function=list-files>\n</function>'
    const options = { tools, reasoning: 'open' } as const
    expectReading(formatDialect(dataOf(spec)), `${text}${rest}\n</tool_call>`, [{ think: 'So.' }, files], options)
  })

  it.each<[name: string, spec: JsonObject, header: string | undefined, unread: string[]]>([
    ['SmolLM3', smollm, '<|im_start|>assistant\n', []],
    ['gpt-oss', gptOss, '<|start|>assistant', ['text outside of all fields is dropped there; here it stays text']],
    ['Gemma 4', gemma, '<|turn>model\n', []],
    ['Nemotron 3', nemotron, '<|im_start|>assistant\n<think>', []],
    ['Qwen3-Coder', qwenCoder, '<|im_start|>assistant\n', []],
    ['Llama 3', llama, '<|start_header_id|>assistant<|end_header_id|>\n\n', []],
    ['Mistral', mistral, '[/INST]', []],
  ])('of %s knows where a reply begins, and reads all', (_name, spec, header, unread) => {
    expect(formatOf(spec)).toMatchObject({ header, unread })
  })

  it.each<[name: string, spec: JsonObject, written: string]>([
    ['SmolLM3', smollm, `<tool_call>{"name": "get_weather", "arguments": ${json}}</tool_call>`],
    [
      'Qwen3-Coder',
      qwenCoder,
      '<tool_call><function=get_weather><parameter=city>Paris</parameter><parameter=days>3</parameter></function></tool_call>',
    ],
    ['Gemma 4', gemma, '<|tool_call>call:get_weather{city:<|"|>Paris<|"|>,days:3}<tool_call|>'],
    ['LFM2.5', lfm, "<|tool_call_start|>[get_weather(city='Paris', days=3)]<|tool_call_end|>"],
    ['Mistral', mistral, `[TOOL_CALLS]get_weather[ARGS]${json}`],
    ['Cohere', cohere, `<|START_ACTION|>[{"tool_name": "get_weather", "parameters": ${json}}]<|END_ACTION|>`],
  ])('of %s writes calls, and prints them as a grammar', (_name, spec, written) => {
    const tree = formatOf(spec).blocks[0]?.tree
    const calls = [{ name: 'get_weather', arguments: '{"city":"Paris","days":3}' }]
    expect(tree && writeCalls(tree, calls, tools)).toBe(written)
    expect(
      tree && makeCallsGrammar(tree, { tools, toolChoice: { type: 'required' }, parallelCalls: true }),
    ).toBeDefined()
    expectReading(formatDialect(dataOf(spec)), written, [paris], { tools })
  })
})

const specs = [
  ['SmolLM3', smollm],
  ['gpt-oss', gptOss],
  ['gpt-oss in TRL', trlGptOss],
  ['Cohere', cohere],
  ['Qwen3-Coder', qwenCoder],
  ['Qwen3.5 as served', servedQwen],
  ['Gemma 4', gemma],
  ['GLM', glm],
  ['Llama 3', llama],
  ['Inkling', inkling],
  ['Muse Glimmer', muse],
  ['Mistral', mistral],
  ['LFM2.5', lfm],
] as const
const toolsFor = coveringPairs(
  specs.map(([, spec]) => spec),
  [...grammarTools, ...oddTools],
)

describe.each(specs)('the format of %s', (_name, spec) => {
  it('reads the calls that it writes, whatever stands in their arguments', () => {
    const dialect = formatDialect(dataOf(spec))
    fc.assert(
      fc.property(message(dialect), fc.boolean(), ({ parts, tools: offered }, isWhole) => {
        const calls = parts.filter((part): part is CallPart => part.type === 'call')
        const keys = calls.flatMap((one) => Object.keys(JSON.parse(one.arguments)))
        fc.pre(calls.length > 0 && keys.every((key) => /^[\w.-]+$/.test(key)))
        const text = dialect.renderAssistant(calls, promptContext, offered)
        const found = new Map<number, [string, string]>()
        for (const event of readPieces(dialect, isWhole ? [text] : text.split(''), { tools: offered }).events) {
          if (event.type === 'call-start') found.set(event.index, [event.name, ''])
          const one = event.type === 'call-arguments' ? found.get(event.index) : undefined
          if (one && event.type === 'call-arguments') one[1] += event.json
        }
        const read = [...found.values()].map(([name, json]) => [name, canonical(json)])
        expect(read).toEqual(calls.map(({ name, arguments: json }) => [name, canonical(json)]))
      }),
      { numRuns: lawRuns },
    )
  })
  it.each(toolsFor(spec).map((one) => [one.name, one] as const))(
    'reads without a notice what its grammar admits: %s',
    (_tool, one) => {
      const [block] = formatOf(spec).blocks
      const request = { tools: [one], toolChoice: { type: 'required' }, parallelCalls: false } as const
      const found = block && makeCallsGrammar(block.tree, request)
      const grammar = parseGbnf(found?.grammar ?? '')
      for (let draw = 1; block && draw <= lawRuns / 2; draw++) {
        const text = derive(grammar, randomOf(draw), 10 + (60 * draw) / lawRuns)
        const { status, notices, calls, rest } = readBlock([block], text, { tools: [one] })
        // Names that no schema has cannot be kept from coming twice.
        const mayRepeat = found?.widened.includes('arguments that the schema does not name may come twice')
        if (mayRepeat && notices.some((code) => code === 'retyped' || code === 'duplicate-argument')) continue
        expect([text, status, notices, rest, calls.length]).toEqual([text, 'complete', [], '', 1])
      }
    },
  )
})
