import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AnycallError, type JsonObject } from '../../conversation/index.ts'
import { createSeals } from '../seals.ts'
import { decode } from './decode.ts'

const seals = createSeals('secret')

async function read(body: JsonObject) {
  const { notices, ...decoded } = await decode({ model: 'm', input: 'Hi', ...body }, { seals })
  return { ...decoded, codes: notices.map(({ code }) => code) }
}

async function errorOf(body: JsonObject): Promise<AnycallError> {
  const error: unknown = await read(body).catch((thrown: unknown) => thrown)
  if (!AnycallError.isInstance(error)) throw new Error('decoded without an error')
  return error
}

const text = (value: string) => ({ type: 'text', text: value })
const user = (value: string) => ({ role: 'user', parts: [text(value)] })
const f: JsonObject = { type: 'function', name: 'f', parameters: { type: 'object' }, strict: null }
const hosted: JsonObject = { type: 'web_search' }
const search: JsonObject = { type: 'tool_search', execution: 'client' }
const later: JsonObject = { type: 'function', name: 'later', defer_loading: true }
const agents: JsonObject = {
  type: 'namespace',
  name: 'agents',
  description: 'Of agents.',
  tools: [f, { type: 'custom', name: 'c' }],
}
const namesIn = (tools: readonly { name: string }[]) => tools.map(({ name }) => name)

