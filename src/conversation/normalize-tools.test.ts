import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { AnycallError } from './error.ts'
import { normalizeTools } from './normalize-tools.ts'

const schema = { type: 'object', properties: { city: { type: 'string' } } }
const weather = { name: 'get_weather', description: 'The weather.', schema }

describe('normalizeTools', () => {
  test.each<[string, unknown]>([
    [
      'an OpenAI tool',
      { type: 'function', function: { name: 'get_weather', description: 'The weather.', parameters: schema } },
    ],
    [
      'an OpenAI tool without type',
      { function: { name: 'get_weather', description: 'The weather.', parameters: schema } },
    ],
    [
      'a Responses tool',
      { type: 'function', name: 'get_weather', description: 'The weather.', parameters: schema, strict: true },
    ],
    ['an OpenAI function', { name: 'get_weather', description: 'The weather.', parameters: schema }],
    ['an Anthropic tool', { name: 'get_weather', description: 'The weather.', input_schema: schema }],
    ['an MCP tool', { name: 'get_weather', title: 'Weather', description: 'The weather.', inputSchema: schema }],
    ['our own tool', weather],
  ])('%s: in a list, in an object, alone', (_, tool) => {
    expect(normalizeTools([tool])).toEqual([weather])
    expect(normalizeTools({ model: 'm', tools: [tool] })).toEqual([weather])
    expect(normalizeTools({ functions: [tool] })).toEqual([weather])
    expect(normalizeTools(tool)).toEqual([weather])
  })

  test('mixed forms keep their order; what is missing or null is empty', () => {
    const tools = [
      'bare',
      { name: 'plain' },
      { name: 'nulls', description: null, input_schema: null },
      { type: 'function', function: { name: 'wrapped' } },
      weather,
    ]
    const empty = { description: '', schema: {} }
    expect(normalizeTools(tools)).toEqual([
      { name: 'bare', ...empty },
      { name: 'plain', ...empty },
      { name: 'nulls', ...empty },
      { name: 'wrapped', ...empty },
      weather,
    ])
  })

  test.each([[[]], [{ tools: [] }]])('%j holds none', (value) => expect(normalizeTools(value)).toEqual([]))

  test.each<[unknown, string, string]>([
    [undefined, 'tools', 'the tools are nothing; give a list of tools, or an object with a list in "tools"'],
    [5, 'tools', 'the tools are a number; '],
    [{ weather: {} }, 'tools', 'the tools are an object; '],
    [{ tools: { a: {} } }, 'tools', 'tools is an object; it must be a list of tools'],
    [['a', 5], 'tools[1]', 'tools[1] is a number; a tool is a name, {"name", '],
    [['a', null], 'tools[1]', 'tools[1] is nothing; a tool is '],
    [{ functions: [[]] }, 'functions[0]', 'functions[0] is a list; '],
    [[''], 'tools[0]', 'tools[0] has an empty name'],
    [[{ description: 'x' }], 'tools[0].name', 'tools[0] has no name; a tool is '],
    [[{ name: ' ' }], 'tools[0].name', 'tools[0] has an empty name'],
    [[{ name: 5 }], 'tools[0].name', 'tools[0] has a number as its name'],
    [{ name: 5 }, 'the tool.name', 'the tool has a number as its name'],
    [
      [{ type: 'function', function: 'f' }],
      'tools[0].function',
      'tools[0] has a string as its "function"; it must be an object',
    ],
    [[{ function: {} }], 'tools[0].function.name', 'tools[0].function has no name'],
    [
      [{ name: 'f', description: 5 }],
      'tools[0].description',
      'tools[0] ("f") has a number as its description; it must be text',
    ],
    [
      [{ name: 'f', parameters: 'x' }],
      'tools[0].parameters',
      'tools[0] ("f") has a string as its "parameters"; it must be a JSON schema, which is an object',
    ],
    [[{ name: 'f', input_schema: [] }], 'tools[0].input_schema', 'tools[0] ("f") has a list as its "input_schema"'],
    [
      ['f', 'g', { function: { name: 'f' } }],
      'tools[2]',
      'tools[2] has the name "f", as tools[0] has; a name must be one tool\'s',
    ],
  ])('%j is wrong, and says where', (value, param, message) => {
    let thrown: unknown
    try {
      normalizeTools(value)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(AnycallError)
    expect(thrown).toMatchObject({ code: 'invalid-request', param, message: expect.stringContaining(message) })
  })
})

describe('schema objects of a library', () => {
  const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  const zod = z.object({ city: z.string() })
  const standard = (jsonSchema: unknown) => ({ '~standard': { version: 1, vendor: 'other', jsonSchema } })
  const input = ({ target }: { target: string }) => ({ $schema: target, ...city })

  test.each<[string, object, object]>([
    ['a Zod schema', zod, city],
    [
      'a Zod schema with a default, as models write it',
      z.object({ city: z.string().default('Rome') }),
      {
        type: 'object',
        properties: { city: { type: 'string', default: 'Rome' } },
      },
    ],
    ['Standard JSON Schema', standard({ input, output: () => ({}) }), city],
    ['a function with it, as ArkType has', Object.assign(() => undefined, standard({ input })), city],
    ['a method alone', { toJSONSchema: () => city }, city],
  ])('%s becomes its JSON schema', (_, schema, expected) => {
    const [tool] = normalizeTools([{ name: 'f', parameters: schema }])
    expect(tool).toEqual({ name: 'f', description: '', schema: expected })
    expect(normalizeTools([{ name: 'f', description: '', schema }])).toEqual([tool])
  })

  test('what z.toJSONSchema returns is taken as it is', () => {
    const schema = z.toJSONSchema(zod)
    expect(normalizeTools([{ name: 'f', schema }])[0]?.schema).toBe(schema)
  })

  test.each<[string, object, string]>([
    ['Standard Schema without JSON Schema', standard(undefined), 'that has no JSON Schema; convert it'],
    ['one that cannot be converted', z.object({ at: z.date() }), 'that has no JSON Schema: '],
    ['a conversion that gives nothing', { toJSONSchema: () => undefined }, 'returns no object'],
  ])('%s is an error that names the tool', (_, schema, problem) => {
    const error = thrownBy(() => normalizeTools([{ name: 'f', schema }]))
    expect(error).toBeInstanceOf(AnycallError)
    expect(error).toMatchObject({
      param: 'tools[0].schema',
      message: expect.stringContaining('tools[0] ("f") has a schema object'),
    })
    expect(error).toMatchObject({ message: expect.stringContaining(problem) })
  })
})

function thrownBy(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  return undefined
}
