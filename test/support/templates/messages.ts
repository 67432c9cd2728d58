import * as fc from 'fast-check'
import type { AssistantPart, JsonObject, Tool } from '../../../src/conversation/index.ts'
import { isInReasoning } from '../../../src/templates/analysis/turn/reasoning.ts'
import type { TemplateDialect } from '../../../src/templates/dialect/template-dialect.ts'

/**
 * The messages that the law tests of templates write: drawn at random, with the tools that they call. For tests only.
 */
export interface Message {
  parts: AssistantPart[]
  tools: Tool[]
}

/** The parts of a message that can be read back. Arguments are as `comparable` gives them. */
export interface Shown {
  reasoning: string
  text: string
  calls: { name: string; arguments: unknown }[]
}

/** A value before its keys have names. */
type Value =
  | { type: 'scalar'; json: string; schema: JsonObject }
  | { type: 'array'; items: readonly Value[] }
  | { type: 'object'; members: readonly Value[] }

/** Pieces that have a meaning in some format, and texts that writers and readers of strings get wrong. */
const stringFragments: readonly string[] = [
  ...[
    '"',
    "'",
    '\\',
    '\\n',
    '\\"',
    '{',
    '}',
    '[',
    ']',
    ']}',
    '<',
    '>',
    '</',
    '<b>bold</b>',
    '&amp;',
    ',',
    ':',
    '=',
    '`',
  ],
  ...['\n', '\n\n', '\r\n', '\t', ' ', '  spaces  ', '\u2028'],
  ...[
    'plain',
    'null',
    'None',
    'true',
    '42',
    '-0.5e3',
    '"quoted"',
    '{"city": "Paris"}',
    '[1, 2]',
    'a=1, b="2"',
    'x: y\n- z',
  ],
  ...[
    '{{ x }}',
    '{% if x %}',
    '{# x #}',
    '```json\n{"name": "f"}\n```',
    'C:\\new\\table',
    '\u00e9',
    '\u4e16\u754c',
    '\u{1F468}\u200D\u{1F469}',
  ],
  ...[
    '<function=f>',
    '</parameter>',
    '</arg_value>',
    '</invoke>',
    '[TOOL_CALLS]',
    '[ARGS]',
    '<|"|>',
    '<|tool_call_end|>',
  ],
  ...['<|im_end|>', '<|eot_id|>', '</tool_call>', '<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>'],
]

/** Only for strings in JSON; Python prints these in its own way. */
const unprintable: readonly string[] = ['\u00a0', '\u0007', '\u200b', '\u001b[0m']

/** Text without calls, in which no fence or quotation is open before calls: those would be examples. */
const textFragments: readonly string[] = [
  ...[
    'Hello, world!',
    'If a < b and b > c, then "d" is \'e\' & more.',
    'C:\\temp\\new',
    '{1, 2}',
    '[3, 4]',
    '<b>bold</b>',
  ],
  ...[
    '\n',
    '\n\n',
    '\n\n\n',
    '\n  ',
    '- a\n- b\n\n1. c',
    '`code`, 100 %.',
    '{"a": [1, true, null]} or so',
    '{{ x }}',
    '\\',
  ],
  ...['\n```js\nlet x = { y: 1 }\n```\n', '\u00e9\u00df \u4e16\u754c \u{1F600} \uff5c', 'x: y', 'a = "b"', '#'],
]

const scalars = {
  integer: fc.oneof(fc.integer(), fc.constantFrom('0', '-1', '1234567890123456789')),
  number: fc.constantFrom('0.5', '-2.75', '2.0', '1e21', '1.5e-7', '100', '-0.001'),
  boolean: fc.boolean(),
}

function scalar(type: keyof typeof scalars): fc.Arbitrary<Value> {
  return scalars[type].map((value) => ({ type: 'scalar', json: String(value), schema: { type } }))
}

