import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lawRuns } from '../../../test/support/draws.ts'
import { cutAt, readPieces as read } from '../../../test/support/json/reading.ts'
import { type Repair, repairs } from '../sink.ts'
import { JsonText } from '../text.ts'
import { JsonReader } from './reader.ts'

/** Repairs that depend on the sink. */
const bySink = ['missing-array', 'missing-value', 'quoted-object', 'listed-object'] as const satisfies Repair[]
/** Repairs that a format's delimiters need. */
const withDelimiters = ['surplus-quote'] as const satisfies Repair[]

const repaired: Record<
  Exclude<Repair, (typeof bySink | typeof withDelimiters)[number]>,
  [text: string, json: string][]
> = {
  'single-quotes': [
    ["{'a': 'it\\'s'}", '{"a":"it\'s"}'],
    ["{'a': 'say \"x\"'}", '{"a":"say \\"x\\""}'],
  ],
  'triple-quotes': [['{"a": """say "x"\n""", "b": ""}', '{"a":"say \\"x\\"\\n","b":""}']],
  'bare-key': [['{a: 1, $b.c-d: 2}', '{"a":1,"$b.c-d":2}']],
  'bare-string': [
    ['{"a": Paris}', '{"a":"Paris"}'],
    ['{"zip": 01234}', '{"zip":"01234"}'],
  ],
  'python-literal': [['[True, False, None]', '[true,false,null]']],
  'no-value': [['{"a": [NaN, Infinity, -Infinity], "b": undefined}', '{"a":[null,null,null],"b":null}']],
  'smart-quotes': [
    ['{“a”: “x”, „b“: ‘y’, ”c”: 1}', '{"a":"x","b":"y","c":1}'],
    ['{“a”: “say "hi"”}', '{"a":"say \\"hi\\""}'],
  ],
  'full-width': [
    ['｛"a"："x", "b": ［1，2］｝', '{"a":"x","b":[1,2]}'],
    ['{＂a＂：＂x＂，＂b＂：＂y＂}', '{"a":"x","b":"y"}'],
  ],
  'escaped-quotes': [
    ['{\\"name\\": \\"f\\", \\"n\\": [1, \\"a\\\\nb \\\\\\"c\\\\\\"\\"]}', '{"name":"f","n":[1,"a\\nb \\"c\\""]}'],
    ['{\\n  \\"a\\": 1\\n}', '{"a":1}'],
    [
      '{"name": "f", "arguments": {\\"a\\": {\\"b\\": \\"C:\\\\\\\\x\\"}}, "n": 1}',
      '{"name":"f","arguments":{"a":{"b":"C:\\\\x"}},"n":1}',
    ],
  ],
  'missing-quote': [
    ['{name": "f", b": 1}', '{"name":"f","b":1}'],
    ['{"name: "f", "b: {"c: 1, "d: ["x"]}}', '{"name":"f","b":{"c":1,"d":["x"]}}'],
    ['{"city": Paris", "n": 1}', '{"city":"Paris","n":1}'],
  ],
  'doubled-brace': [
    ['{{"name": "f", "arguments": {{"a": 1}}}}', '{"name":"f","arguments":{"a":1}}'],
    ['{{"a": {{"b": [{{}}]}} }}', '{"a":{"b":[{}]}}'],
  ],
  'number-form': [['[+5, .5, 5., -.5, 1_000]', '[5,0.5,5,-0.5,1000]']],
  'trailing-comma': [
    ['{"a": [1, 2,],}', '{"a":[1,2]}'],
    ['[1,, 2]', '[1,2]'],
  ],
  'missing-comma': [
    ['{"a": 1 "b": 2}', '{"a":1,"b":2}'],
    ['{"a": "x"\n "b": 2}', '{"a":"x","b":2}'],
    ['{"a": "x" "b": "y"}', '{"a":"x","b":"y"}'],
    ['[{"a": 1} {"b": 2}]', '[{"a":1},{"b":2}]'],
  ],
  'missing-colon': [
    ['{"a" = 1}', '{"a":1}'],
    ['{"a" "x", "b" {"c" [1]}}', '{"a":"x","b":{"c":[1]}}'],
    ['{"a" => 1}', '{"a":1}'],
  ],
  'control-character': [['{"a": "x\n\ty"}', '{"a":"x\\n\\ty"}']],
  'invalid-escape': [
    [`{"a": "it\\'s"}`, '{"a":"it\'s"}'],
    ['{"a": "\\$x \\d"}', '{"a":"\\\\$x \\\\d"}'],
    ['{"path": "C:\\Users\\me"}', '{"path":"C:\\\\Users\\\\me"}'],
    ['{"a": "\\u12 \\uzz"}', '{"a":"\\\\u12 \\\\uzz"}'],
  ],
  'inner-quote': [
    ['{"a": "say "hi" to him"}', '{"a":"say \\"hi\\" to him"}'],
    ['{"a": "<b class="x">y"}', '{"a":"<b class=\\"x\\">y"}'],
    ['{"a": "is "<b>" bold"}', '{"a":"is \\"<b>\\" bold"}'],
    ['{"a"b": 1}', '{"a\\"b":1}'],
  ],
  'missing-closer': [
    ['{"a": [1, {"b": 2}', '{"a":[1,{"b":2}]}'],
    ['{"a": ["x", "b": 2}', '{"a":["x"],"b":2}'],
  ],
  'surplus-closer': [
    ['{"a": 1]}', '{"a":1}'],
    ['{"a": {"b": 1]}}', '{"a":{"b":1}}'],
  ],
  comment: [
    ['{"a": 1, # one\n "b": 2 # two\n}', '{"a":1,"b":2}'],
    ['{"a": "x" // one\n}', '{"a":"x"}'],
    ['{"a": 1, // one\n "b": /* two */ 2}', '{"a":1,"b":2}'],
  ],
}

