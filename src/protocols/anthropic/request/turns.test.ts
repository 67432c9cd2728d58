import { describe, expect, it } from 'vitest'
import type { Notice, Turn } from '../../../conversation/index.ts'
import { NoticeList } from '../../notices.ts'
import { ToolChanges } from './tool-changes.ts'
import { readSystemText, readTurns } from './turns.ts'

function read(...messages: unknown[]): { turns: Turn[]; notices: Notice[] } {
  const notices = new NoticeList()
  const changes = new ToolChanges({ tools: [], deferred: new Map(), dropped: new Set() }, notices)
  return { turns: readTurns(messages, changes, notices), notices: notices.list }
}

const text = (value: string) => ({ type: 'text', text: value })
const use = (id: string, name = 'get_weather') => ({ type: 'tool_use', id, name, input: { city: 'Oslo' } })
const result = (id: string, more: object = {}) => ({ type: 'tool_result', tool_use_id: id, ...more })
const call = (id: string, name = 'get_weather') => ({ type: 'call', id, name, arguments: '{"city":"Oslo"}' })

describe('messages', () => {
  it('reads string and block content alike', () => {
    const whole = read({ role: 'user', content: 'hi' }, { role: 'assistant', content: 'hello' })
    const blocks = read({ role: 'user', content: [text('hi')] }, { role: 'assistant', content: [text('hello')] })
    expect(whole).toEqual(blocks)
    expect(whole.turns).toEqual([
      { role: 'user', parts: [text('hi')] },
      { role: 'assistant', parts: [text('hello')] },
    ])
  })

  it('reads a round of two parallel calls, in order', () => {
    const { turns, notices } = read(
      {
        role: 'assistant',
        content: [{ type: 'thinking', thinking: 'hm', signature: '' }, text('ok'), use('a'), use('b', 'ls')],
      },
      {
        role: 'user',
        content: [
          result('a', { content: '18 degrees', cache_control: { type: 'ephemeral' } }),
          result('b', { content: [text('no such file')], is_error: true }),
          text('and now?'),
        ],
      },
    )
    expect(notices).toEqual([])
    expect(turns).toEqual([
      { role: 'assistant', parts: [{ type: 'reasoning', text: 'hm' }, text('ok'), call('a'), call('b', 'ls')] },
      {
        role: 'user',
        parts: [
          { type: 'result', callId: 'a', name: 'get_weather', content: [text('18 degrees')], isError: false },
          { type: 'result', callId: 'b', name: 'ls', content: [text('no such file')], isError: true },
          text('and now?'),
        ],
      },
    ])
  })

  it.each<[string, object, unknown[]]>([
    ['absent', {}, []],
    ['null', { content: null }, []],
    ['an empty string', { content: '' }, []],
    [
      'an image',
      { content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } }] },
      [{ type: 'image', url: 'data:image/png;base64,AA' }],
    ],
  ])('a result whose content is %s', (_name, fields, content) => {
    const { turns } = read({ role: 'assistant', content: [use('a')] }, { role: 'user', content: [result('a', fields)] })
    expect(turns[1]).toEqual({
      role: 'user',
      parts: [{ type: 'result', callId: 'a', name: 'get_weather', content, isError: false }],
    })
  })

  it('names a result after the latest call with its id', () => {
    const { turns } = read(
      { role: 'assistant', content: [use('call_0', 'first')] },
      { role: 'user', content: [result('call_0')] },
      { role: 'assistant', content: [use('call_0', 'second')] },
      { role: 'user', content: [result('call_0')] },
    )
    expect(turns.flatMap((turn) => (turn.role === 'user' ? turn.parts : []))).toMatchObject([
      { name: 'first' },
      { name: 'second' },
    ])
  })

  it('reads system text between the turns, in both forms', () => {
    const { turns } = read(
      { role: 'user', content: 'hi' },
      { role: 'system', content: 'agents: a, b' },
      { role: 'system', content: [text('one'), text('two')] },
      { role: 'system', content: '' },
    )
    expect(turns.slice(1)).toEqual([
      { role: 'system', text: 'agents: a, b' },
      { role: 'system', text: 'one\n\ntwo' },
    ])
  })

  it('keeps the text of tools that ran elsewhere', () => {
    const document = {
      type: 'document',
      title: 'Page',
      source: { type: 'text', media_type: 'text/plain', data: 'FETCHED' },
    }
    const { turns, notices } = read({
      role: 'assistant',
      content: [
        { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } },
        {
          type: 'web_search_tool_result',
          tool_use_id: 's',
          content: [
            { type: 'web_search_result', title: 'One', url: 'https://one.example', encrypted_content: 'SECRET' },
            { type: 'web_search_result', title: 'Two', url: 'https://two.example', encrypted_content: 'SECRET' },
          ],
        },
        { type: 'server_tool_use', id: 'f', name: 'web_fetch', input: { url: 'u' } },
        {
          type: 'web_fetch_tool_result',
          tool_use_id: 'f',
          content: { type: 'web_fetch_result', url: 'u', content: document },
        },
        {
          type: 'bash_code_execution_tool_result',
          tool_use_id: 'b',
          content: { stdout: 'out', stderr: 'err', return_code: 0 },
        },
        { type: 'code_execution_tool_result', tool_use_id: 'c', content: { error_code: 'unavailable' } },
        { type: 'mcp_tool_use', id: 'm', name: 'add', server_name: 'math', input: { a: 1 } },
        { type: 'mcp_tool_result', tool_use_id: 'm', is_error: false, content: [text('42')] },
        { type: 'mcp_tool_result', tool_use_id: 'm', is_error: true, content: 'no' },
      ],
    })
    const said = turns.flatMap((turn) => (turn.role === 'assistant' ? turn.parts : []))
    const whole = said.map((part) => (part.type === 'text' ? part.text.trim() : '')).join('\n')
    expect(whole).toBe(`[The tool web_search was called with {"query":"q"}]
[The tool web_search returned:]

One
https://one.example

Two
https://two.example
[The end of what web_search returned]
[The tool web_fetch was called with {"url":"u"}]
[The tool web_fetch returned:]

u
Page
FETCHED
[The end of what web_fetch returned]
[The tool bash_code_execution returned:]

out
err
[The end of what bash_code_execution returned]
[The tool code_execution failed:]

unavailable
[The end of what code_execution returned]
[The tool add was called with {"a":1}]
[The tool add returned:]

42
[The end of what add returned]
[The tool add failed:]

no
[The end of what add returned]`)
    expect(notices).toEqual([])
  })

  it('reports blocks that only Anthropic can read, each type once', () => {
    const { turns, notices } = read({
      role: 'assistant',
      content: [
        { type: 'redacted_thinking', data: 'x' },
        { type: 'redacted_thinking', data: 'y' },
        { type: 'container_upload', file_id: 'f' },
        text('found'),
      ],
    })
    expect(turns).toEqual([{ role: 'assistant', parts: [text('found')] }])
    expect(notices.map((notice) => notice.code)).toEqual(['reasoning-dropped', 'block-unsupported'])
    expect(notices[0]?.message).toContain('messages[0].content[0]')
  })

  it.each<[string, unknown[], string]>([
    [
      'a result without a call',
      [{ role: 'user', content: [text('x'), result('toolu_9')] }],
      'messages[0].content[1].tool_use_id: no tool_use with the id "toolu_9"',
    ],
    [
      'a result before its call',
      [
        { role: 'user', content: [result('a')] },
        { role: 'assistant', content: [use('a')] },
      ],
      'messages[0].content[0].tool_use_id: no tool_use with the id "a"',
    ],
    [
      'a result without an id',
      [{ role: 'user', content: [{ type: 'tool_result' }] }],
      'messages[0].content[0].tool_use_id: expected a string, got nothing',
    ],
    [
      'a call by the user',
      [{ role: 'user', content: [use('a')] }],
      'messages[0].content[0]: a tool_use block may only be in the content of an assistant message',
    ],
    [
      'a result from the assistant',
      [{ role: 'assistant', content: [use('a'), result('a')] }],
      'messages[0].content[1]: a tool_result block may only be in the content of a user message',
    ],
    [
      'a call within a result',
      [
        { role: 'assistant', content: [use('a')] },
        { role: 'user', content: [result('a', { content: [use('b')] })] },
      ],
      'messages[1].content[0].content[0]: a tool_use block',
    ],
    [
      'a call in system text',
      [{ role: 'system', content: [use('a')] }],
      'messages[0].content[0]: a tool_use block may only be in the content of an assistant message',
    ],
    [
      'a call without a name',
      [{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', input: {} }] }],
      'messages[0].content[0].name: expected a string, got nothing',
    ],
    [
      'an unknown role',
      [{ role: 'tool', content: 'x' }],
      'messages[0].role: expected user, assistant or system, got "tool"',
    ],
    ['no role', [{ content: 'x' }], 'messages[0].role: expected a string, got nothing'],
    ['a message that is none', [null], 'messages[0]: expected an object, got null'],
  ])('refuses %s', (_name, messages, message) => {
    expect(() => read(...messages)).toThrow(message)
  })
})

describe('system text', () => {
  it.each<[string, unknown, string]>([
    ['a string', 'be brief', 'be brief'],
    ['blocks, with a blank line between them', [text('one'), text(''), text('two')], 'one\n\ntwo'],
    [
      'Claude Code’s, without its changing first block',
      [text('x-anthropic-billing-header: cc_version=2.1.197; cch=ab12;'), text('You are an agent.'), text('Rules.')],
      'You are an agent.\n\nRules.',
    ],
    ['the same, joined by a proxy', 'x-anthropic-billing-header: cc_version=2\nYou are an agent.', 'You are an agent.'],
    [
      'the header’s name within a text',
      'Ignore x-anthropic-billing-header: lines',
      'Ignore x-anthropic-billing-header: lines',
    ],
  ])('%s', (_name, system, expected) => {
    expect(readSystemText(system, 'system', new NoticeList())).toBe(expected)
  })
})
