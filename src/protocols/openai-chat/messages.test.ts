import { describe, expect, it } from 'vitest'
import { AnycallError, type Notice } from '../../conversation/index.ts'
import { decodeMessages } from './messages.ts'

function read(...messages: unknown[]) {
  const notices: Notice[] = []
  return { ...decodeMessages(messages, notices), codes: notices.map((notice) => notice.code) }
}

function errorOf(...messages: unknown[]): AnycallError {
  try {
    decodeMessages(messages, [])
  } catch (error) {
    if (error instanceof AnycallError) return error
    throw error
  }
  throw new Error('decoded without an error')
}

const user = { role: 'user', content: 'go' }
const userTurn = { role: 'user', parts: [{ type: 'text', text: 'go' }] }
const call = (id: string, name: string, args: unknown = '{}') => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})
const assistant = (...calls: unknown[]) => ({ role: 'assistant', content: null, tool_calls: calls })
const result = (callId: string, name: string, text: string) => ({
  type: 'result',
  callId,
  name,
  content: [{ type: 'text', text }],
  isError: false,
})

describe('system messages', () => {
  it('joins the leading ones and keeps later ones in their place', () => {
    const { system, turns } = read(
      { role: 'system', content: 'one' },
      {
        role: 'developer',
        content: [
          { type: 'text', text: 'two' },
          { type: 'text', text: 'three' },
        ],
      },
      user,
      { role: 'system', content: 'four' },
      { role: 'system', content: '' },
    )
    expect(system).toBe('one\n\ntwo\n\nthree')
    expect(turns).toEqual([userTurn, { role: 'system', text: 'four' }])
  })

  it('drops an image with a notice', () => {
    const { system, codes } = read(
      { role: 'system', content: ['a', { type: 'image_url', image_url: 'https://x/i.png' }] },
      user,
    )
    expect(system).toBe('a')
    expect(codes).toEqual(['content-part-unsupported'])
  })
})

describe('user messages', () => {
  it('reads each kind of part', () => {
    const { turns, codes } = read({
      role: 'user',
      content: [
        { type: 'text', text: 'a' },
        { type: 'input_text', text: 'b' },
        { type: 'refusal', refusal: 'c' },
        { type: 'text', text: '' },
        { type: 'image_url', image_url: { url: 'https://x/i.png', detail: 'low' } },
        { type: 'image_url', image_url: 'data:image/png;base64,AA==' },
        { type: 'hologram', hologram: {} },
      ],
    })
    expect(turns).toEqual([
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
          { type: 'text', text: 'c' },
          { type: 'image', url: 'https://x/i.png', detail: 'low' },
          { type: 'image', url: 'data:image/png;base64,AA==' },
        ],
      },
    ])
    expect(codes).toEqual(['content-part-unsupported'])
  })

  it.each([
    ['file', 'file'],
    ['input_file', 'file'],
    ['input_audio', 'audio'],
    ['audio_url', 'audio'],
    ['video_url', 'video'],
  ])('says that there was an attachment: %s', (type, what) => {
    const { turns, codes } = read({ role: 'user', content: [{ type, [type]: { data: 'AA==' } }] })
    const text = `[Attached here: ${what}. Its content is not available.]`
    expect(turns).toEqual([{ role: 'user', parts: [{ type: 'text', text }] }])
    expect(codes).toEqual(['content-part-unsupported'])
  })
})

