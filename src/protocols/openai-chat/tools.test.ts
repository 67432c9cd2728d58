import { describe, expect, it } from 'vitest'
import { AnycallError, type JsonObject, type Notice } from '../../conversation/index.ts'
import { decodeTools } from './tools.ts'

function read(body: JsonObject) {
  const notices: Notice[] = []
  const { customTools, ...decoded } = decodeTools(body, notices)
  return { ...decoded, custom: [...customTools], codes: notices.map((notice) => notice.code) }
}

const schema = { type: 'object', properties: { a: { type: 'string' } } }
const tool = (name: string): JsonObject => ({ type: 'function', function: { name, parameters: schema } })
const f = { name: 'f', description: '', schema }
const g = { name: 'g', description: '', schema }
const tools = [tool('f'), tool('g')]
const custom = (format?: JsonObject): JsonObject => ({
  type: 'custom',
  custom: { name: 'patch', description: 'Patches.', ...(format && { format }) },
})
const patchOf = (description: string) => ({
  name: 'patch',
  description,
  schema: expect.objectContaining({ required: ['input'] }),
})
const patch = patchOf('Patches.')
const search: JsonObject = { type: 'web_search_preview' }
const lark = { syntax: 'lark', definition: 'start: "a"' }

describe('tools', () => {
  it.each<[string, JsonObject, object[], string[]]>([
    ['none', {}, [], []],
    ['null', { tools: null }, [], []],
    [
      'a function tool',
      { tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters: schema, strict: null } }] },
      [{ name: 'f', description: 'd', schema }],
      [],
    ],
    [
      'a strict function',
      { tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters: schema, strict: true } }] },
      [{ name: 'f', description: 'd', schema, strict: true }],
      [],
    ],
    ['a flat tool', { tools: [{ type: 'function', name: 'f', parameters: schema }] }, [f], []],
    ['no type', { tools: [{ function: { name: 'f', parameters: schema } }] }, [f], []],
    [
      'no parameters',
      { tools: [{ type: 'function', function: { name: 'f', parameters: null } }] },
      [{ name: 'f', description: '', schema: {} }],
      [],
    ],
    ['functions', { functions: [{ name: 'f', parameters: schema }] }, [f], []],
    ['functions beside no tools', { functions: [{ name: 'f', parameters: schema }], tools: [] }, [f], []],
    [
      'functions beside tools',
      { functions: [{ name: 'f', parameters: schema }], tools: [tool('g')] },
      [g, f],
      ['functions-deprecated'],
    ],
    ['an unsupported type', { tools: [search, tool('g')] }, [g], ['tool-type-unsupported']],
    ['a custom tool', { tools: [custom(), tool('g')] }, [patch, g], []],
    ['a custom tool for text', { tools: [custom({ type: 'text' })] }, [patch], []],
    ['a flat custom tool', { tools: [{ type: 'custom', name: 'patch' }] }, [patchOf('')], []],
    [
      'a custom tool with a grammar',
      { tools: [custom({ type: 'grammar', grammar: lark })] },
      [
        {
          ...patchOf('Patches.\n\nThe input must follow this grammar, written for lark:\nstart: "a"'),
          inputGrammar: { argument: 'input', ...lark },
        },
      ],
      [],
    ],
    [
      'a custom tool with a flat grammar',
      { tools: [custom({ type: 'grammar', syntax: 'regex', definition: 'a+' })] },
      [
        {
          ...patchOf('Patches.\n\nThe input must match this regular expression:\na+'),
          inputGrammar: { argument: 'input', syntax: 'regex', definition: 'a+' },
        },
      ],
      [],
    ],
    [
      'a custom tool with a grammar of another syntax',
      { tools: [custom({ type: 'grammar', syntax: 'ebnf', definition: 'a' })] },
      [patchOf('Patches.\n\nThe input must follow this grammar, written for ebnf:\na')],
      ['grammar-not-enforced'],
    ],
  ])('reads %s', (_, body, expected, codes) => {
    const decoded = read(body)
    expect(decoded.tools).toEqual(expected)
    expect(decoded.codes).toEqual(codes)
    expect(decoded.toolChoice).toEqual({ type: 'auto' })
    expect(decoded.custom).toEqual(expected.some((tool) => 'name' in tool && tool.name === 'patch') ? ['patch'] : [])
  })
})