describe('input', () => {
  it.each<[string, JsonObject, unknown]>([
    ['a string', {}, { system: '', turns: [user('Hi')] }],
    [
      'instructions and messages of all roles',
      {
        instructions: 'one',
        input: [
          { role: 'developer', content: 'two' },
          { role: 'system', content: [{ type: 'input_text', text: 'three' }] },
          { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'a' }] },
          {
            role: 'assistant',
            content: [
              { type: 'output_text', text: 'b' },
              { type: 'refusal', refusal: 'c' },
            ],
          },
          { role: 'developer', content: 'four' },
          { role: 'user', content: 'd' },
        ],
      },
      {
        system: 'one\n\ntwo\n\nthree',
        turns: [
          user('a'),
          { role: 'assistant', parts: [text('b'), text('c')] },
          { role: 'system', text: 'four' },
          user('d'),
        ],
      },
    ],
    [
      'the items of one reply, and the results of its calls',
      {
        tools: [f, agents, { type: 'shell' }],
        input: [
          { role: 'user', content: 'a' },
          { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'Hm.' }] },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'b' }] },
          { type: 'function_call', call_id: '1', name: 'f', namespace: 'agents', arguments: '{"x":1}' },
          { type: 'custom_tool_call', call_id: '2', name: 'c', input: 'in' },
          { type: 'shell_call', call_id: '3', action: { commands: ['ls'], timeout_ms: null, max_output_length: 5 } },
          { type: 'function_call_output', call_id: '1', output: 'one' },
          { type: 'custom_tool_call_output', call_id: '2', output: [{ type: 'input_text', text: 'two' }] },
          {
            type: 'shell_call_output',
            call_id: '3',
            output: [{ stdout: 'x', stderr: 'y', outcome: { type: 'exit', exit_code: 1 } }],
          },
        ],
      },
      {
        turns: [
          user('a'),
          {
            role: 'assistant',
            parts: [
              { type: 'reasoning', text: 'Hm.' },
              text('b'),
              { type: 'call', id: '1', name: 'agents__f', arguments: '{"x":1}' },
              { type: 'call', id: '2', name: 'c', arguments: '{"input":"in"}' },
              { type: 'call', id: '3', name: 'shell', arguments: '{"commands":["ls"],"max_output_length":5}' },
            ],
          },
          {
            role: 'user',
            parts: [
              { type: 'result', callId: '1', name: 'agents__f', content: [text('one')], isError: false },
              { type: 'result', callId: '2', name: 'c', content: [text('two')], isError: false },
              {
                type: 'result',
                callId: '3',
                name: 'shell',
                content: [text('x\nstderr:\ny\nexit code: 1')],
                isError: true,
              },
            ],
          },
        ],
      },
    ],
  ])('%s', async (_, body, conversation) => {
    const decoded = await read(body)
    expect(decoded.conversation).toMatchObject(Object(conversation))
    expect(decoded.codes).toEqual([])
  })

  it('keeps the text of items and parts that it does not know, with a notice', async () => {
    const { conversation, codes } = await read({
      input: [
        { type: 'web_search_call', status: 'completed' },
        { type: 'mcp_call', name: 'x', output: 'from a server' },
        { type: 'compaction', encrypted_content: 'x' },
        { type: 'reasoning', summary: [], encrypted_content: 'of another' },
        {
          role: 'user',
          content: [
            { type: 'input_file', filename: 'a.txt', file_data: `data:text/plain;base64,${btoa('in the file')}` },
            { type: 'input_file', file_id: 'file-1' },
            { type: 'input_image', file_id: 'file-2' },
          ],
        },
      ],
    })
    expect(conversation.turns).toMatchObject([
      { role: 'assistant', parts: [text('from a server')] },
      {
        role: 'user',
        parts: [text('a.txt:\nin the file'), { text: /file/ }, { text: /image/ }].map((part) =>
          part.text instanceof RegExp ? { text: expect.stringMatching(part.text) } : part,
        ),
      },
    ])
    expect([...new Set(codes)].sort()).toEqual([
      'compaction-dropped',
      'content-part-unsupported',
      'item-unsupported',
      'reasoning-dropped',
    ])
  })

  it.each<[JsonObject, string]>([
    [{ model: 3 }, 'model'],
    [{ input: 3 }, 'input'],
    [{ input: [3] }, 'input[0]'],
    [{ input: [{ role: 'tool', content: '' }] }, 'input[0].role'],
    [{ input: [] }, 'input'],
    [{ input: [{ type: 'function_call_output', call_id: 'x', output: '' }] }, 'input[0].call_id'],
    [{ tools: [{ type: 'function' }] }, 'tools[0].name'],
    [{ tools: [{ type: 'namespace', name: 'n', tools: [{}] }] }, 'tools[0].tools[0].name'],
    [{ tool_choice: { type: 'function', name: 'x' } }, 'tool_choice.name'],
    [{ tool_choice: 'required' }, 'tool_choice'],
    [{ max_output_tokens: 0 }, 'max_output_tokens'],
    [{ text: { format: { type: 'json_schema' } } }, 'text.format.schema'],
    [{ text: { format: { type: 'grammar' } } }, 'text.format.type'],
    [{ background: 'true' }, 'background'],
    [{ previous_response_id: 'resp_x' }, 'previous_response_id'],
  ])('%j is an error at %s', async (body, param) => {
    expect((await errorOf(body)).param).toBe(param)
  })
})

