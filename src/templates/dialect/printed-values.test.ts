import { describe, expect, test } from 'vitest'
import { callsOf, readPieces } from '../../../test/support/dialects/replies.ts'
import { admits, parseGbnf } from '../../../test/support/grammar/gbnf.ts'
import { testDialect } from '../../../test/support/templates/dialect.ts'
import { testTemplates } from '../../../test/support/templates/templates.ts'
import type { JsonObject, Tool } from '../../conversation/index.ts'
import type { TemplateDialect } from './template-dialect.ts'

function dialectOf(name: string): TemplateDialect {
  const found = testTemplates.find((one) => one.name === name)
  if (!found) throw new Error(`There is no template ${name}.`)
  return testDialect(found)
}

function toolWith(value: JsonObject): Tool {
  return { name: 'f', description: '', schema: { type: 'object', properties: { a: value } } }
}

const pythonLinesWithJson = (value: string) => `<|run|>\nf(a=${value})\n<|/run|>`
const pythonCallsWithJsonObjects = (value: string) => `<|calls|>[f(a=${value})]<|/calls|>`
const pythonValuesInTags = (value: string) => `<do>\n<fn=f>\n<p=a>${value}</p>\n</fn>\n</do>`
const markedStrings = (value: string) => `<|acts|><|act|>f{a:${value}}<|done|>`
const object: JsonObject = { type: 'object' }
const list: JsonObject = { type: 'array' }

/** A value as the template prints it is admitted by its grammar, and read as that value without a notice. */
describe.each<[name: string, rows: readonly (readonly [schema: JsonObject, written: string, json: string])[]]>([
  [
    'python-lines-with-json',
    [
      [{ type: 'boolean' }, pythonLinesWithJson('true'), 'true'],
      [{ type: ['null', 'string'] }, pythonLinesWithJson('null'), 'null'],
      [list, pythonLinesWithJson('[true, {"b": null}]'), '[true,{"b":null}]'],
    ],
  ],
  [
    'python-calls-with-json-objects',
    [
      [{ type: 'string' }, pythonCallsWithJsonObjects("'one\ntwo\t'"), '"one\\ntwo\\t"'],
      [object, pythonCallsWithJsonObjects('{"b": true, "c": null}'), '{"b":true,"c":null}'],
      [object, pythonCallsWithJsonObjects("{'b': True}"), '{"b":true}'],
      [list, pythonCallsWithJsonObjects("['x', True, {'b': None}]"), '["x",true,{"b":null}]'],
    ],
  ],
  [
    'python-values-in-tags',
    [
      [object, pythonValuesInTags("{'b': True, 'c': [None, 'x\\x1b']}"), '{"b":true,"c":[null,"x\\u001b"]}'],
      [object, pythonValuesInTags('{"b": true}'), '{"b": true}'],
      [list, pythonValuesInTags("['x', 1]"), '["x",1]'],
      [{ type: 'boolean' }, pythonValuesInTags('True'), 'true'],
      [{ type: ['null', 'integer'] }, pythonValuesInTags('None'), 'null'],
      [{ type: 'string' }, pythonValuesInTags("{'b': True}"), '"{\'b\': True}"'],
      // Without the first of its markers.
      [{ type: 'integer' }, pythonValuesInTags('1').slice('<do>\n'.length), '1'],
    ],
  ],
  [
    'marked-strings',
    [
      [{ type: 'null' }, markedStrings('None'), 'null'],
      [object, markedStrings('{b:None,c:true,d:<|q|>None<|q|>}'), '{"b":null,"c":true,"d":"None"}'],
      [{ type: 'null' }, `${markedStrings('null')}<|/acts|>`, 'null'],
      // Without its section.
      [{ type: 'integer' }, markedStrings('1').slice('<|acts|>'.length), '1'],
    ],
  ],
])('the template %s', (name, rows) => {
  const dialect = dialectOf(name)

  test.each(rows)('of %j admits and reads %j', (schema, written, json) => {
    const policy = { tools: [toolWith(schema)], toolChoice: { type: 'auto' as const }, parallelCalls: true }
    const { events } = readPieces(dialect, [written], policy)
    expect(callsOf(events).map((one) => one.json)).toEqual([`{"a":${json}}`])
    expect(events.filter(({ type }) => type === 'notice')).toEqual([])
    const grammar = dialect.grammar(policy)
    expect([written, admits(parseGbnf(grammar?.grammar ?? ''), written)]).toEqual([written, true])
    expect(grammar?.triggers.some((one) => new RegExp(pattern(one)).test(written))).toBe(true)
  })
})

function pattern({ type, value }: { type: 'word' | 'pattern'; value: string }): string {
  return type === 'word' ? value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : value
}

test('calls without their first marker are looked for at the beginning of a line, by the names of tools', () => {
  const grammar = dialectOf('python-values-in-tags').grammar({
    tools: [toolWith(object)],
    toolChoice: { type: 'auto' },
    parallelCalls: true,
  })
  expect(grammar?.triggers).toEqual([
    { type: 'pattern', value: '(?:^|\\n)[ \\t]*(<fn=f>)' },
    { type: 'word', value: '<do>' },
  ])
})

test.each(testTemplates)('nothing that closes a part of a reply of $name stops it', (one) => {
  const dialect = testDialect(one)
  const { reasoning, content, frame } = dialect.analysis
  const stops = dialect.grammar({ tools: [toolWith(object)], toolChoice: { type: 'auto' }, parallelCalls: true })?.stops
  expect(stops?.length).toBeGreaterThan(0)
  const closers = [reasoning.close, content.close].filter((close) => close !== '')
  const others = frame.ends.filter((end) => !closers.includes(end))
  if (others.length > 0) for (const close of closers) expect(stops).not.toContain(close)
})
