import { describe, expect, it } from 'vitest'
import { NoticeList } from '../../notices.ts'
import { clientTool } from './client-tools.ts'
import { readToolChoice, readTools } from './tools.ts'

const schema = { type: 'object', properties: { city: { type: 'string' } } }
const weather = { name: 'get_weather', description: 'Weather of a city', input_schema: schema }
const webSearch = { type: 'web_search_20250305', name: 'web_search', max_uses: 8 }

function read(tools: unknown, choice: unknown) {
  const notices = new NoticeList()
  const readList = readTools(tools, notices)
  return {
    tools: readList.tools,
    ...readToolChoice(choice, readList, notices),
    codes: notices.list.map((notice) => notice.code),
  }
}

describe('tools', () => {
  it.each<[string, unknown, unknown[], string[]]>([
    ['none', undefined, [], []],
    ['null', null, [], []],
    ['a tool', [weather], [{ name: 'get_weather', description: 'Weather of a city', schema }], []],
    [
      'a custom tool',
      [{ ...weather, type: 'custom' }],
      [{ name: 'get_weather', description: 'Weather of a city', schema }],
      [],
    ],
    [
      'a strict tool',
      [{ ...weather, strict: true }],
      [{ name: 'get_weather', description: 'Weather of a city', schema, strict: true }],
      [],
    ],
    ['a bare tool', [{ name: 'now' }], [{ name: 'now', description: '', schema: {} }], []],
    ['a server tool', [webSearch], [], ['tool-type-unsupported']],
    [
      'a tool with examples of its input',
      [{ ...weather, input_examples: [{ city: 'Oslo' }, { city: 'Rome' }] }],
      [
        {
          name: 'get_weather',
          description: 'Weather of a city\n\nExamples of its arguments:\n{"city":"Oslo"}\n{"city":"Rome"}',
          schema,
        },
      ],
      [],
    ],
    ['a toolset of Anthropic', [{ type: 'browser_toolset_20260801', name: 'browser' }], [], ['tool-type-unsupported']],
    [
      'a toolset, which has no name',
      [{ type: 'mcp_toolset', mcp_server_name: 'x' }, { name: 'now' }],
      [{ name: 'now', description: '', schema: {} }],
      ['tool-type-unsupported'],
    ],
    ['a tool without a name', [{ input_schema: schema }], [], ['tool-type-unsupported']],
  ])('%s', (_name, sent, tools, codes) => {
    expect(read(sent, undefined)).toEqual({ tools, codes, toolChoice: { type: 'auto' }, parallelCalls: true })
  })

  it.each(['bash_20250124', 'text_editor_20250728', 'memory_20250818', 'computer_20250124'])(
    '%s is offered with the schema that Anthropic documents',
    (type) => {
      const tool = clientTool(type, {}, 'tools[0]') ?? { name: '', schema: {} }
      expect(read([{ type, name: tool.name }, weather], { type: 'tool', name: tool.name })).toMatchObject({
        tools: [tool, { name: 'get_weather' }],
        toolChoice: { type: 'named', name: tool.name },
        codes: [],
      })
    },
  )

  it('a client tool has its own name where the request has none, and goes by that of the request', () => {
    const sent = [{ type: 'bash_20250124' }, { type: 'memory_20250818', name: 'notes', cache_control: null }]
    expect(read(sent, undefined)).toMatchObject({ tools: [{ name: 'bash' }, { name: 'notes' }], codes: [] })
  })

  it.each<[string, unknown, string]>([
    [
      'a client tool named as another',
      [
        { ...weather, name: 'bash' },
        { type: 'bash_20250124', name: 'bash' },
      ],
      'tools[1].name: another',
    ],
    ['tools that are no array', {}, 'tools: expected an array, got an object'],
    ['a tool that is no object', ['x'], 'tools[0]: expected an object'],
    ['a name that is none', [{ name: 5 }], 'tools[0].name: expected a string, got the number 5'],
    ['an empty name', [{ name: '' }], 'tools[0].name: expected a name, got an empty string'],
    ['a second tool of the same name', [weather, weather], 'tools[1].name: another tool is named "get_weather"'],
    ['a schema that is none', [{ name: 'a', input_schema: 'x' }], 'tools[0].input_schema: expected an object'],
  ])('refuses %s', (_name, tools, message) => {
    expect(() => read(tools, undefined)).toThrow(message)
  })
})

describe('tool_choice', () => {
  it.each<[unknown, unknown, boolean]>([
    [null, { type: 'auto' }, true],
    [{ type: 'auto' }, { type: 'auto' }, true],
    [{ type: 'any' }, { type: 'required' }, true],
    [{ type: 'none' }, { type: 'none' }, true],
    [{ type: 'tool', name: 'get_weather' }, { type: 'named', name: 'get_weather' }, true],
    [{ type: 'auto', disable_parallel_tool_use: true }, { type: 'auto' }, false],
    [{ type: 'any', disable_parallel_tool_use: false }, { type: 'required' }, true],
    ['auto', { type: 'auto' }, true],
    ['any', { type: 'required' }, true],
    ['required', { type: 'required' }, true],
    ['none', { type: 'none' }, true],
  ])('%j', (choice, toolChoice, parallelCalls) => {
    expect(read([weather], choice)).toMatchObject({ toolChoice, parallelCalls, codes: [] })
  })

  it('takes the name of a tool alone', () => {
    expect(read([weather], 'get_weather')).toMatchObject({ toolChoice: { type: 'named', name: 'get_weather' } })
    // A tool of that name can be named in the object's form only.
    const auto = { name: 'auto', input_schema: {} }
    expect(read([auto], 'auto')).toMatchObject({ toolChoice: { type: 'auto' } })
  })

  it.each<[string, unknown, unknown]>([
    ['any, when all tools were left out', [webSearch], { type: 'any' }],
    ['a tool that was left out', [webSearch, weather], { type: 'tool', name: 'web_search' }],
  ])('lets go of %s', (_name, tools, choice) => {
    expect(read(tools, choice)).toMatchObject({
      toolChoice: { type: 'auto' },
      codes: ['tool-type-unsupported', 'tool-choice-degraded'],
    })
  })

  it.each<[string, unknown, unknown, string]>([
    [
      'any without tools',
      undefined,
      { type: 'any' },
      'tool_choice: a tool call is required, but the request has no tools',
    ],
    ['any with an empty list', [], 'any', 'tool_choice: a tool call is required, but the request has no tools'],
    [
      'a tool without tools',
      undefined,
      { type: 'tool', name: 'ls' },
      'tool_choice.name: the request declares no tool named "ls"; send it in tools',
    ],
    [
      'an undeclared tool',
      [weather],
      { type: 'tool', name: 'ls' },
      'tool_choice.name: the request declares no tool named "ls"; its tools are "get_weather"',
    ],
    ['a tool without a name', [weather], { type: 'tool' }, 'tool_choice.name: expected a string, got nothing'],
    [
      'an unknown type',
      [weather],
      { type: 'some' },
      'tool_choice.type: expected auto, any, tool or none, got the string "some"',
    ],
    [
      'an unknown word',
      [weather],
      'some',
      'tool_choice: expected auto, any, none or the name of a tool, got "some"; its tools are "get_weather"',
    ],
    ['a number', [weather], 1, 'tool_choice: expected an object, got the number 1'],
  ])('refuses %s', (_name, tools, choice, message) => {
    expect(() => read(tools, choice)).toThrow(message)
  })
})