describe('tools', () => {
  it.each<[string, JsonObject[], string[], string[]]>([
    ['functions and custom tools', [f, { type: 'custom', name: 'c' }], ['f', 'c'], []],
    ['those of a namespace', [f, agents], ['f', 'agents__f', 'agents__c'], []],
    [
      'those of the API that the client runs',
      [{ type: 'shell' }, { type: 'apply_patch' }],
      ['shell', 'apply_patch'],
      [],
    ],
    [
      'a function with the name of another tool',
      [{ type: 'shell' }, { ...f, name: 'shell' }],
      ['shell', 'shell_2'],
      [],
    ],
    [
      'no hosted ones',
      [f, hosted, { type: 'shell', environment: { type: 'container_auto' } }],
      ['f'],
      ['tool-type-unsupported'],
    ],
    [
      'no others of a namespace',
      [{ ...agents, tools: [f, { type: 'web_search', name: 'w' }, { name: 'untyped' }] }],
      ['agents__f', 'agents__untyped'],
      ['tool-type-unsupported'],
    ],
    ['no deferred ones before they are found', [f, search, later], ['f', 'tool_search'], []],
    ['deferred ones that nobody could find', [f, later], ['f', 'later'], []],
  ])('%s are offered', async (_, tools, names, codes) => {
    const decoded = await read({ tools })
    expect(namesIn(decoded.conversation.tools)).toEqual(names)
    expect([...new Set(decoded.codes)]).toEqual(codes)
  })

  it('that a search found are offered after the others, once, and named in its result', async () => {
    const found = (id: string, ...tools: JsonObject[]): JsonObject[] => [
      { type: 'tool_search_call', call_id: id, execution: 'client', arguments: { query: 'x' } },
      { type: 'tool_search_output', call_id: id, execution: 'client', tools },
    ]
    const { conversation } = await read({
      tools: [later, search, f],
      input: [{ role: 'user', content: 'a' }, ...found('1', later, agents), ...found('2', later)],
    })
    expect(namesIn(conversation.tools)).toEqual(['tool_search', 'f', 'later', 'agents__f', 'agents__c'])
    expect(conversation.turns[2]).toMatchObject({
      parts: [
        { type: 'result', name: 'tool_search', content: [{ text: expect.stringContaining('later, agents__f') }] },
      ],
    })
  })

  it('that a search found and that were dropped are not named in its result', async () => {
    const { conversation } = await read({
      tools: [search],
      input: [
        { role: 'user', content: 'a' },
        { type: 'tool_search_call', call_id: '1', execution: 'client', arguments: { query: 'x' } },
        {
          type: 'tool_search_output',
          call_id: '1',
          execution: 'client',
          tools: [{ ...agents, tools: [f, { type: 'web_search', name: 'w' }] }],
        },
      ],
    })
    expect(JSON.stringify(conversation.turns[2])).toContain('agents__f')
    expect(JSON.stringify(conversation.turns[2])).not.toContain('agents__w')
  })

  it('keep their names and their decoded list in later requests', async () => {
    const tools = Object.freeze([f, agents]) as unknown as JsonObject[]
    const [first, second] = [await read({ tools }), await read({ tools, input: 'Else' })]
    expect(second.conversation.tools).toBe(first.conversation.tools)
    expect(second.options.tools.declaredAs('agents__c')).toEqual({ kind: 'custom', name: 'c', namespace: 'agents' })
  })

  it.each<[JsonObject | string, unknown, string[]]>([
    ['none', { type: 'none' }, ['f', 'agents__f', 'agents__c', 'shell']],
    ['required', { type: 'required' }, ['f', 'agents__f', 'agents__c', 'shell']],
    [{ type: 'function', name: 'f' }, { type: 'named', name: 'f' }, ['f', 'agents__f', 'agents__c', 'shell']],
    [{ type: 'shell' }, { type: 'named', name: 'shell' }, ['f', 'agents__f', 'agents__c', 'shell']],
    [
      { type: 'custom', name: 'c', namespace: 'agents' },
      { type: 'named', name: 'agents__c' },
      ['f', 'agents__f', 'agents__c', 'shell'],
    ],
    [hosted, { type: 'auto' }, ['f', 'agents__f', 'agents__c', 'shell']],
    ['agents__f', { type: 'named', name: 'agents__f' }, ['f', 'agents__f', 'agents__c', 'shell']],
    [
      { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'f' }, { type: 'shell' }] },
      { type: 'required' },
      ['f', 'shell'],
    ],
  ])('are chosen by %j', async (choice, toolChoice, names) => {
    const { conversation } = await read({ tools: [f, agents, { type: 'shell' }], tool_choice: choice })
    expect(conversation.toolChoice).toEqual(toolChoice)
    expect(namesIn(conversation.tools)).toEqual(names)
  })
})

