import { describe, it } from 'vitest'
import { expectReading, type Short, tool } from '../../test/support/dialects/tables.ts'
import { toolCallJson } from './prompt/tool-call-json.ts'

const tools = [tool('w', { c: 'string', n: 'integer', o: 'object' }), { name: 'any', description: '', schema: {} }]
const repaired = (at: number): Short => ({ notice: 'repaired', at: [at, at] })

const cases: Record<string, [text: string, expected: Short[]]> = {
  'a call as it should be': [
    '<TOOL_CALL>\n{"name": "w", "input": {"c": "x", "n": 5}}\n</TOOL_CALL>\n',
    [{ call: 'w', json: '{"c":"x","n":5}' }],
  ],
  'other keys for name and arguments': [
    '<TOOL_CALL>{"tool": "w", "id": "1", "args": {"c": "x"}}</TOOL_CALL>',
    [{ call: 'w', json: '{"c":"x"}' }],
  ],
  'a call inside "function"': [
    '<TOOL_CALL>{"type": "function", "function": {"name": "w", "arguments": "{\\"n\\": \\"5\\"}"}}</TOOL_CALL>',
    [
      { call: 'w', json: '{"n":5}' },
      { notice: 'retyped', at: [71, 71] },
    ],
  ],
  'arguments before the name': [
    '<TOOL_CALL>{"input": {"c": 5, "o": {"name": "x"}}, "name": "w"}</TOOL_CALL>',
    [
      { call: 'w', json: '{"c":"5","o":{"name":"x"}}' },
      { notice: 'retyped', at: [21, 21] },
    ],
  ],
  'no arguments': ['<TOOL_CALL>{"name": "any"}</TOOL_CALL>', [{ call: 'any', json: '{}' }]],
  'null for arguments': ['<TOOL_CALL>{"name": "any", "input": null}</TOOL_CALL>', [{ call: 'any', json: '{}' }]],
  'an empty text for arguments': ['<TOOL_CALL>{"name": "any", "input": ""}</TOOL_CALL>', [{ call: 'any', json: '{}' }]],
  'arguments that are no object': [
    '<TOOL_CALL>{"name": "any", "input": [1, {"a": 2}]}</TOOL_CALL> x',
    [{ call: 'any', json: '', incomplete: true }, { notice: 'incomplete-call', at: [0, 50] }, 'x'],
  ],
  'a member that means nothing': [
    '<TOOL_CALL>{"name": "any", "city": "x", "input": {}}</TOOL_CALL>',
    [
      { call: 'any', json: '{}' },
      { notice: 'ignored-member', at: [27, 27] },
    ],
  ],
  'arguments beside the name': [
    '<TOOL_CALL>{"name": "w", "type": "function", "c": 5, "o": {"a": ["x"], "content": "y"}, "z": 1}</TOOL_CALL>',
    [
      { call: 'w', json: '{"c":"5","o":{"a":["x"],"content":"y"}}' },
      { notice: 'ignored-member', at: [88, 88] },
      repaired(45),
      { notice: 'retyped', at: [45, 45] },
    ],
  ],
  'arguments, and others beside the name': [
    '<TOOL_CALL>{"name": "w", "c": "x", "input": {"c": "y"}}</TOOL_CALL>',
    [
      { call: 'w', json: '{"c":"y"}' },
      { notice: 'ignored-member', at: [25, 25] },
    ],
  ],
  'an argument that comes twice': [
    '<TOOL_CALL>{"name": "any", "input": {"a": 1, "a": 2}}</TOOL_CALL>',
    [
      { call: 'any', json: '{"a":1,"a":2}' },
      { notice: 'duplicate-argument', at: [45, 45] },
    ],
  ],
  'a value of another type, at its beginning': [
    `<TOOL_CALL>{"name": "w", "input": {"n": "${' '.repeat(30)}5"}}</TOOL_CALL>`,
    [
      { call: 'w', json: '{"n":5}' },
      { notice: 'retyped', at: [40, 40] },
    ],
  ],
  'closing tags in a string': [
    '<TOOL_CALL>{"name": "w", "input": {"c": "a </TOOL_CALL> <TOOL_CALL>{} b"}}</TOOL_CALL>',
    [{ call: 'w', json: '{"c":"a </TOOL_CALL> <TOOL_CALL>{} b"}' }],
  ],
  'a tag with more in it, in another case': [
    '<tool_call id="1">{"name": "any"}</Tool_Call \n>',
    [{ call: 'any', json: '{}' }],
  ],
  'brackets too few before the closing tag': [
    '<TOOL_CALL>{"name": "any", "input": {"a": [1]\n</TOOL_CALL>',
    [{ call: 'any', json: '{"a":[1]}' }, repaired(46), repaired(46)],
  ],
  'brackets too many': [
    '<TOOL_CALL>{"name": "any", "input": {}}}\n]</TOOL_CALL>',
    [{ call: 'any', json: '{}' }, repaired(39)],
  ],
  'no closing tag at the end': [
    '<TOOL_CALL>{"name": "any", "input": {}}\n',
    [{ call: 'any', json: '{}' }, repaired(40)],
  ],
  'no closing tag before the next call': [
    '<TOOL_CALL>{"name": "any", "input": {}\n<TOOL_CALL>{"name": "w"}</TOOL_CALL>',
    [{ call: 'any', json: '{}' }, repaired(39), repaired(39), { call: 'w', json: '{}' }],
  ],
  'a comma before the next call': [
    '<TOOL_CALL>{"name": "any", "input": {"a": 1,\n<TOOL_CALL>{"name": "w"}</TOOL_CALL>',
    [
      { call: 'any', json: '{"a":1', incomplete: true },
      { notice: 'incomplete-call', at: [0, 45] },
      { call: 'w', json: '{}' },
    ],
  ],
  'an end after a comma': [
    '<TOOL_CALL>{"name": "any", "input": {"a": 1,',
    [
      { call: 'any', json: '{"a":1', incomplete: true },
      { notice: 'incomplete-call', at: [0, 44] },
    ],
  ],
  'an end in a string': [
    '<TOOL_CALL>{"name": "w", "input": {"c": "x}}</TOOL_CALL>',
    [
      { call: 'w', json: '{"c":"x"}' },
      { notice: 'repaired', at: [42, 42] },
    ],
  ],
  'an end in a string, with a bracket of its own': [
    '<TOOL_CALL>{"name": "w", "input": {"c": "x}</TOOL_CALL>',
    [
      { call: 'w', json: '{"c":"x}</TOOL_CALL>', incomplete: true },
      { notice: 'incomplete-call', at: [0, 55] },
    ],
  ],
  'an end in a string, with more after it': [
    '<TOOL_CALL>{"name": "w", "input": {"c": "x}}</TOOL_CALL> and',
    [
      { call: 'w', json: '{"c":"x}}</TOOL_CALL> and', incomplete: true },
      { notice: 'incomplete-call', at: [0, 60] },
    ],
  ],
  'a mention': ['Use <TOOL_CALL> tags.', ['Use ', { notice: 'broken-call', at: [4, 5] }, '<TOOL_CALL> tags.']],
  'an object without a name': [
    '<TOOL_CALL>{"input": {}}</TOOL_CALL>',
    ['<TOOL_CALL>{"input": {}}</TOOL_CALL>', { notice: 'broken-call', at: [0, 36] }],
  ],
  'a call that is not offered': [
    'Hi\n<TOOL_CALL>{"name": "no", "input": {"c": "```"}}</TOOL_CALL>\n<TOOL_CALL>{"name": "any"}</TOOL_CALL>',
    [
      'Hi\n<TOOL_CALL>{"name": "no", "input": {"c": "```"}}',
      { notice: 'unknown-tool', at: [2, 51] },
      '</TOOL_CALL>',
      { call: 'any', json: '{}' },
    ],
  ],
}

describe('JSON calls', () => {
  it.each(Object.entries(cases))('reads %s', (_name, [text, expected]) => {
    expectReading(toolCallJson, text, expected, { tools })
  })

  it('leaves a call open that the token limit cut', () => {
    const text = '<TOOL_CALL>{"name": "any", "input": {"a": 1}'
    const expected: Short[] = [
      { call: 'any', json: '{"a":1', incomplete: true },
      { notice: 'incomplete-call', at: [0, 44] },
    ]
    expectReading(toolCallJson, text, expected, { tools, reason: 'length' })
  })
})