function drawnValue(strings: fc.Arbitrary<Value>, depth: number): fc.Arbitrary<Value> {
  const plain = [scalar('integer'), scalar('number'), scalar('boolean')]
  const nothing = fc
    .constantFrom<JsonObject>({ type: 'null' }, { type: ['integer', 'null'] }, { type: ['boolean', 'null'] })
    .map((schema): Value => ({ type: 'scalar', json: 'null', schema }))
  const leaf = fc.oneof({ weight: 4, arbitrary: strings }, ...plain, nothing)
  if (depth === 0) return leaf
  const inner = fc.array(drawnValue(strings, depth - 1), { maxLength: 3 })
  const object = inner.map((members): Value => ({ type: 'object', members }))
  // The items of an array are of one type.
  const items = [strings, scalar('integer'), object].map((item) => fc.array(item, { maxLength: 3 }))
  const array = fc.oneof(...items).map((found): Value => ({ type: 'array', items: found }))
  return fc.oneof({ weight: 4, arbitrary: leaf }, object, array)
}

/** Gives each part, tool and key a unique word, by which it is found in a template's output. */
class Naming {
  #count = 0

  next(): string {
    return `zq${++this.#count}z`
  }

  typed(value: Value): { json: string; schema: JsonObject } {
    if (value.type === 'scalar') return value
    if (value.type === 'array') {
      const items = value.items.map((item) => this.typed(item))
      const schema = items.map((item) => item.schema).reduce(both, {})
      return { json: `[${items.map(({ json }) => json).join(',')}]`, schema: { type: 'array', items: schema } }
    }
    const members = value.members.map((member) => {
      const { json, schema } = this.typed(member)
      return { key: `${this.next()}_k`, json, schema: { ...schema, description: 'A value.' } }
    })
    return {
      json: `{${members.map(({ key, json }) => `"${key}":${json}`).join(',')}}`,
      schema: { type: 'object', properties: Object.fromEntries(members.map(({ key, schema }) => [key, schema])) },
    }
  }
}

/** The schema of items that are of one type; objects have no key in common. */
function both(one: JsonObject, other: JsonObject): JsonObject {
  if (typeof one.properties !== 'object' || typeof other.properties !== 'object') return other
  return { ...one, properties: { ...one.properties, ...other.properties } }
}

function wordsOf(fragments: readonly string[], between: string): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...fragments), { maxLength: 4 }).map((found) => found.join(between))
}

/** Messages for a template: with or without reasoning and text, and up to three calls. */
export function messages(dialect: TemplateDialect): fc.Arbitrary<Message> {
  const own = ownMarks(dialect)
  const fragments = [...stringFragments.filter((one) => !isOwn(one, dialect)), ...own]
  // A delimiter of strings may be any character.
  const written = sample(dialect)
  const graphemes = fc
    .string({ unit: 'grapheme', maxLength: 12 })
    .map((drawn) => [...drawn].filter((one) => one < '\u0080' || !written.includes(one)).join(''))
  const text = fc.oneof(wordsOf(fragments, ''), graphemes)
  const strings = text.map((one): Value => ({ type: 'scalar', json: JSON.stringify(one), schema: { type: 'string' } }))
  const said = fc.option(wordsOf(textFragments, ' '), { nil: undefined })
  const calls = fc.array(fc.array(drawnValue(strings, 2), { maxLength: 4 }), { maxLength: 3 })
  return fc.tuple(said, said, calls).map(([reasoning, text, drawn]) => {
    const naming = new Naming()
    // One tool is offered and not called.
    const tools: Tool[] = [
      { name: naming.next(), description: 'Does nothing.', schema: { type: 'object', properties: {} } },
    ]
    const parts: AssistantPart[] = []
    if (reasoning !== undefined) parts.push({ type: 'reasoning', text: `${naming.next()} ${reasoning}.` })
    if (text !== undefined || (reasoning === undefined && drawn.length === 0))
      parts.push({ type: 'text', text: `${naming.next()} ${text ?? ''}.` })
    for (const members of drawn) {
      const name = `${naming.next()}_tool`
      const { json, schema } = naming.typed({ type: 'object', members })
      tools.push({ name, description: 'A tool.', schema })
      parts.push({ type: 'call', id: `call_${naming.next()}`, name, arguments: json })
    }
    return { parts, tools }
  })
}