describe('JsonReader', () => {
  it.each(Object.entries(repaired).flatMap(([repair, cases]) => cases.map((one) => [repair, ...one] as const)))(
    'repairs %s: %s',
    (repair, text, json) => {
      for (const pieces of [[text], text.split('')]) {
        const result = read(pieces, {}, true)
        expect(result.json).toBe(json)
        expect(new Set(result.repairs.map(([name]) => name))).toEqual(new Set([repair]))
      }
    },
  )

  it('has a text for people and a case here for every repair', () => {
    // The brackets of a list are the writer's to add: its tests have the cases, and those of delimiters theirs.
    expect([...Object.keys(repaired), ...bySink, ...withDelimiters].sort()).toEqual(Object.keys(repairs).sort())
  })

  it.each([
    ['big integers', '{"id":12345678901234567890123,"f":1.10,"e":1E+5,"z":-0}'],
    ['escapes', '["\\u00e9\\ud83d\\ude00\\/\\b\\"\\\\"]'],
    ['a key that is no prototype', '{"__proto__":{"x":1},"constructor":null}'],
    ['typographic and full-width characters in strings', '{"a":"it’s “x”，｛y｝：＂z＂","“k”":"‘"}'],
    ['empty things', '{"":"","a":[],"o":{}}'],
  ])('passes %s through as they stand', (_name, text) => {
    expect(read([text])).toEqual({ json: text, status: 'done', end: text.length, repairs: [] })
  })

  it.each([
    ['a word for a value at the top', 'Paris'],
    ['prose after a member', '{"a": 1 and b'],
    ['two words for a value, without an end', '{"city": New York { a'],
    ['words in an array with a quote after them', '["a "b", c", "d"]'],
    ['a value that is missing', '{"a": }'],
    ['digits with commas', '{"n": 1,000}'],
    ['a member after a bracket of the wrong kind', '{"a": {"b": 1], "c": 2}'],
    ['objects for keys, where the sink takes no list', '{"a": {"b": 1}, {"b": 2}}'],
    ['a quote after a number', '{"a": 12" x}'],
  ])('does not guess at %s', (_name, text) => {
    for (const pieces of [[text], text.split('')]) expect(read(pieces).status).toBe('stopped')
  })

  it.each(['{"a": "x', '{"a"', '{"a":', '{"a": "x "y", z'])('does not close %s', (text) => {
    expect(read([text], {}, true).status).not.toBe('done')
  })

  it.each<[text: string, repairs: [Repair, number][]]>([
    [
      "{'a': 1,}",
      [
        ['single-quotes', 1],
        ['trailing-comma', 8],
      ],
    ],
    [
      '｛“a”：1｝',
      [
        ['full-width', 0],
        ['smart-quotes', 1],
        ['full-width', 4],
        ['full-width', 6],
      ],
    ],
    [
      '{"a": "x "y" z"}',
      [
        ['inner-quote', 9],
        ['inner-quote', 11],
      ],
    ],
    [
      '{"f": {\\"a\\": tru, \\"b\\": NaN}}',
      [
        ['escaped-quotes', 7],
        ['bare-string', 14],
        ['no-value', 26],
      ],
    ],
    [
      '{{"a": 1',
      [
        ['doubled-brace', 1],
        ['missing-closer', 8],
      ],
    ],
  ])('says where it repaired %s', (text, found) => {
    for (const pieces of [[text], text.split('')]) {
      const { repairs: emitted } = read(pieces, {}, true)
      expect(emitted.sort((a, b) => a[1] - b[1])).toEqual(found)
    }
  })

  it.each([
    ['{"a": "x', '{"a":"x"}'],
    ['{"a": ["x', '{"a":["x"]}'],
    ['"x', '"x"'],
  ])('closes the open string of %s when it is told to', (text, json) => {
    let written = ''
    const emitted: string[] = []
    const sink = new JsonText((piece) => (written += piece))
    sink.repaired = (repair) => emitted.push(repair)
    const reader = new JsonReader(sink)
    reader.read(text, 0, true)
    expect(reader.close(text.length)).toBe(false)
    expect(reader.close(text.length, true)).toBe(true)
    expect(written).toBe(json)
    expect(emitted[0]).toBe('missing-quote')
  })

  it('does not close a key', () => {
    const reader = new JsonReader(new JsonText(() => {}))
    reader.read('{"a', 0, true)
    expect(reader.close(3, true)).toBe(false)
  })

  it('reads one of several objects, and the place where the next begins', () => {
    expect(read(['{"a":1}{"b":2}'])).toMatchObject({ json: '{"a":1}', status: 'done', end: 7 })
  })

  it('does not cut a character in half', () => {
    const pieces: string[] = []
    const reader = new JsonReader(new JsonText((piece) => pieces.push(piece)))
    const end = reader.read('["\ud83d', 0, false)
    reader.read('\ud83d\ude00"]', 0, true)
    expect(end).toBe(2)
    expect(pieces).toContain('\ud83d\ude00')
  })

  it('stops after white space, where a closing tag may stand', () => {
    const text = '{"a": {"b": 1}   \n</x>'
    for (const pieces of [[text], text.split('')]) {
      expect(read(pieces)).toMatchObject({ status: 'stopped', end: text.indexOf('</x>') })
    }
  })

  it('reads to a depth, and no deeper', () => {
    expect(read(['['.repeat(200) + ']'.repeat(200)]).status).toBe('done')
    expect(read(['['.repeat(201)]).status).toBe('stopped')
  })

  it('passes any JSON through in any pieces', () => {
    fc.assert(
      fc.property(fc.json(), fc.array(fc.nat(), { maxLength: 5 }), (text, cuts) => {
        const { json, repairs: found } = read(cutAt(text, cuts))
        expect(JSON.parse(json)).toEqual(JSON.parse(text))
        expect(found).toEqual([])
      }),
    )
  })

  it('reads garbage alike in any pieces', () => {
    const words = [
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      ',',
      ':',
      '=',
      '=>',
      '\\',
      '\\u0',
      'a',
      '1',
      ' ',
      '\n',
      '</',
      '<',
      '/*',
      '*/',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 30 }), (parts) => {
        const text = `{${parts.join('')}`
        const whole = read([text])
        expect(read(text.split(''))).toEqual(whole)
        if (whole.status === 'done') expect(() => JSON.parse(whole.json)).not.toThrow()
      }),
      { numRuns: 60 * lawRuns },
    )
  })

  it.each([
    ['after a quote', `{"a": "x"${' '.repeat(1500)}y"}`],
    ['in a key', `{${'k'.repeat(1500)}: 1}`],
    ['in a word', `{"a": ${'1'.repeat(1500)}}`],
  ])('reads what is longer than it holds %s alike in any pieces', (_name, text) => {
    expect(read(text.split(''))).toEqual(read([text]))
  })
})
