import { describe, expect, it } from 'vitest'
import { readPieces } from '../../../test/support/dialects/replies.ts'
import { expectReading, tool } from '../../../test/support/dialects/tables.ts'
import { growthOf, linearGrowth } from '../../../test/support/steps.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../conversation/index.ts'
import { formatDialect } from '../../dialects/prompt/format-dialect.ts'
import { parseResponseTemplate } from './response-template.ts'

/** Response templates that are wrong, hostile, or contain parts that have no place in a format. */

const whole = { type: 'function', function: '{content}' }
const parts = { type: 'function', function: { name: '{name}', arguments: '{content}' } }
const base = {
  thinking: { open: '<think>', close: '</think>' },
  content: { close: '<|im_end|>' },
}
const calls = (field: JsonObject): JsonObject => ({ start_anchor: '<|a|>', fields: { ...base, tool_calls: field } })
const named = (open_pattern: string, more: JsonObject = {}): JsonObject =>
  calls({ open_pattern, close: '</c>', content: 'json', transform: parts, ...more })
const tagged = (tag_pattern: JsonValue): JsonObject =>
  named('<c n="(?P<name>\\w+)">', { content: 'xml-inline', content_args: { tag_pattern } })

describe('response templates that are no format', () => {
  it.each<[spec: JsonObject, why: string]>([
    [{}, 'it has no fields'],
    [{ version: 2, fields: base }, 'it is of version 2'],
    [{ fields: [] }, 'it has no fields'],
    [{ fields: {} }, 'it says nothing of reasoning, text or calls'],
    [{ fields: { thinking: 7 } }, 'thinking: it is not an object'],
    [{ fields: { citation: { open: '<c>' } } }, 'citation: a reply has no such part'],
    [{ fields: { tool_calls: { open: '' } } }, 'tool_calls: its transform makes no call'],
    [{ properties: { role: { const: 'assistant' } } }, 'it says nothing of reasoning, text or calls'],
  ])('%j', (spec, why) => {
    const found = parseResponseTemplate(spec)
    if (JSON.stringify(spec).includes('"open":""')) expect(found.type).toBe('none')
    else expect(found).toEqual({ type: 'none', why })
  })
})

describe('what cannot be read is said, and the rest is read', () => {
  it.each<[name: string, spec: JsonObject, unread: string]>([
    ['a pattern that is none', named('<c (?P<name>\\w+'), 'a group is not closed'],
    ['a bracket too many', named('<c>)(?P<name>\\w+)'), 'a closing bracket has no opening one'],
    ['a reversed range', named('<c (?P<name>[z-a]+)>'), 'a range has its ends in the wrong order'],
    ['sets of sets', named('<c (?P<name>[\\w--\\d]+)>'), 'it has sets made of sets'],
    ['a lookbehind', named('(?<=x)<c (?P<name>\\w+)>'), 'it has a group of the kind (?<'],
    ['an escape of a property', named('<c (?P<name>\\p{L}+)>'), 'it has the escape \\p'],
    ['a repeated group', named('<c(?:ab)*(?P<name>\\w+)>'), 'it repeats a group'],
    ['groups in groups, repeated', named('<c((a+)+)+(?P<name>\\w+)>'), 'it repeats a group'],
    ['runs that share a text in many ways', named('<c.*a.*a.*a.*(?P<name>\\w+)>'), 'it may fit in too many ways'],
    [
      'alternatives that share a text',
      named(`<c${'(?:a|a)'.repeat(30)}(?P<name>\\w+)>`),
      'it may fit in too many ways',
    ],
    ['a huge pattern', named(`<c${'a'.repeat(3000)}(?P<name>\\w+)>`), '"open_pattern" is no text'],
    ['deep groups', named(`<c${'('.repeat(500)}${')'.repeat(500)}(?P<name>\\w+)>`), 'its groups are nested too deep'],
    ['many parts', named(`<c${'a?b'.repeat(300)}(?P<name>\\w+)>`), 'it has too many parts'],
    ['a huge count', named('<c {9999}(?P<name>\\w+)>'), 'it repeats more than 64 times'],
    [
      'no name',
      calls({ open: '<c>', close: '</c>', content: 'json', transform: parts }),
      'a name that no marker holds',
    ],
    ['no marker', named('(?P<name>\\w+)\\('), 'what opens it does not begin with a marker'],
    ['nothing that opens', calls({ close: '</c>', content: 'json', transform: whole }), 'nothing opens it'],
    ['text for calls', calls({ open: '<c>', close: '</c>', transform: whole }), 'its calls are "text", not JSON'],
    ['an unknown parser', named('<c (?P<name>\\w+)>', { content: 'toml' }), 'its arguments are "toml"'],
    [
      'a transform of text',
      calls({ open: '<c>', content: 'json', transform: 'x {content}' }),
      'its transform makes no call',
    ],
    ['no tag', tagged(7), 'it has no tag_pattern'],
    ['a tag without a value', tagged('<a (?P<key>\\w+)>'), 'its tag_pattern has no key with a value after it'],
    ['a value before its key', tagged('<a>(?P<value>.*?)</a (?P<key>\\w+)>'), 'has no key with a value after it'],
    ['a tag that is all key', tagged('(?P<key>\\w+):(?P<value>.*?);'), 'do not begin with anything but the key'],
  ])('%s', (_name, spec, unread) => {
    const format = parseResponseTemplate(spec)
    expect(format).toMatchObject({ type: 'format', blocks: [], markers: ['<|a|>', '<|im_end|>'] })
    expect(format.type === 'format' && format.unread.join('\n')).toContain(unread)
    expect(format.type === 'format' && format.reasoning.map(({ open }) => open)).toEqual(['<think>'])
  })

  it.each<[name: string, fields: JsonObject, unread: string[]]>([
    ['text that is JSON', { content: { close: '<|e|>', content: 'json' } }, ['content: it is "json"; here it is text']],
    [
      'a part that replies do not have',
      { ...base, citations: { open: '<|cite|>', close: '<|/cite|>' } },
      ['citations: a reply has no such part'],
    ],
    [
      'plain words around text',
      { ...base, content: { open: 'Answer:', close: '<|e|>' } },
      [
        'content: "Answer:" around it is not a marker',
        'text outside of all fields is dropped there; here it stays text',
      ],
    ],
    [
      'reasoning by no literal',
      { ...base, thinking: { open_pattern: '<t\\d+>+', close: '</t>' } },
      ['thinking: its beginning is not a literal'],
    ],
  ])('%s', (_name, fields, unread) => {
    expect(parseResponseTemplate({ fields })).toMatchObject({ type: 'format', unread })
  })
})