/** A call with a string that needs escapes in JSON, beside reasoning and text. */
function sample(dialect: TemplateDialect): string {
  const tool: Tool = {
    name: 'f',
    description: '',
    schema: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } } },
  }
  const call = { type: 'call' as const, id: 'call_1', name: 'f', arguments: '{"a":"zq\\"zq\\nzq","b":1}' }
  const said: AssistantPart[] = [
    { type: 'reasoning', text: 'Why.' },
    { type: 'text', text: 'So.' },
  ]
  return dialect.renderReply([...said, call], [tool]) ?? dialect.renderReply([call], [tool]) ?? ''
}

/**
 * A string that is written unchanged cannot contain the format's own marks, because readers could not distinguish them.
 * If keys are tags, any tag may be one.
 */
function isOwn(fragment: string, dialect: TemplateDialect): boolean {
  const { frame, reasoning } = dialect.analysis
  const written = sample(dialect)
  if (/<a>zq"/.test(written) && /<\/?\w/.test(fragment)) return true
  const own = [written, ...frame.ends, reasoning.open, reasoning.close].join('\n')
  return fragment.split(/\s/).some((word) => /^[<[>`].*\w/.test(word) && own.includes(word))
}

/**
 * The marks that strings of arguments may contain if the arguments are one JSON object: all text that the model writes
 * for a call. A closing marker of reasoning is excluded, because it ends reasoning anywhere if calls follow without it.
 */
function ownMarks(dialect: TemplateDialect): string[] {
  const written = sample(dialect)
  const { close } = dialect.analysis.reasoning
  if (!/zq\\+"zq\\+nzq/.test(written) || !/"b\\*": *1/.test(written)) return []
  const marks = [written, ...unprintable, ...(written.match(/<[^<>]*>|\[[^[\]]*\]|```\w*|"}|\n[^\n]+/g) ?? [])]
  return marks.filter((mark) => close === '' || !mark.includes(close.trim()))
}

/**
 * The parts of a message that the template shows: parts that it leaves out cannot be read, and some templates show a
 * text as reasoning.
 */
export function shownOf(parts: readonly AssistantPart[], written: string, dialect: TemplateDialect): Shown {
  const shown: Shown = { reasoning: '', text: '', calls: [] }
  for (const part of parts) {
    const [nonce = ''] = /zq\d+z/.exec(part.type === 'call' ? part.name : part.text) ?? []
    const at = written.indexOf(nonce)
    if (at < 0) continue
    if (part.type === 'call') {
      shown.calls.push({ name: part.name, arguments: comparable(part.arguments, written) })
      continue
    }
    const isThought = part.type === 'reasoning' || isInReasoning(written.slice(0, at), dialect.analysis.reasoning)
    shown[isThought ? 'reasoning' : 'text'] += part.text
  }
  return shown
}

/** JSON as a value in which integers keep all their digits; without members that are null and not in the text, if one is given. */
export function comparable(json: string, written?: string): unknown {
  const marked = json.replace(/"((?:[^"\\]|\\.)*)"(\s*:)?|-?\d[\d.eE+-]*/g, (token, text, colon) => {
    if (colon !== undefined) return token
    if (token.startsWith('"')) return `"s${text}"`
    return `"n${/^-?\d+$/.test(token) ? token : Number(token)}"`
  })
  const value: unknown = JSON.parse(marked, (key, member: unknown) =>
    member === null && written !== undefined && !written.includes(key) ? undefined : member,
  )
  return value
}