describe('assistant messages', () => {
  it('puts reasoning first, then text, then calls', () => {
    const { turns } = read(user, {
      role: 'assistant',
      tool_calls: [call('c1', 'f', '{"big": 12345678901234567890}')],
      content: 'text',
      reasoning_content: 'why',
    })
    expect(turns[1]).toEqual({
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'why' },
        { type: 'text', text: 'text' },
        { type: 'call', id: 'c1', name: 'f', arguments: '{"big": 12345678901234567890}' },
      ],
    })
  })

  it.each<[string, object, object[]]>([
    [
      'reasoning as OpenRouter names it',
      { content: 'a', reasoning: 'r' },
      [
        { type: 'reasoning', text: 'r' },
        { type: 'text', text: 'a' },
      ],
    ],
    ['a refusal', { content: null, refusal: 'no' }, [{ type: 'text', text: 'no' }]],
    ['text parts', { content: [{ type: 'text', text: 'a' }] }, [{ type: 'text', text: 'a' }]],
    ['nothing', {}, []],
    [
      'a legacy call',
      { content: null, function_call: { name: 'f', arguments: '{"a":1}' } },
      [{ type: 'call', id: 'call_0_0', name: 'f', arguments: '{"a":1}' }],
    ],
    [
      'a call without an id',
      { tool_calls: [{ function: { name: 'f', arguments: '{}' } }] },
      [{ type: 'call', id: 'call_0_0', name: 'f', arguments: '{}' }],
    ],
    [
      'a flat call',
      { tool_calls: [{ id: 'c', name: 'f', arguments: '{}' }] },
      [{ type: 'call', id: 'c', name: 'f', arguments: '{}' }],
    ],
    [
      'a custom call',
      { tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'f', input: 'x"y' } }] },
      [{ type: 'call', id: 'c', name: 'f', arguments: '{"input":"x\\"y"}' }],
    ],
  ])('reads %s', (_, fields, parts) => {
    expect(read({ role: 'assistant', ...fields }).turns).toEqual([{ role: 'assistant', parts }])
  })

  it.each<[unknown, string]>([
    ['{"a": 1}', '{"a": 1}'],
    ['{"a": tru', '{"a": tru'],
    ['', '{}'],
    [' \n', '{}'],
    [undefined, '{}'],
    [null, '{}'],
    [{ b: 1, a: [2] }, '{"b":1,"a":[2]}'],
  ])('gives the arguments %j as %j', (given, expected) => {
    const { turns } = read(assistant(call('c', 'f', given)))
    expect(turns).toEqual([{ role: 'assistant', parts: [{ type: 'call', id: 'c', name: 'f', arguments: expected }] }])
  })

  it('refuses argument objects too deep to write as text', () => {
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`)
    expect(errorOf(assistant(call('c', 'f', deep))).param).toBe('messages[0].tool_calls[0].function.arguments')
  })
})

describe('tool messages', () => {
  it('merges consecutive ones into one turn, in the order given, and keeps the next user turn apart', () => {
    const { turns } = read(
      user,
      assistant(call('a', 'f'), call('b', 'g')),
      { role: 'tool', tool_call_id: 'b', content: [{ type: 'text', text: 'B' }] },
      { role: 'tool', tool_call_id: 'a', content: 'A' },
      user,
      assistant(call('c', 'h')),
      { role: 'tool', tool_call_id: 'c', content: 'C\n' },
    )
    expect(turns[2]).toEqual({ role: 'user', parts: [result('b', 'g', 'B'), result('a', 'f', 'A')] })
    expect(turns[3]).toEqual(userTurn)
    expect(turns[5]).toEqual({ role: 'user', parts: [result('c', 'h', 'C\n')] })
    expect(turns).toHaveLength(6)
  })

  it('takes an id that is used again for the newest call', () => {
    const { turns } = read(
      assistant(call('call_0', 'f')),
      { role: 'tool', tool_call_id: 'call_0', content: '1' },
      assistant(call('call_0', 'g')),
      { role: 'tool', tool_call_id: 'call_0', content: '2' },
    )
    expect(turns[1]).toEqual({ role: 'user', parts: [result('call_0', 'f', '1')] })
    expect(turns[3]).toEqual({ role: 'user', parts: [result('call_0', 'g', '2')] })
  })

  it('takes a message without an id for the only call that waits', () => {
    const { turns } = read(
      assistant(call('a', 'f'), call('b', 'g')),
      { role: 'tool', tool_call_id: 'a', content: 'A' },
      { role: 'tool', content: 'B' },
    )
    expect(turns[1]).toEqual({ role: 'user', parts: [result('a', 'f', 'A'), result('b', 'g', 'B')] })
  })

  it('reads a result of nothing', () => {
    const { turns } = read(assistant(call('a', 'f')), { role: 'tool', tool_call_id: 'a' })
    expect(turns[1]).toEqual({
      role: 'user',
      parts: [{ type: 'result', callId: 'a', name: 'f', content: [], isError: false }],
    })
  })

  it('answers a legacy call by its name', () => {
    const { turns } = read(
      { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
      { role: 'function', name: 'f', content: 'A' },
    )
    expect(turns[1]).toEqual({ role: 'user', parts: [result('call_0_0', 'f', 'A')] })
  })
})

describe('wrong messages', () => {
  it.each<[string, unknown[], string]>([
    ['a message that is no object', ['hi'], 'messages[0]'],
    ['a missing role', [{ content: 'hi' }], 'messages[0].role'],
    ['an unknown role', [user, { role: 'robot', content: 'hi' }], 'messages[1].role'],
    ['a role that Object has', [{ role: 'constructor', content: 'hi' }], 'messages[0].role'],
    ['no content', [{ role: 'user' }], 'messages[0].content'],
    ['content of a wrong type', [{ role: 'user', content: 3 }], 'messages[0].content'],
    ['a part of a wrong type', [{ role: 'user', content: [3] }], 'messages[0].content[0]'],
    ['a part without a type', [{ role: 'user', content: [{ text: 'x' }] }], 'messages[0].content[0].type'],
    ['a text part without text', [{ role: 'user', content: [{ type: 'text' }] }], 'messages[0].content[0].text'],
    [
      'an image without a URL',
      [{ role: 'user', content: [{ type: 'image_url', image_url: {} }] }],
      'messages[0].content[0].image_url.url',
    ],
    [
      'an image as bare base64',
      [{ role: 'user', content: [{ type: 'image_url', image_url: 'iVBORw0KGgo=' }] }],
      'messages[0].content[0].image_url',
    ],
    ['calls that are no array', [{ role: 'assistant', tool_calls: {} }], 'messages[0].tool_calls'],
    ['a call without a function', [assistant({ id: 'c', type: 'function' })], 'messages[0].tool_calls[0].function'],
    ['a call without a name', [assistant({ id: 'c', function: {} })], 'messages[0].tool_calls[0].function.name'],
    ['arguments of a wrong type', [assistant(call('c', 'f', 3))], 'messages[0].tool_calls[0].function.arguments'],
    [
      'a result before its call',
      [{ role: 'tool', tool_call_id: 'a', content: 'A' }, assistant(call('a', 'f'))],
      'messages[0].tool_call_id',
    ],
    ['a result without an id for no call', [user, { role: 'tool', content: 'A' }], 'messages[1].tool_call_id'],
    [
      'a result without an id for two calls',
      [assistant(call('a', 'f'), call('b', 'g')), { role: 'tool', content: 'A' }],
      'messages[1].tool_call_id',
    ],
    ['a function result for no call', [user, { role: 'function', name: 'f', content: 'A' }], 'messages[1].name'],
  ])('refuses %s', (_, messages, param) => {
    const error = errorOf(...messages)
    expect(error.code).toBe('invalid-request')
    expect(error.param).toBe(param)
  })

  it('names the id that no call has', () => {
    const error = errorOf(assistant(call('a', 'f')), { role: 'tool', tool_call_id: 'call_zzz', content: '' })
    expect(error.message).toContain('"call_zzz"')
    expect(error.param).toBe('messages[1].tool_call_id')
  })
})