describe('tool_choice', () => {
  it.each<[unknown, object]>([
    ['none', { type: 'none' }],
    ['auto', { type: 'auto' }],
    ['required', { type: 'required' }],
    ['any', { type: 'required' }],
    [null, { type: 'auto' }],
    [
      { type: 'function', function: { name: 'g' } },
      { type: 'named', name: 'g' },
    ],
    [
      { type: 'function', name: 'g' },
      { type: 'named', name: 'g' },
    ],
    [{ type: 'auto' }, { type: 'auto' }],
    ['g', { type: 'named', name: 'g' }],
  ])('reads %j', (choice, expected) => {
    const decoded = read({ tools, tool_choice: choice as JsonObject })
    expect(decoded.toolChoice).toEqual(expected)
    expect(decoded.tools).toEqual([f, g])
    expect(decoded.codes).toEqual([])
  })

  it.each<[JsonObject, object, object[]]>([
    [{ allowed_tools: { mode: 'auto', tools: [tool('g')] } }, { type: 'auto' }, [g]],
    [{ allowed_tools: { mode: 'required', tools: [tool('g'), tool('f')] } }, { type: 'required' }, [f, g]],
    [{ mode: 'required', tools: [{ type: 'function', name: 'f' }] }, { type: 'required' }, [f]],
    [{ allowed_tools: { mode: 'auto', tools: [] } }, { type: 'auto' }, []],
  ])('restricts the tools to those that %j allows', (choice, toolChoice, allowed) => {
    const decoded = read({ tools, tool_choice: { type: 'allowed_tools', ...choice } })
    expect(decoded).toEqual({ tools: allowed, toolChoice, custom: [], codes: [] })
  })

  it('reads what names a custom tool', () => {
    const both = [custom(), tool('f')]
    const named = { type: 'named', name: 'patch' }
    expect(read({ tools: both, tool_choice: { type: 'custom', custom: { name: 'patch' } } }).toolChoice).toEqual(named)
    expect(read({ tools: both, tool_choice: { type: 'custom', name: 'patch' } }).toolChoice).toEqual(named)
    const allowed = { mode: 'required', tools: [{ type: 'custom', custom: { name: 'patch' } }] }
    const decoded = read({ tools: both, tool_choice: { type: 'allowed_tools', allowed_tools: allowed } })
    expect(decoded).toMatchObject({ tools: [patch], toolChoice: { type: 'required' }, codes: [] })
  })

  it('reads the legacy function_call', () => {
    expect(read({ tools, function_call: 'none' }).toolChoice).toEqual({ type: 'none' })
    expect(read({ tools, function_call: { name: 'f' } }).toolChoice).toEqual({ type: 'named', name: 'f' })
  })

  it.each<[string, JsonObject]>([
    ['a choice of another type', { tools, tool_choice: search }],
    ['a call required where all tools were dropped', { tools: [search], tool_choice: 'required' }],
    [
      'a call required of tools that were dropped',
      { tools: [search], tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [search] } } },
    ],
  ])('degrades %s to auto with a notice', (_, body) => {
    const decoded = read(body)
    expect(decoded.toolChoice).toEqual({ type: 'auto' })
    expect(decoded.codes).toContain('tool-choice-unsupported')
  })
})

describe('wrong tools', () => {
  it.each<[JsonObject, string]>([
    [{ tools: {} }, 'tools'],
    [{ tools: ['f'] }, 'tools[0]'],
    [{ tools: [{ type: 3 }] }, 'tools[0].type'],
    [{ tools: [{ type: 'function' }] }, 'tools[0].name'],
    [{ tools: [{ type: 'function', function: 'f' }] }, 'tools[0].function'],
    [{ tools: [{ type: 'function', function: { name: '' } }] }, 'tools[0].function.name'],
    [{ tools: [{ type: 'function', function: { name: 'f', description: 3 } }] }, 'tools[0].function.description'],
    [{ tools: [{ type: 'function', function: { name: 'f', parameters: [] } }] }, 'tools[0].function.parameters'],
    [{ functions: [{}] }, 'functions[0].name'],
    [{ tools: [{ type: 'custom', custom: {} }] }, 'tools[0].custom.name'],
    [{ tools: [{ type: 'custom', custom: 'x' }] }, 'tools[0].custom'],
    [{ tools: [custom({ type: 'grammar' })] }, 'tools[0].custom.format.syntax'],
    [
      { tools: [custom({ type: 'grammar', grammar: { syntax: 'lark' } })] },
      'tools[0].custom.format.grammar.definition',
    ],
    [{ tools, tool_choice: { type: 'custom', custom: { name: 'patch' } } }, 'tool_choice.custom.name'],
    [{ tools, tool_choice: 'sometimes' }, 'tool_choice'],
    [{ tools, tool_choice: 3 }, 'tool_choice'],
    [{ tools, tool_choice: {} }, 'tool_choice.type'],
    [{ tools, tool_choice: { type: 'function' } }, 'tool_choice.function'],
    [{ tools, tool_choice: { type: 'function', function: { name: 'x' } } }, 'tool_choice.function.name'],
    [{ tool_choice: { type: 'function', function: { name: 'f' } } }, 'tool_choice.function.name'],
    [{ tool_choice: 'required' }, 'tool_choice'],
    [{ tools: [], tool_choice: 'required' }, 'tool_choice'],
    [{ tools, tool_choice: { type: 'allowed_tools' } }, 'tool_choice.tools'],
    [
      { tools, tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [tool('x')] } } },
      'tool_choice.allowed_tools.tools[0].function.name',
    ],
    [
      { tools, tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'never', tools: [tool('f')] } } },
      'tool_choice.allowed_tools.mode',
    ],
    [
      { tools, tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [] } } },
      'tool_choice.allowed_tools.mode',
    ],
    [{ tools, function_call: 'always' }, 'function_call'],
    [{ tools, function_call: { name: 'x' } }, 'function_call.name'],
  ])('refuses %j at %s', (body, param) => {
    let error: unknown
    try {
      decodeTools(body, [])
    } catch (thrown) {
      error = thrown
    }
    expect(error).toBeInstanceOf(AnycallError)
    expect(error).toMatchObject({ code: 'invalid-request', param })
  })
})
