// @ts-check
import { describe, expect, it } from 'vitest'
import { parseTextCase } from './text-case.mjs'

const least = { output: 'x', expect: {} }

describe('parseTextCase', () => {
  it('takes the least that a case can be for a text without tools and calls', () => {
    expect(parseTextCase(least)).toEqual({
      id: '',
      source: '',
      output: 'x',
      tools: [],
      options: {},
      truncated: false,
      unknownTool: false,
      messages: [{ calls: [], contains: [], excludes: [], report: {} }],
      warnings: [],
    })
  })

  it('reads tools as names and in the shapes of the protocols', () => {
    const schema = { type: 'object' }
    const tools = [
      'a',
      { type: 'function', function: { name: 'b', description: 'B', parameters: schema } },
      { function: { name: 'c' } },
      { type: 'function', name: 'd', parameters: schema },
      { name: 'e', input_schema: schema },
    ]
    expect(parseTextCase({ ...least, tools }).tools).toEqual([
      { name: 'a', description: '', schema: {} },
      { name: 'b', description: 'B', schema },
      { name: 'c', description: '', schema: {} },
      { name: 'd', description: '', schema },
      { name: 'e', description: '', schema },
    ])
  })

  it('takes the options that it knows, and warns of others', () => {
    const options = { naturalLanguage: true, fences: 'lenient', reasoning: 'shut', newCallId: 'x', constructor: 1 }
    const parsed = parseTextCase({ ...least, mode: 'standalone', options })
    expect(parsed.options).toEqual({ accept: { naturalLanguage: true, fences: 'lenient' }, standalone: true })
    expect(parsed.warnings).toEqual([
      'its option reasoning: "shut" is not known, and left out',
      'its option newCallId: "x" is not known, and left out',
      'its option constructor: 1 is not known, and left out',
    ])
  })

  it('compares nothing that is null', () => {
    const expected = { content: null, reasoning_content: null, tool_calls: null, rejectedToolNames: null }
    expect(parseTextCase({ ...least, expect: expected }).messages).toEqual([{ contains: [], excludes: [], report: {} }])
  })

  it('reads expected calls, by themselves and in the wrapper of the wire', () => {
    const calls = [
      { name: 'a', arguments: { x: 1 }, id: '' },
      { id: 'c1', function: { name: 'b', arguments: '{"x": 1}' } },
      { name: 'c' },
    ]
    expect(parseTextCase({ ...least, expect: { tool_calls: calls } }).messages[0].calls).toEqual([
      { name: 'a', arguments: { x: 1 } },
      { name: 'b', arguments: { x: 1 }, id: 'c1' },
      { name: 'c' },
    ])
  })

  it('reads one other message that passes, or several', () => {
    const other = { content: 'y' }
    expect(parseTextCase({ ...least, accept: other }).messages).toHaveLength(2)
    expect(parseTextCase({ ...least, accept: [other, other] }).messages).toHaveLength(3)
  })

  it('joins the output from its chunks, and leaves out chunks of another text', () => {
    expect(parseTextCase({ chunks: ['a', 'b'], expect: {} }).output).toBe('ab')
    const odd = parseTextCase({ output: 'ab', chunks: ['a', 'c'], expect: {} })
    expect(odd).not.toHaveProperty('chunks')
    expect(odd.warnings).toEqual(['its chunks do not join to its output, and are not read'])
  })

  it.each([
    [null, 'the case is not an object'],
    [{ expect: {} }, 'output is not there'],
    [{ output: 1, expect: {} }, 'output is not a text'],
    [{ output: 'x' }, 'expect is not there'],
    [{ ...least, tools: 'a' }, 'tools is not an array'],
    [{ ...least, tools: [{ type: 'function' }] }, 'the name of a tool is not there'],
    [{ ...least, expect: { tool_calls: {} } }, 'tool_calls of expect is not an array'],
    [{ ...least, accept: [[]] }, 'accept is not an object'],
  ])('says what is wrong with %j', (json, message) => {
    expect(() => parseTextCase(json)).toThrow(message)
  })
})
