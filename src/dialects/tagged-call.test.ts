import { describe, it } from 'vitest'
import { promptContext } from '../../test/support/dialects/replies.ts'
import { expectReading, type Short, tool } from '../../test/support/dialects/tables.ts'
import { toolify } from './prompt/toolify.ts'

const tools = [
  tool('w', { 'c!': 'string', n: 'integer', o: 'object', list: 'array', maybe: ['string', 'null'] }),
  { name: 'any', description: '', schema: {} },
]
const trigger = promptContext.trigger
const start = trigger.length

/** The texts after the trigger; places in them are counted from there. */
const cases: Record<string, [text: string, expected: Short[]]> = {
  'strings as they stand': [
    '<invoke name="w"><parameter name="c"> C:\\new "x" &lt; 01 </parameter></invoke>',
    [{ call: 'w', json: '{"c":" C:\\\\new \\"x\\" &lt; 01 "}' }],
  ],
  'one line break next to each tag': [
    '\n<invoke name="w">\n<parameter name="c">\n\na\r\n\r\n</parameter>\n</invoke>\n',
    [{ call: 'w', json: '{"c":"\\na\\r\\n"}' }],
  ],
  'a carriage return that is no line break': [
    '<invoke name="w"><parameter name="c">a\r</parameter></invoke>',
    [{ call: 'w', json: '{"c":"a\\r"}' }],
  ],
  'values by their schema': [
    '<invoke name="w"><parameter name="c">5</parameter><parameter name="n"> 5 </parameter><parameter name="o">{"a": [1]}</parameter><parameter name="list">[1]</parameter><parameter name="maybe">null</parameter></invoke>',
    [{ call: 'w', json: '{"c":"5","n":5,"o":{"a": [1]},"list":[1],"maybe":null}' }],
  ],
  'values without a schema': [
    '<invoke name="any"><parameter name="a">01</parameter><parameter name="b">42</parameter><parameter name="c">true</parameter><parameter name="d"> x </parameter></invoke>',
    [{ call: 'any', json: '{"a":"01","b":42,"c":true,"d":"x"}' }],
  ],
  'a quoted string': [
    '<invoke name="w"><parameter name="c"> "a\\nb" </parameter></invoke>',
    [
      { call: 'w', json: '{"c":"a\\nb"}' },
      { notice: 'retyped', at: [37, 37] },
    ],
  ],
  'a string that only begins with a quotation': [
    '<invoke name="w"><parameter name="c">"a" and "b"</parameter></invoke>',
    [{ call: 'w', json: '{"c":"\\"a\\" and \\"b\\""}' }],
  ],
  'blanks too many to be looked after': [
    `<invoke name="w"><parameter name="c">${' '.repeat(70)}"a"</parameter></invoke>`,
    [{ call: 'w', json: `{"c":"${' '.repeat(70)}\\"a\\""}` }],
  ],
  'a value of another type': [
    '<invoke name="w"><parameter name="c">x</parameter><parameter name="n">five</parameter></invoke>',
    [
      { call: 'w', json: '{"c":"x","n":"five"}' },
      { notice: 'retyped', at: [70, 70] },
    ],
  ],
  'closing tags in a value': [
    '<invoke name="w"><parameter name="c">a </parameter> b </invoke> c</parameter></invoke>',
    [{ call: 'w', json: '{"c":"a </parameter> b </invoke> c"}' }],
  ],
  'a value that ends like a tag': [
    '<invoke name="w"><parameter name="c">a < 5 </par\n</parameter></invoke>',
    [{ call: 'w', json: '{"c":"a < 5 </par\\n"}' }],
  ],
  'a missing closing tag of an argument': [
    '<invoke name="w"><parameter name="c">a\n</invoke>',
    [{ call: 'w', json: '{"c":"a"}' }],
  ],
  'a missing closing tag of a call': [
    '<invoke name="w"><parameter name="c">a</parameter>\n<invoke name="any"></invoke>',
    [
      { call: 'w', json: '{"c":"a"}' },
      { notice: 'repaired', at: [51, 51] },
      { call: 'any', json: '{}' },
    ],
  ],
  'a call without all that it needs and without an end': [
    '<invoke name="w"><parameter name="n">1</parameter>',
    [
      { call: 'w', json: '{"n":1', incomplete: true },
      { notice: 'incomplete-call', at: [0, 50] },
    ],
  ],
  'an argument that comes twice': [
    '<invoke name="w"><parameter name="c">a</parameter><parameter name="c">b</parameter></invoke>',
    [
      { call: 'w', json: '{"c":"a","c":"b"}' },
      { notice: 'duplicate-argument', at: [50, 50] },
    ],
  ],
  'tags as models vary them': [
    '<INVOKE id=1 Name = \'w\' >\n<parameter string="true" name=c>a</Parameter ></invoke\n>',
    [{ call: 'w', json: '{"c":"a"}' }],
  ],
  'tags that close themselves': [
    '<invoke name="w"><parameter name="c"/></invoke><invoke name="any" />',
    [
      { call: 'w', json: '{"c":""}' },
      { call: 'any', json: '{}' },
    ],
  ],
  'arguments as one object': [
    '<invoke name="w">\n{"c": 5, "n": "7",}\n</invoke>',
    [
      { call: 'w', json: '{"c":"5","n":7}' },
      { notice: 'retyped', at: [24, 24] },
      { notice: 'retyped', at: [32, 32] },
      { notice: 'repaired', at: [36, 36] },
    ],
  ],
  'arguments as one object without its end': [
    '<invoke name="w">{"c": "x"\n</invoke>',
    [
      { call: 'w', json: '{"c":"x"}' },
      { notice: 'repaired', at: [27, 27] },
    ],
  ],
  'prose after the opening tag': [
    '<invoke name="w"> is the tag.',
    [{ call: 'w', json: '', incomplete: true }, { notice: 'incomplete-call', at: [0, 18] }, 'is the tag.'],
  ],
  'a tag without a name': [
    '<invoke>x',
    [{ notice: 'broken-call', at: [0, 1] }, '<invoke>x', { notice: 'trigger-without-call', at: [-start, 0] }],
  ],
  'another word': ['<invoker name="w">', ['<invoker name="w">', { notice: 'trigger-without-call', at: [-start, 0] }]],
  'an opener inside an opener': [
    '<invoke <invoke name="any"></invoke>',
    [{ notice: 'broken-call', at: [0, 1] }, '<invoke', { call: 'any', json: '{}' }],
  ],
  'a call that is not offered': [
    '<invoke name="nope"><parameter name="c">`a\n```</parameter></invoke>\n<invoke name="any"></invoke>',
    [
      '<invoke name="nope"><parameter name="c">`a\n```</parameter></invoke>',
      { notice: 'unknown-tool', at: [0, 67] },
      { call: 'any', json: '{}' },
    ],
  ],
}

describe('tagged calls', () => {
  it.each(Object.entries(cases))('reads %s', (_name, [text, expected]) => {
    expectReading(toolify, trigger + text, expected.map(shift), { tools })
  })
})

/** The same with places counted from the reply's beginning. */
function shift(short: Short): Short {
  return typeof short === 'object' && 'at' in short
    ? { notice: short.notice, at: [short.at[0] + start, short.at[1] + start] }
    : short
}
