import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonReader, type JsonStatus } from './reader.ts'
import { type Repair, repairs } from './sink.ts'
import { JsonText } from './text.ts'

interface Read {
  json: string
  status: JsonStatus
  /** The place up to which the text was read. */
  end: number
  repairs: [Repair, number][]
}

function read(pieces: readonly string[], isClosed = false): Read {
  let json = ''
  const found: [Repair, number][] = []
  const sink = new JsonText((piece) => {
    json += piece
  })
  sink.repaired = (repair, offset) => {
    found.push([repair, offset])
  }
  const reader = new JsonReader(sink)
  let base = 0
  let text = ''
  let place = 0
  for (const [index, piece] of pieces.entries()) {
    text = text.slice(place) + piece
    base += place
    place = reader.read(text, 0, index === pieces.length - 1, base)
  }
  if (isClosed) reader.close(place)
  return { json, status: reader.status, end: base + place, repairs: found }
}

const repaired: Record<Repair, [text: string, json: string][]> = {
  'single-quotes': [
    ["{'a': 'it\\'s'}", '{"a":"it\'s"}'],
    ["{'a': 'say \"x\"'}", '{"a":"say \\"x\\""}'],
  ],
  'bare-key': [['{a: 1, $b.c-d: 2}', '{"a":1,"$b.c-d":2}']],
  'bare-string': [
    ['{"a": Paris}', '{"a":"Paris"}'],
    ['{"zip": 01234}', '{"zip":"01234"}'],
  ],
  'python-literal': [['[True, False, None, undefined, NaN]', '[true,false,null,null,null]']],
  'number-form': [['[+5, .5, 5., -.5, 1_000]', '[5,0.5,5,-0.5,1000]']],
  'trailing-comma': [
    ['{"a": [1, 2,],}', '{"a":[1,2]}'],
    ['[1,, 2]', '[1,2]'],
  ],
  'missing-comma': [
    ['{"a": 1 "b": 2}', '{"a":1,"b":2}'],
    ['{"a": "x"\n "b": 2}', '{"a":"x","b":2}'],
    ['[{"a": 1} {"b": 2}]', '[{"a":1},{"b":2}]'],
  ],
  'missing-colon': [
    ['{"a" = 1}', '{"a":1}'],
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
  'missing-closer': [['{"a": [1, {"b": 2}', '{"a":[1,{"b":2}]}']],
  'surplus-closer': [['{"a": 1]}', '{"a":1}']],
  comment: [['{"a": 1, // one\n "b": /* two */ 2}', '{"a":1,"b":2}']],
}

describe('JsonReader', () => {
  it.each(Object.entries(repaired).flatMap(([repair, cases]) => cases.map((one) => [repair, ...one] as const)))(
    'repairs %s: %s',
    (repair, text, json) => {
      for (const pieces of [[text], text.split('')]) {
        const result = read(pieces, true)
        expect(result.json).toBe(json)
        expect(new Set(result.repairs.map(([name]) => name))).toEqual(new Set([repair]))
      }
    },
  )

  it('has a text for people and a case here for every repair', () => {
    expect(Object.keys(repaired).sort()).toEqual(Object.keys(repairs).sort())
  })

  it.each([
    ['big integers', '{"id":12345678901234567890123,"f":1.10,"e":1E+5,"z":-0}'],
    ['escapes', '["\\u00e9\\ud83d\\ude00\\/\\b\\"\\\\"]'],
    ['a key that is no prototype', '{"__proto__":{"x":1},"constructor":null}'],
    ['empty things', '{"":"","a":[],"o":{}}'],
  ])('passes %s through as they stand', (_name, text) => {
    expect(read([text])).toEqual({ json: text, status: 'done', end: text.length, repairs: [] })
  })

  it.each([
    ['a word for a value at the top', 'Paris'],
    ['prose behind a member', '{"a": 1 and b'],
    ['two words for a value', '{"city": New York}'],
    ['words in an array with a quote behind them', '["a "b", c", "d"]'],
    ['a value that is missing', '{"a": }'],
    ['digits with commas', '{"n": 1,000}'],
    ['a quote behind a number', '{"a": 12" x}'],
  ])('does not guess at %s', (_name, text) => {
    for (const pieces of [[text], text.split('')]) expect(read(pieces).status).toBe('stopped')
  })

  it.each(['{"a": "x', '{"a"', '{"a":', '{"a": "x "y", z'])('does not close %s', (text) => {
    expect(read([text], true).status).not.toBe('done')
  })

  it('stops behind white space, where a closing tag may stand', () => {
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
        const places = [...cuts.map((cut) => cut % (text.length + 1)), text.length].sort((a, b) => a - b)
        const pieces = places.map((end, index) => text.slice(places[index - 1] ?? 0, end))
        const { json, repairs: found } = read(pieces)
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
      { numRuns: 1000 },
    )
  })

  it.each([
    ['behind a quote', `{"a": "x"${' '.repeat(1500)}y"}`],
    ['in a key', `{${'k'.repeat(1500)}: 1}`],
    ['in a word', `{"a": ${'1'.repeat(1500)}}`],
  ])('reads what is longer than it holds %s alike in any pieces', (_name, text) => {
    expect(read(text.split(''))).toEqual(read([text]))
  })
})
