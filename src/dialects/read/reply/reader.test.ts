import { describe, expect, it } from 'vitest'
import { promptContext, wrongTrigger } from '../../../../test/support/dialects/replies.ts'
import { expectReading, type Short, tool } from '../../../../test/support/dialects/tables.ts'
import { toolCallJson } from '../../prompt/tool-call-json.ts'
import { toolify } from '../../prompt/toolify.ts'
import { dialects, getDialect } from '../../registry.ts'

const tools = [tool('a'), tool('b')]
const call = (name: string) => `<TOOL_CALL>{"name": "${name}"}</TOOL_CALL>`
const passedOver = (from: number, to: number): Short => ({ notice: 'call-like-text', at: [from, to] })
const read = (name: string): Short => ({ call: name, json: '{}' })

describe('reply reader', () => {
  it.each<[name: string, text: string, expected: Short[]]>([
    ['reasoning at the head', '<think>a</think>\n\nHi', [{ think: 'a' }, 'Hi']],
    ['reasoning on its own lines', '\n<Thinking>\na\nb\n</THINKING>\n\n\n Hi', [{ think: 'a\nb' }, 'Hi']],
    ['empty reasoning', '<think>\n\n</think>\n\nHi', ['Hi']],
    ['reasoning before a call', `<think>a</think>\n${call('a')}`, [{ think: 'a' }, read('a')]],
    ['a call in reasoning', `<think>${call('a')}</think>x`, [{ think: call('a') }, 'x']],
    ['reasoning without an end', '<think>a\n', [{ think: 'a\n' }]],
    ['reasoning after more blanks than a format has', `${' '.repeat(65)}<think>a`, [' ', { think: 'a' }]],
    ['reasoning tags in text', 'A <think>b</think> c', ['A <think>b</think> c']],
    ['much white space after reasoning', `<think>a</think>${' '.repeat(70)}b`, [{ think: 'a' }, `${' '.repeat(70)}b`]],
    ['white space alone', ' \n\n ', []],
    ['white space around text', '\n a \n', ['\n a \n']],
    ['text, calls, text', `Hi\n\n${call('a')}\n\n${call('b')}\nBye`, ['Hi', read('a'), read('b'), '\n\nBye']],
    ['a call after a quotation', `> "x"\n${call('a')}`, ['> "x"', read('a')]],
    ['a call after open inline code', `a \`b\n${call('a')}`, ['a `b', read('a')]],
    ['a call after a fence', `\`\`\`\nx\n\`\`\`\n${call('a')}`, ['```\nx\n```', read('a')]],
  ])('reads %s', (_name, text, expected) => {
    expectReading(toolCallJson, text, expected, { tools })
  })

  it.each<[text: string, expected: Short[]]>([
    ['<think>a</think>\n\n<response>\nHi\n</response>\n', [{ think: 'a' }, 'Hi']],
    ['<think>a</think><response></response>', [{ think: 'a' }]],
    ['<think>a</think><response>Hi', [{ think: 'a' }, 'Hi']],
    ['<think>a</think>Hi <response>b</response>', [{ think: 'a' }, 'Hi <response>b</response>']],
    ['<think>a</think>Hi</response>', [{ think: 'a' }, 'Hi</response>']],
    ['<response>Hi</response>', ['<response>Hi</response>']],
  ])('takes tags around the answer where Granite has them alone: %j', (text, expected) => {
    const granite = getDialect('granite')
    if (!granite) throw new Error('There is no dialect granite.')
    expectReading(granite, text, expected, { tools })
  })

  it.each(dialects.map((dialect) => [dialect.name, dialect] as const))(
    'leaves tags that a client asked for: %s',
    (_, dialect) => {
      const text = '<response>\n<answer>42</answer>\n</response>'
      expectReading(dialect, text, [text], { tools })
    },
  )

  it('reads reasoning that the prompt has opened', () => {
    expectReading(toolCallJson, '\na\n</think>\nHi', [{ think: 'a' }, 'Hi'], { tools, reasoning: 'open' })
  })

  /** The notice of a refused call comes before the marker that closes its block. */
  const refused: Short[] = [
    '<TOOL_CALL>{"name": "no"}',
    { notice: 'unknown-tool', at: [0, '<TOOL_CALL>{"name": "no"}'.length] },
    '</TOOL_CALL>',
  ]

  it.each<[text: string, accept: { callsInReasoning: boolean } | undefined, expected: Short[]]>([
    [`${call('no')}\na</think>Hi`, undefined, [{ think: `${call('no')}\na` }, 'Hi']],
    [`${call('no')}${call('a')}</think>Hi`, undefined, [{ think: `${call('no')}${call('a')}` }, 'Hi']],
    [`${call('no')}</think>${call('a')}`, undefined, [{ think: call('no') }, read('a')]],
    [call('no'), undefined, refused],
    [`${call('a')}</think>Hi`, undefined, [read('a'), 'Hi']],
    [
      `${call('no')}b${call('a')}c</think>Hi`,
      { callsInReasoning: true },
      [...refused, { think: 'b' }, read('a'), { think: 'c' }, 'Hi'],
    ],
  ])('counts a call at the head of reasoning only if its tool is offered: %s', (text, accept, expected) => {
    expectReading(toolCallJson, text, expected, { tools, reasoning: 'open', ...(accept && { accept }) })
  })

  it('takes the marker of reasoning that the prompt has opened already', () => {
    expectReading(toolCallJson, '<think>\na</think>\nHi', [{ think: 'a' }, 'Hi'], { tools, reasoning: 'open' })
    expectReading(toolCallJson, '<b>a</think>\nHi', [{ think: '<b>a' }, 'Hi'], { tools, reasoning: 'open' })
  })

  it('calls nothing in the rest of a broken call but what begins a line or follows its closing tag', () => {
    const first: Short[] = [
      { call: 'a', json: '{"k":"y"', incomplete: true },
      { notice: 'repaired', at: [40, 40] },
      { notice: 'incomplete-call', at: [0, 42] },
    ]
    const broken = '<TOOL_CALL>{"name": "a", "input": {"k": y x, <TOOL_CALL>{"name": "b"}'
    const text = 'x, <TOOL_CALL>{"name": "b"}'
    expectReading(toolCallJson, broken, [...first, text], { tools })
    expectReading(toolCallJson, `${broken}\n${call('b')}`, [...first, text, read('b')], { tools })
    expectReading(toolCallJson, `${broken}</TOOL_CALL> ${call('b')}`, [...first, `${text}</TOOL_CALL>`, read('b')], {
      tools,
    })
  })

  it('gives text after a call out as it comes', () => {
    const reader = toolCallJson.createReader({ tools, toolChoice: { type: 'auto' }, parallelCalls: true })
    reader.push(call('a'))
    expect(reader.push('\nNow we wait.')).toEqual([{ type: 'text', text: 'Now we wait.' }])
    expect(reader.push(' So')).toEqual([{ type: 'text', text: ' So' }])
  })

  it.each<[name: string, text: string, expected: Short[]]>([
    ['the trigger alone', promptContext.trigger, [{ notice: 'trigger-without-call', at: [0, 17] }]],
    [
      'text after the trigger',
      `a\n${promptContext.trigger} b`,
      ['a\nb', { notice: 'trigger-without-call', at: [2, 19] }],
    ],
    [
      'the trigger in any case, twice',
      `${promptContext.trigger.toLowerCase()}\n${promptContext.trigger}<invoke name="a"/>`,
      [read('a')],
    ],
    ['a call after text after the trigger', `${promptContext.trigger} so:\n<invoke name="a"/>`, ['so:', read('a')]],
    [
      'a call in a fence, after the trigger',
      `\`\`\`\n${promptContext.trigger}\n<invoke name="a"/>\n\`\`\``,
      [read('a')],
    ],
    ['a call without the trigger', '<invoke name="a"/>', ['<invoke name="a"/>', passedOver(0, 18)]],
    [
      'a call after another trigger',
      `${wrongTrigger}\n<invoke name="a"/>`,
      [`${wrongTrigger}\n<invoke name="a"/>`, passedOver(18, 36)],
    ],
    [
      'the trigger in reasoning',
      `<think>${promptContext.trigger}</think><invoke name="a"/>`,
      [{ think: promptContext.trigger }, '<invoke name="a"/>', passedOver(32, 50)],
    ],
    [
      'a refused call after the trigger',
      `${promptContext.trigger}<invoke name="no"/>`,
      ['<invoke name="no"/>', { notice: 'unknown-tool', at: [17, 36] }],
    ],
  ])('reads %s', (_name, text, expected) => {
    expectReading(toolify, text, expected, { tools })
  })
})