describe('hostile response templates', () => {
  const tools = [tool('f', { a: 'string' })]
  const hostile: [name: string, spec: JsonObject][] = [
    ['runs', named('<c[^>]*?x[^>]*?(?P<name>\\w+)>')],
    ['a run of anything for a name', named('<c (?P<name>.+)>')],
    ['white space again and again', named(`<c${'\\s*'.repeat(60)}(?P<name>\\w+)>`)],
    ['a tag of runs', tagged('<a[^>]*?[^<]*?(?P<key>[^>]+)>\\s*(?P<value>.*?)\\s*[^<]*</a>')],
    ['an empty tag', tagged('(?P<key>)(?P<value>)')],
    ['an empty close', named('<c (?P<name>\\w+)>', { close_pattern: '|' })],
    ['a close that is anything', named('<c (?P<name>\\w+)>', { close: undefined, close_pattern: '.*' })],
  ]
  const texts = ['<c ', '<c x', '<a', '<a y>', '<think>', `<c${' '.repeat(70)}`]

  it.each(hostile)('%s: long texts are read in steps that grow as they do', (_name, spec) => {
    const format = parseResponseTemplate(spec)
    if (format.type === 'none') throw new Error(format.why)
    const { reasoning, markers, blocks } = format
    const dialect = formatDialect({ name: 't', families: '', source: '', example: '', reasoning, markers, blocks })
    const read = (length: number) => {
      for (const text of texts) {
        const long = text.repeat(Math.ceil(length / text.length))
        const pieces = Array.from({ length: Math.ceil(long.length / 100) }, (_, index) =>
          long.slice(index * 100, index * 100 + 100),
        )
        readPieces(dialect, pieces, { tools })
      }
    }
    expect(growthOf(read, 3000)).toBeLessThan(linearGrowth)
  })

  it('never throws, whatever stands in the place of each part', () => {
    const spec = named('<c n="(?P<name>\\w+)">', {
      content: 'xml-inline',
      content_args: { tag_pattern: '<a (?P<key>\\w+)>(?P<value>.*?)</a>' },
    })
    const strange: JsonValue[] = [
      null,
      true,
      -1,
      '',
      '(',
      '[',
      '\\',
      '{',
      '*',
      '(?P<name>',
      [],
      [''],
      [7],
      {},
      { a: [] },
      '{content}',
      '{content.',
      '\u0000',
      '\ud800',
    ]
    const paths = pathsIn(spec)
    expect(paths.length).toBeGreaterThan(10)
    for (const path of paths) {
      for (const value of strange) {
        const format = parseResponseTemplate(replaced(spec, path, value))
        if (format.type === 'none') continue
        // Any resulting format can be read with, and separates text and calls as before or not at all.
        const { reasoning, markers, blocks } = format
        const dialect = formatDialect({ name: 't', families: '', source: '', example: '', reasoning, markers, blocks })
        const { events } = readPieces(dialect, ['Hi.\n<c n="f"><a k', '>v</a></c>'], { tools })
        expect(events.at(-1)?.type).toBe('finish')
      }
    }
  })

  it('takes names of prototypes for names', () => {
    const spec = named('<c (?P<constructor>\\w+)>', { transform: { name: '{constructor}', arguments: '{content}' } })
    const format = parseResponseTemplate({ ...spec, ['__proto__']: { fields: {} } })
    if (format.type === 'none') throw new Error(format.why)
    const { reasoning, markers, blocks, unread } = format
    expect(unread).toEqual([])
    const dialect = formatDialect({ name: 't', families: '', source: '', example: '', reasoning, markers, blocks })
    expectReading(dialect, '<c f>{"a": "b"}</c>', [{ call: 'f', json: '{"a":"b"}' }], { tools })
  })
})

function pathsIn(value: JsonValue | undefined): string[][] {
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, child]) => [[key], ...pathsIn(child).map((path) => [key, ...path])])
}

function replaced(value: JsonObject, [key = '', ...rest]: string[], by: JsonValue): JsonObject {
  const child = value[key]
  return { ...value, [key]: rest.length > 0 && isJsonObject(child) ? replaced(child, rest, by) : by }
}