describe('fields', () => {
  it.each<[JsonObject, object]>([
    [{ max_output_tokens: 9 }, { maxTokens: 9 }],
    [{ temperature: 0.5, top_p: 0.9 }, { sampling: { temperature: 0.5, topP: 0.9 } }],
    [{ parallel_tool_calls: false }, { parallelCalls: false }],
    [{ reasoning: { effort: 'none' } }, { reasoning: { enabled: false, effort: 'none' } }],
    [{ reasoning: { effort: 'low' } }, { reasoning: { enabled: true, effort: 'low' } }],
    [{ text: { verbosity: 'low' } }, { system: expect.stringMatching(/short/) }],
    [
      { text: { verbosity: 'high' }, instructions: 'Be kind.' },
      { system: expect.stringMatching(/^Be kind\.\n\n.*detail/) },
    ],
    [{ text: { verbosity: 'medium' } }, { system: '' }],
    [{ text: { verbosity: null } }, { system: '' }],
    [{ text: { format: { type: 'json_object' } } }, { responseFormat: { type: 'json' } }],
    [
      { text: { format: { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true } } },
      { responseFormat: { type: 'json-schema', name: 'n', schema: { type: 'object' }, strict: true } },
    ],
  ])('%j is read', async (body, conversation) => {
    const decoded = await read(body)
    expect(decoded.conversation).toMatchObject(conversation)
    expect(decoded.codes).toEqual([])
  })

  it.each<[JsonObject, string[]]>([
    [{ background: false, conversation: null }, []],
    [{ truncation: 'auto', store: true, prompt_cache_key: 'x', client_metadata: {} }, []],
    [{ another: 1 }, ['field-unknown']],
    [{ top_logprobs: 2 }, ['field-ignored']],
    [{ include: ['reasoning.encrypted_content', 'web_search_call.action.sources'] }, []],
    [{ include: ['message.output_text.logprobs'] }, ['field-ignored']],
  ])('%j is reported as %j', async (body, codes) => {
    expect((await read(body)).codes).toEqual(codes)
  })
})

it.each<[JsonObject, JsonObject]>([
  [{}, { format: { type: 'text' } }],
  [{ text: { format: null } }, { format: { type: 'text' } }],
  [{ text: { format: { type: 'json_object' } } }, { format: { type: 'json_object' } }],
])('%j is repeated in the response with its format', async (body, text) => {
  expect((await read(body)).options.echo.members.text).toEqual(text)
})

it('refuses a verbosity that the API does not have', async () => {
  expect(await errorOf({ text: { verbosity: 'loud' } })).toMatchObject({
    code: 'invalid-request',
    param: 'text.verbosity',
  })
})

it.each([['background', { background: true }]])(
  '%s is refused, because the reply would not be what the client waits for',
  async (field, body) => {
    expect(await errorOf(body)).toMatchObject({ code: 'invalid-request', param: field })
  },
)

it('throws nothing but AnycallError, whatever the body', async () => {
  const types = [
    'message',
    'function_call',
    'shell_call',
    'reasoning',
    'tool_search_output',
    'item_reference',
    'compaction',
    'x',
  ]
  const item = fc.record(
    {
      type: fc.constantFrom(...types),
      role: fc.jsonValue(),
      content: fc.jsonValue(),
      call_id: fc.jsonValue(),
      action: fc.jsonValue(),
      tools: fc.jsonValue(),
      name: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  const body = fc.record(
    {
      model: fc.constant('m'),
      input: fc.oneof(fc.jsonValue(), fc.array(item)),
      tools: fc.oneof(fc.jsonValue(), fc.array(item)),
      tool_choice: fc.jsonValue(),
      text: fc.jsonValue(),
      include: fc.jsonValue(),
    },
    { requiredKeys: ['model', 'input'] },
  )
  await fc.assert(
    fc.asyncProperty(body, async (value) => {
      try {
        await decode(value, { seals })
      } catch (error) {
        if (!AnycallError.isInstance(error)) throw error
      }
    }),
  )
})
