import { expect, test } from 'vitest'
import { coveringPairs } from '../../../test/support/draws.ts'
import { parseGbnf } from '../../../test/support/grammar/gbnf.ts'
import { tools as allTools, manyTools, oddTools } from '../../../test/support/grammar/tools.ts'
import type { Tool } from '../../conversation/index.ts'
import { formats } from '../../dialects/formats/index.ts'
import { makeCallsGrammar } from '../gbnf/calls/grammar.ts'
import { printStructuralTag } from './structural-tag.ts'

const weather: Tool = {
  name: 'get_weather',
  description: '',
  schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}
const now: Tool = { name: 'now', description: '', schema: { type: 'object', properties: {} } }
const tools = [weather, now]
const treeOf = (name: string) =>
  formats.find((format) => format.name === name)?.blocks[0]?.tree ?? { type: 'sequence' as const, of: [] }
const formatOf = (name: string, request: object) =>
  printStructuralTag(treeOf(name), { tools, toolChoice: { type: 'auto' }, parallelCalls: false, ...request })?.tag
    .format

const schemaOf = (tool: Tool) => ({ type: 'json_schema', json_schema: tool.schema })
const text = (value: string) => ({ type: 'const_string', value })
const call = (begin: string, tool: Tool) => ({
  type: 'sequence',
  elements: [text(`${begin}\n{"name": "${tool.name}", "arguments": `), schemaOf(tool), text('}\n</tool_call>')],
})

test('auto: tags that the first marker triggers', () => {
  expect(formatOf('hermes', {})).toEqual({
    type: 'triggered_tags',
    triggers: ['<tool_call>'],
    tags: [
      {
        type: 'tag',
        begin: '<tool_call>\n{"name": "get_weather", "arguments": ',
        content: schemaOf(weather),
        end: '}\n</tool_call>',
      },
      // A call without arguments is text to its end.
      { type: 'tag', begin: '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_cal', content: text('l'), end: '>' },
    ],
    stop_after_first: true,
  })
})

test('a section has its end', () => {
  const name = (tool: string) => `${tool}<\uff5ctool\u2581sep\uff5c>`
  const end = text('<\uff5ctool\u2581call\u2581end\uff5c>')
  expect(formatOf('deepseek-v3.1', {})).toMatchObject({
    triggers: ['<\uff5ctool\u2581calls\u2581begin\uff5c>'],
    tags: [
      {
        begin: '<\uff5ctool\u2581calls\u2581begin\uff5c><\uff5ctool\u2581call\u2581begin\uff5c>',
        content: {
          type: 'or',
          elements: [
            { type: 'sequence', elements: [text(name('get_weather')), schemaOf(weather), end] },
            text(`${name('now')}{}${end.value}`),
          ],
        },
        end: '<\uff5ctool\u2581calls\u2581end\uff5c>',
      },
    ],
  })
})

test('a named tool: nothing but its call', () => {
  expect(formatOf('hermes', { toolChoice: { type: 'named', name: 'get_weather' } })).toEqual(
    call('<tool_call>', weather),
  )
})

test('several calls repeat', () => {
  expect(formatOf('hermes', { tools: [weather], toolChoice: { type: 'required' }, parallelCalls: true })).toEqual({
    type: 'sequence',
    elements: [
      call('<tool_call>', weather),
      {
        type: 'repeat',
        min: 0,
        max: -1,
        content: { type: 'sequence', elements: [text('\n'), call('<tool_call>', weather)] },
      },
    ],
  })
})

test('none: text without the marker', () => {
  expect(formatOf('hermes', { toolChoice: { type: 'none' } })).toEqual({ type: 'any_text', excludes: ['<tool_call>'] })
})

test('text before a call that is demanded', () => {
  expect(formatOf('hermes', { tools: [weather], toolChoice: { type: 'required' }, textBefore: true })).toEqual({
    type: 'sequence',
    elements: [
      { type: 'tag', begin: '', content: { type: 'any_text', excludes: [] }, end: '<tool_call>' },
      call('', weather),
    ],
  })
})

/** Each format with one of the tests of all, in npm test. */
const formatsOf = coveringPairs(['sound', 'triggered', 'brief'] as const, formats, { fewest: 1 })

test.each(formatsOf('sound').map((format) => [format.name, format] as const))(
  'the grammars in it are sound: %s',
  (_name, format) => {
    const [block] = format.blocks
    const found =
      block && printStructuralTag(block.tree, { tools: manyTools, toolChoice: { type: 'auto' }, parallelCalls: true })
    const grammars = [...JSON.stringify(found?.tag).matchAll(/"grammar":("(?:[^"\\]|\\.)*")/g)].map(([, json]) =>
      String(JSON.parse(json ?? '""')),
    )
    for (const grammar of grammars) expect(() => parseGbnf(grammar)).not.toThrow()
    expect(JSON.stringify(found?.tag)).toMatch(/"type":"(?:json_schema|grammar)"/)
  },
)

/** The structural tag of a format that calls trigger; empty if its calls have no distinctive beginning. */
function triggered(name: string, tools: readonly Tool[]): { triggers: string[]; begins: string[] } {
  const format = formatOf(name, { tools })
  if (format?.type !== 'triggered_tags') return { triggers: [], begins: [] }
  const { triggers, tags } = format as { triggers: string[]; tags: { begin: string }[] } & object
  return { triggers, begins: tags.map(({ begin }) => begin) }
}

test.each(formatsOf('triggered').map(({ name }) => [name]))('a tag begins with what triggers it: %s', (name) => {
  for (const some of [allTools, manyTools, ...[...allTools, ...oddTools].map((tool) => [tool])]) {
    const { triggers, begins } = triggered(name, some)
    expect(begins.filter((begin) => !triggers.some((trigger) => begin.startsWith(trigger)))).toEqual([])
  }
})

test.each([
  // White space before JSON and in it is the model's own.
  ['hermes', [weather], '<tool_call>'],
  ['mistral', [weather, now], '[TOOL_CALLS]'],
  // A recipient is no JSON.
  ['harmony', [weather, now], '<|channel|>commentary to=functions.'],
  ['glm', [weather, now], '<tool_call>'],
])('what triggers the calls of %s', (name, tools, trigger) => {
  expect(triggered(name, tools).triggers).toEqual([trigger])
})

test.each(formatsOf('brief').map(({ name }) => [name]))('a tag says nothing over and over: %s', (name) => {
  const request = { tools: manyTools, toolChoice: { type: 'required' as const }, parallelCalls: true }
  const tag = JSON.stringify(printStructuralTag(treeOf(name), request)?.tag)
  const schemas = JSON.stringify(manyTools).length
  // The grammar as JSON text has its quotes and backslashes escaped; the schemas of the first call occur again in the
  // calls that follow.
  const { length } = JSON.stringify(makeCallsGrammar(treeOf(name), request)?.grammar)
  expect(tag.length).toBeLessThan(length + 4 * schemas)
})

// xgrammar (0.1.27) reads beyond its memory if the content of a tag without an end may be empty.
test('a call that is all text, with others after it: something of it is left to stand in its tag', () => {
  expect(formatOf('llama-json', { tools: [now], parallelCalls: true })).toMatchObject({
    triggers: ['{"name": "now", "parameters": {}'],
    tags: [
      {
        begin: '{"name": "now", "parameters": {}',
        content: { type: 'grammar', grammar: expect.stringMatching(/^root ::= "}" /) },
        end: '',
      },
    ],
  })
})
