import { expect, test } from 'vitest'
import { someOf } from '../../../test/support/draws.ts'
import { parseGbnf } from '../../../test/support/grammar/gbnf.ts'
import { shapeOf } from '../../../test/support/grammar/reply-shapes.ts'
import { tools } from '../../../test/support/grammar/tools.ts'
import type { JsonObject } from '../../conversation/index.ts'
import { formats } from '../../dialects/formats/index.ts'
import { printReplyStructuralTag } from './reply-tag.ts'
import type { ReplyRequest } from './shape.ts'
import { printStructuralTag } from './structural-tag.ts'

const some = tools.filter(({ name }) => name === 'get_weather')
const person: JsonObject = { type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] }
const base: ReplyRequest = { tools: some, toolChoice: { type: 'required' }, parallelCalls: false }
const gap = { type: 'regex', pattern: '[ \\t\\n]{0,8}' }
const text = (value: string) => ({ type: 'const_string', value })
const anyText = (...excludes: string[]) => ({ type: 'any_text', excludes })
const optional = (content: object) => ({ type: 'optional', content })
const jsonPerson = { type: 'json_schema', json_schema: person }

const bare = shapeOf('hermes', { marks: [] })
const thought = { type: 'tag', begin: '<think>', content: anyText('<tool_call>', '<think>'), end: '</think>' }
const restOfThought = { ...thought, begin: '' }
const call = {
  type: 'sequence',
  elements: [
    text('<tool_call>\n{"name": "get_weather", "arguments": '),
    { type: 'json_schema', json_schema: some[0]?.schema },
    text('}\n</tool_call>'),
  ],
}
const [, ...after] = call.elements
const rest = { type: 'sequence', elements: [text('\n{"name": "get_weather", "arguments": '), ...after] }
const textBefore = { type: 'tag', begin: '', content: anyText('<think>', '</think>'), end: '<tool_call>' }
const triggered = printStructuralTag(shapeOf('hermes').calls ?? { type: 'sequence', of: [] }, {
  ...base,
  toolChoice: { type: 'auto' },
})?.tag.format

function elementsOf(request: Partial<ReplyRequest>, more: object = {}): unknown {
  const format = printReplyStructuralTag({ ...bare, ...more }, { ...base, ...request })?.tag.format
  return format?.type === 'sequence' ? format.elements : format
}

const reasoning = { open: '<think>', close: '</think>', isOpen: false, isOff: false }
const none = { toolChoice: { type: 'none' } } as const
const auto = { toolChoice: { type: 'auto' } } as const

test.each<[what: string, request: Partial<ReplyRequest>, more: object, expected: unknown]>([
  ['a call that is demanded', {}, {}, [gap, optional(thought), gap, ...call.elements]],
  ['reasoning that is open', {}, { reasoning: { ...reasoning, isOpen: true } }, [restOfThought, gap, ...call.elements]],
  ['reasoning that is off', {}, { reasoning: { ...reasoning, isOff: true } }, [gap, ...call.elements]],
  [
    'reasoning that is open and off',
    {},
    { reasoning: { ...reasoning, isOpen: true, isOff: true } },
    [gap, text('</think>'), gap, ...call.elements],
  ],
  ['no reasoning', {}, { reasoning: undefined }, [gap, ...call.elements]],
  ['text before', { textBefore: true }, {}, [gap, optional(thought), gap, textBefore, rest]],
  [
    'wrapped text before',
    { textBefore: true },
    { reasoning: undefined, content: { open: '<a>', close: '</a>' } },
    [
      gap,
      optional({
        type: 'sequence',
        elements: [{ type: 'tag', begin: '<a>', content: anyText('<tool_call>', '<a>'), end: '</a>' }, gap],
      }),
      ...call.elements,
    ],
  ],
  [
    'an end that holds a mark',
    {},
    { reasoning: { ...reasoning, close: '<e><s>', isOpen: true }, marks: ['<e>'] },
    [{ type: 'tag', begin: '', content: anyText('<tool_call>', '<think>'), end: '<e><s>' }, gap, ...call.elements],
  ],
  ['JSON', { ...none, responseSchema: person }, {}, [gap, optional(thought), gap, jsonPerson]],
  [
    'any JSON, wrapped',
    { ...none, responseSchema: true },
    { reasoning: undefined, content: { open: '<a>', close: '</a>' } },
    [
      gap,
      text('<a>'),
      gap,
      { type: 'json_schema', json_schema: { type: 'object' } },
      optional({ type: 'sequence', elements: [gap, text('</a>')] }),
    ],
  ],
  [
    'JSON or calls',
    { ...auto, responseSchema: person },
    {},
    [gap, optional(thought), gap, { type: 'or', elements: [call, jsonPerson] }],
  ],
  ['free to call', auto, {}, [gap, optional(thought), { ...triggered, excludes: ['<think>'] }]],
  ['free to call, reasoning open', auto, { reasoning: { ...reasoning, isOpen: true } }, [restOfThought, triggered]],
  ['free to call, no reasoning', auto, { reasoning: undefined }, triggered],
  ['no calls', none, {}, anyText('<tool_call>')],
  ['no calls, reasoning off', none, { reasoning: { ...reasoning, isOff: true } }, anyText('<tool_call>', '<think>')],
  ['nothing', { ...none, tools: [] }, {}, undefined],
])('%s', (_what, request, more, expected) => {
  expect(elementsOf(request, more)).toEqual(expected)
})

const kinds = new Set([
  ...['const_string', 'json_schema', 'grammar', 'regex', 'any_text', 'sequence', 'or', 'optional', 'repeat', 'tag'],
  'triggered_tags',
])

test.each(someOf(formats, 3).map(({ name }) => [name]))('nothing but what the engine knows: %s', (name) => {
  for (const request of [{ textBefore: true }, { ...auto, responseSchema: person }, auto]) {
    const found = printReplyStructuralTag(shapeOf(name), { ...base, tools, ...request })
    const json = JSON.stringify(found?.tag.format)
    const grammars = [...json.matchAll(/"grammar":("(?:[^"\\]|\\.)*")/g)].map(([, one]) =>
      String(JSON.parse(one ?? '""')),
    )
    for (const grammar of grammars) expect(() => parseGbnf(grammar)).not.toThrow()
    const used = kindsOf(found?.tag.format)
    expect(used.filter((kind) => !kinds.has(kind))).toEqual([])
    expect(used.length).toBeGreaterThan(1)
  }
})

/** The types of all formats in one; schemas have types of their own. */
function kindsOf(format: unknown): string[] {
  if (Array.isArray(format)) return format.flatMap(kindsOf)
  if (typeof format !== 'object' || format === null) return []
  return Object.entries(format).flatMap(([key, value]) => {
    if (key === 'type') return [String(value)]
    return key === 'json_schema' ? [] : kindsOf(value)
  })
}
