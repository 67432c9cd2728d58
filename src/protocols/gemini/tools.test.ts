import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../conversation/index.ts'
import { freezeList } from '../../conversation/index.ts'
import { NoticeList } from '../notices.ts'
import { toJsonSchema } from './schema.ts'
import { decodeTools } from './tools.ts'

describe('a schema', () => {
  it.each<[string, JsonObject, JsonObject]>([
    [
      'types',
      { type: 'OBJECT', properties: { a: { type: 'INTEGER' } } },
      { type: 'object', properties: { a: { type: 'integer' } } },
    ],
    ['no type', { type: 'TYPE_UNSPECIFIED', description: 'x' }, { description: 'x' }],
    [
      'lists',
      { type: 'ARRAY', items: { type: 'STRING' }, minItems: '1', max_items: '3' },
      { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3 },
    ],
    [
      'null',
      { type: 'STRING', nullable: true, enum: ['a'], format: 'enum' },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    [
      'choices',
      { anyOf: [{ type: 'STRING' }, { type: 'NUMBER' }], nullable: true },
      { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
    ],
    [
      'order and examples',
      { type: 'OBJECT', propertyOrdering: ['a'], example: { a: 'STRING' } },
      { type: 'object', examples: [{ a: 'STRING' }] },
    ],
    [
      'what is data',
      { type: 'STRING', enum: ['OBJECT', 'nullable'], default: 'STRING' },
      { type: 'string', enum: ['OBJECT', 'nullable'], default: 'STRING' },
    ],
    [
      'properties with the names of keywords',
      { type: 'OBJECT', properties: { type: { type: 'STRING' }, nullable: { type: 'BOOLEAN' } } },
      { type: 'object', properties: { type: { type: 'string' }, nullable: { type: 'boolean' } } },
    ],
    [
      'JSON Schema',
      { type: ['string', 'null'], $defs: { a: { type: 'object' } }, additionalProperties: false },
      { type: ['string', 'null'], $defs: { a: { type: 'object' } }, additionalProperties: false },
    ],
  ])('in the dialect of Google has its %s in JSON Schema', (_, google, expected) => {
    expect(toJsonSchema(google)).toEqual(expected)
    // JSON Schema stays unchanged.
    expect(toJsonSchema(expected)).toEqual(expected)
  })
})

const tools = [
  {
    functionDeclarations: [
      { name: 'f', description: 'F.', parameters: { type: 'OBJECT' } },
      { name: 'g', parametersJsonSchema: { type: 'object' } },
    ],
  },
  { function_declarations: [{ name: 'h' }] },
]
const f = { name: 'f', description: 'F.', schema: { type: 'object' } }
const g = { name: 'g', description: '', schema: { type: 'object' } }
const h = { name: 'h', description: '', schema: {} }
const configOf = (mode: string, allowedFunctionNames?: string[]) => ({
  functionCallingConfig: { mode, ...(allowedFunctionNames && { allowedFunctionNames }) },
})

describe('tools', () => {
  it.each<[string, unknown, object[], object]>([
    ['nothing', undefined, [f, g, h], { type: 'auto' }],
    ['AUTO', configOf('AUTO'), [f, g, h], { type: 'auto' }],
    ['NONE', configOf('NONE'), [f, g, h], { type: 'none' }],
    ['ANY', configOf('ANY'), [f, g, h], { type: 'required' }],
    ['ANY of two', configOf('any', ['h', 'f']), [f, h], { type: 'required' }],
    ['ANY of one', configOf('ANY', ['g']), [f, g, h], { type: 'named', name: 'g' }],
    ['ANY of an empty list', configOf('ANY', []), [f, g, h], { type: 'required' }],
    ['VALIDATED of one', configOf('VALIDATED', ['g']), [g], { type: 'auto' }],
    [
      'names with underscores',
      { function_calling_config: { mode: 'ANY', allowed_function_names: ['g'] } },
      [f, g, h],
      { type: 'named', name: 'g' },
    ],
  ])('with the mode %s', (_, toolConfig, offered, toolChoice) => {
    const notices = new NoticeList()
    expect(decodeTools(tools, toolConfig, notices)).toEqual({ tools: offered, toolChoice })
    expect(notices.list).toEqual([])
  })

  it('that run at Google are dropped and reported, and none can be required then', () => {
    const notices = new NoticeList()
    const decoded = decodeTools([{ googleSearch: {} }, { codeExecution: {} }], configOf('ANY'), notices)
    expect(decoded).toEqual({ tools: [], toolChoice: { type: 'auto' } })
    expect(notices.list.map(({ code }) => code)).toEqual([
      'tool-type-unsupported',
      'tool-type-unsupported',
      'tool-choice-unsupported',
    ])
  })

  it('of a name that is not declared cannot be allowed', () => {
    expect(() => decodeTools(tools, configOf('ANY', ['x']), new NoticeList())).toThrow(
      /no function of the request has the name "x"/,
    )
  })

  it('of a frozen list are decoded once', () => {
    const frozen = freezeList(structuredClone(tools))
    expect(decodeTools(frozen, undefined, new NoticeList()).tools).toBe(
      decodeTools(frozen, undefined, new NoticeList()).tools,
    )
  })
})
