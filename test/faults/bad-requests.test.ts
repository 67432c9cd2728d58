import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../src/conversation/index.ts'
import { coveringTests } from '../support/covering-tests.ts'
import { type RunningGateway, startGateway } from '../support/gateway-fixture.ts'
import { apis, everyApi, expectFailure, isOpenAI, requestLine, send, someForms, weather } from './api.ts'

let gateway: RunningGateway
beforeAll(async () => {
  gateway = await startGateway({
    config: {
      models: [{ match: ['test-*', 'other'], upstream: 'test' }],
      limits: { toolCount: 3, schemaDepth: 8, bodyMegabytes: 8 },
    },
  })
})
afterAll(() => gateway.close())

const encoder = new TextEncoder()

const bodyTestsOf = coveringTests(everyApi, 2)

describe.each(everyApi)('$name: a body that is no request', (api) => {
  const test = bodyTestsOf(api)
  test.each<[string, string | Uint8Array<ArrayBuffer>, RegExp]>([
    ['nothing', '', /no body; send a JSON object/],
    ['JSON that breaks off', '{"model": "test-model", "messages": [', /not valid JSON/],
    ['JavaScript', "{model: 'test-model'}", /not valid JSON/],
    ['two values', '{} {}', /not valid JSON/],
    ['a form', 'model=test-model', /not valid JSON/],
    ['white space', ' \n', /not valid JSON/],
    ['a number that JSON has not', '{"model": NaN}', /not valid JSON/],
    ['a byte that UTF-8 has not', Uint8Array.of(...encoder.encode('{"model":"'), 0xff, 0x22, 0x7d), /UTF-8/],
    ['half a character', Uint8Array.of(...encoder.encode('{"model":"'), 0xe2, 0x82, 0x22, 0x7d), /UTF-8/],
    ['UTF-16', new Uint8Array(Uint16Array.from('{"a":1}', (char) => char.charCodeAt(0)).buffer), /not valid JSON/],
    ['a string', '"hello"', /body: expected an object, got the string/],
    ['an array', '[]', /body: expected an object, got an array/],
    ['null', 'null', /body: expected an object, got null/],
  ])('%s', async (_, body, message) => {
    await expectFailure(gateway, api, await send(gateway, api, body), 'invalid', message)
  })
})

test.each(everyApi)('$name: a byte order mark and a charset do no harm', async (api) => {
  const body = `\ufeff${JSON.stringify(api.request())}`
  const answer = await send(gateway, api, body, { headers: { 'content-type': 'application/json; charset=utf-8' } })
  expect(answer.status).toBe(200)
})

/** Fields with values of the wrong type, and the path that the error must name; default: the field itself. */
type WrongField = [field: string, value: JsonValue, path?: string]

const wrongInAll: WrongField[] = [
  ['model', 7],
  ['model', null],
  ['model', ''],
  ['model', ['test-model']],
  ['tools', {}],
  ['tools', 'get_weather'],
  ['tools', [7], 'tools[0]'],
  ['tool_choice', 7],
  ['tool_choice', []],
  ['tool_choice', 'sometimes'],
  ['temperature', 'hot'],
  ['temperature', []],
  ['top_p', {}],
  ['stream', 'yes'],
  ['stream', 1],
]

/** Those of the APIs whose conversations are messages. */
const wrongInMessages: WrongField[] = [
  ['messages', 'hello'],
  ['messages', null],
  ['messages', []],
  ['messages', {}],
  ['messages', [{ role: 'user', content: '' }]],
  ['messages', [{ role: 'user', content: [] }]],
  ['messages', [{ role: 'user', content: [{ type: 'text', text: '' }] }]],
  [
    'messages',
    [
      { role: 'user', content: '' },
      { role: 'assistant', content: '' },
    ],
  ],
  ['messages', [7], 'messages[0]'],
  ['messages', [null], 'messages[0]'],
  ['messages', [{ content: 'x' }], 'messages[0].role'],
  ['messages', [{ role: 'wizard', content: 'x' }], 'messages[0].role'],
  ['messages', [{ role: 1, content: 'x' }], 'messages[0].role'],
  ['messages', [{ role: 'user', content: 7 }], 'messages[0].content'],
  ['messages', [{ role: 'user', content: { type: 'text', text: 'x' } }], 'messages[0].content'],
  ['messages', [{ role: 'user', content: [7] }], 'messages[0].content[0]'],
  ['messages', [{ role: 'user', content: [{ text: 'x' }] }], 'messages[0].content[0].type'],
  ['messages', [{ role: 'user', content: [{ type: 'text', text: 7 }] }], 'messages[0].content[0].text'],
  ['max_tokens', '100'],
  ['max_tokens', 0],
  ['max_tokens', 1.5],
  ['max_tokens', -7],
]

const wrongInOne: Record<(typeof apis)[number]['name'], WrongField[]> = {
  anthropic: [
    ...wrongInMessages,
    ['system', 7],
    ['system', [7], 'system[0]'],
    ['system', [{ type: 'text', text: null }], 'system[0].text'],
    ['stop_sequences', 'x'],
    ['stop_sequences', [7], 'stop_sequences[0]'],
    ['tools', [{ name: 7, input_schema: {} }], 'tools[0].name'],
    ['tools', [{ name: '', input_schema: {} }], 'tools[0].name'],
    ['tools', [{ name: 'a', input_schema: 'object' }], 'tools[0].input_schema'],
    ['tools', [{ name: 'a', description: 7 }], 'tools[0].description'],
    ['tools', [{ name: 'a' }, { name: 'a' }], 'tools[1].name'],
    ['tool_choice', { type: 'tool' }, 'tool_choice.name'],
    ['tool_choice', { type: 'tool', name: 'nothing' }, 'tool_choice.name'],
    ['tool_choice', { type: 'any' }],
    ['thinking', 'please'],
    [
      'messages',
      [{ role: 'assistant', content: [{ type: 'tool_use', id: 7, name: 'a' }] }],
      'messages[0].content[0].id',
    ],
    ['messages', [{ role: 'user', content: [{ type: 'tool_use', id: 'a', name: 'a' }] }], 'messages[0].content[0]'],
    [
      'messages',
      [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1' }] }],
      'messages[0].content[0].tool_use_id',
    ],
    ['messages', [{ role: 'user', content: [{ type: 'image', source: 7 }] }], 'messages[0].content[0].source'],
    [
      'messages',
      [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url: 'file:///etc/passwd' } }] }],
      'messages[0].content[0].source.url',
    ],
  ],
  openai: [
    ...wrongInMessages,
    ['stop', 7],
    ['stop', [7], 'stop[0]'],
    ['stream_options', 'x'],
    ['parallel_tool_calls', 'no'],
    ['max_completion_tokens', '100'],
    ['n', 'two'],
    ['tools', [{ type: 'function', function: 'a' }], 'tools[0].function'],
    ['tools', [{ type: 'function', function: { name: 7 } }], 'tools[0].function.name'],
    ['tools', [{ type: 'function', function: { name: 'a', parameters: 'x' } }], 'tools[0].function.parameters'],
    ['tool_choice', 'required'],
    ['tool_choice', { type: 'function', function: { name: 'nothing' } }, 'tool_choice.function.name'],
    ['messages', [{ role: 'assistant', tool_calls: 'x' }], 'messages[0].tool_calls'],
    ['messages', [{ role: 'tool', tool_call_id: 'call_1', content: 'x' }], 'messages[0].tool_call_id'],
    [
      'messages',
      [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'file:///etc/passwd' } }] }],
      'messages[0].content[0].image_url.url',
    ],
  ],
  responses: [
    ['input', 7],
    ['input', {}],
    ['input', []],
    ['input', ''],
    ['input', [{ role: 'user', content: '' }]],
    ['input', [7], 'input[0]'],
    ['input', [null], 'input[0]'],
    ['input', [{ type: 7 }], 'input[0].type'],
    ['input', [{ type: 'message', content: 'x' }], 'input[0].role'],
    ['input', [{ role: 'wizard', content: 'x' }], 'input[0].role'],
    ['input', [{ role: 1, content: 'x' }], 'input[0].role'],
    ['input', [{ role: 'user', content: 7 }], 'input[0].content'],
    ['input', [{ role: 'user', content: [7] }], 'input[0].content[0]'],
    ['input', [{ role: 'user', content: [{ text: 'x' }] }], 'input[0].content[0].type'],
    ['input', [{ role: 'user', content: [{ type: 'input_text', text: 7 }] }], 'input[0].content[0].text'],
    ['input', [{ type: 'function_call', call_id: 'c', name: 7 }], 'input[0].name'],
    ['input', [{ type: 'custom_tool_call', call_id: 'c', name: 'a', input: 7 }], 'input[0].input'],
    ['input', [{ type: 'function_call_output', call_id: 'c', output: 'x' }], 'input[0].call_id'],
    ['instructions', 7],
    ['max_output_tokens', '100'],
    ['max_output_tokens', 0],
    ['reasoning', 'much'],
    ['text', 'long'],
    ['text', { format: 'json' }, 'text.format'],
    ['text', { format: { type: 'json_schema', schema: 7 } }, 'text.format.schema'],
    ['include', 'all'],
    ['store', 'yes'],
    ['previous_response_id', 7],
    ['parallel_tool_calls', 'no'],
    ['background', true],
    ['conversation', 7],
    ['tools', [{ type: 'function', name: 7 }], 'tools[0].name'],
    ['tools', [{ type: 'function', name: 'a', parameters: 'x' }], 'tools[0].parameters'],
    ['tools', [{ type: 'namespace', name: 'a', tools: 7 }], 'tools[0].tools'],
    ['tool_choice', 'required'],
    ['tool_choice', { type: 'function', name: 'nothing' }, 'tool_choice.name'],
  ],
}

describe.each(apis)('$name: a field of the wrong type', (api) => {
  test.each([...wrongInAll, ...wrongInOne[api.name]])('%s: %j', async (field, value, path = field) => {
    const answer = await send(gateway, api, { ...api.request(), [field]: value })
    const error = await expectFailure(gateway, api, answer, 'invalid', path)
    if (isOpenAI(api)) expect(error.param).toBe(path)
    // The error and the advice are more than the field’s name.
    expect(String(error.message).replace(path, '').length).toBeGreaterThan(15)
  })
})

const nestingTestsOf = coveringTests(apis, 2)

describe.each(apis)('$name: nesting', (api) => {
  const test = nestingTestsOf(api)
  const nested = (depth: number, open: string, close: string): string => `${open.repeat(depth)}${close.repeat(depth)}`
  const around = (request: JsonObject, field: string, json: string): string =>
    JSON.stringify({ ...request, [field]: '@' }).replace('"@"', () => json)

  test.each<[string, string]>([
    ['tools', '[{"name":"a","input_schema":@,"parameters":@}]'],
    ['messages', '[{"role":"user","content":@}]'],
    ['messages', '[{"role":"user","content":[{"type":"text","text":"x","extra":@}]}]'],
    ['messages', '[{"role":"user","content":[{"type":"unknown","content":@}]}]'],
    ['messages', '[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"a","input":@}]}]'],
    ['input', '[{"role":"user","content":@}]'],
    ['input', '[{"type":"unknown","content":@}]'],
    ['input', '[{"type":"function_call","call_id":"a","name":"a","arguments":@}]'],
    ['input', '[{"type":"shell_call","call_id":"a","action":{"commands":["a"],"env":@}}]'],
    ['metadata', '@'],
    ['unknown_field', '@'],
  ])('100,000 deep in %s %s', async (field, json) => {
    const depth = 100_000
    for (const deep of [nested(depth, '[', ']'), `${nested(depth, '{"a":', '}').replace(':}', ':1}')}`]) {
      const answer = await send(gateway, api, around(api.request(), field, json.replaceAll('@', deep)))
      // Refused, or accepted if nothing reads it: never an internal error, never a hang.
      expect([200, 400]).toContain(answer.status)
      if (answer.status === 400) await expectFailure(gateway, api, answer, 'invalid', /./)
    }
  })

  test('100,000 deep in the JSON text of an earlier call', async () => {
    const deep = nested(100_000, '{"a":', '}').replace(':}', ':1}')
    const earlier: Record<(typeof apis)[number]['name'], JsonObject> = {
      anthropic: {
        messages: [
          { role: 'user', content: 'x' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'get_weather', input: deep }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'x' }] },
        ],
      },
      openai: {
        messages: [
          { role: 'user', content: 'x' },
          {
            role: 'assistant',
            tool_calls: [{ id: 'c', type: 'function', function: { name: 'get_weather', arguments: deep } }],
          },
          { role: 'tool', tool_call_id: 'c', content: 'x' },
        ],
      },
      responses: {
        input: [
          { role: 'user', content: 'x' },
          { type: 'function_call', call_id: 'c', name: 'get_weather', arguments: deep },
          { type: 'function_call_output', call_id: 'c', output: 'x' },
        ],
      },
    }
    const answer = await send(gateway, api, { ...api.request({ tools: [weather] }), ...earlier[api.name] })
    expect([200, 400]).toContain(answer.status)
  })

  test('a body that is nothing but brackets', async () => {
    const answer = await send(gateway, api, nested(1_000_000, '[', ']'))
    await expectFailure(gateway, api, answer, 'invalid', 'nests deeper than 200 levels')
  })
})

describe.each(everyApi)('$name: tools past the limits', (api) => {
  test('too many', async () => {
    const tools = ['a', 'b', 'c', 'd'].map((name) => ({ ...weather, name }))
    const answer = await send(gateway, api, api.request({ tools }))
    const error = await expectFailure(
      gateway,
      api,
      answer,
      'invalid',
      '4 tools; at most 3 are allowed (limits.toolCount)',
    )
    if (isOpenAI(api)) expect(error.param).toBe('tools')
  })

  test('a schema that nests too deeply', async () => {
    // One level for the schema, two for each property in it, one for the items.
    let schema: JsonObject = { type: 'string' }
    for (let depth = 0; depth < 3; depth++) schema = { type: 'object', properties: { a: schema } }
    schema = { type: 'array', items: schema }
    const allowed = await send(gateway, api, api.request({ tools: [{ name: 'deep', schema }] }))
    expect(allowed.status).toBe(200)
    const deeper = { type: 'array', items: schema }
    const answer = await send(gateway, api, api.request({ tools: [weather, { name: 'deep', schema: deeper }] }))
    const error = await expectFailure(gateway, api, answer, 'invalid', /schema of the tool "deep".*8 levels/)
    if (isOpenAI(api)) expect(error.param).toBe('tools[1]')
  })
})

describe.each(someForms)('$api.name, stream: $stream', ({ api, stream }) => {
  test('a model that is not there', async () => {
    const answer = await send(gateway, api, api.request({ stream, model: 'gpt-9' }))
    const error = await expectFailure(
      gateway,
      api,
      answer,
      'not-found',
      'There is no model "gpt-9" here. This gateway serves: test-*, other',
    )
    if (isOpenAI(api)) expect(error).toMatchObject({ code: 'model_not_found', param: 'model' })
  })
})

test.each(apis)('$name: what a client repeats without end is not repeated to the log', async (api) => {
  const long = 'x'.repeat(1_000_000)
  for (const body of [
    api.request({ model: long }),
    api.request({ model: `test-${long}` }),
    { ...api.request(), messages: [{ role: long, content: 'x' }] },
    { ...api.request(), input: [{ role: long, content: 'x' }] },
    { ...api.request(), [long]: 1 },
    { ...api.request(), tools: [{ type: long, name: 'x' }] },
  ]) {
    const before = gateway.log.length
    const answer = await send(gateway, api, body)
    await requestLine(gateway, answer.headers.get('request-id') ?? '')
    expect(JSON.stringify(gateway.log.slice(before)).length).toBeLessThan(10_000)
  }
})

describe('routes', () => {
  test.each(apis)('$name: an unknown path under it', async (api) => {
    const answer = await send(gateway, api, api.request(), { path: `${api.path}/more/of/it` })
    await expectFailure(gateway, api, answer, 'not-found', `There is nothing at ${api.path}/more/of/it`)
  })

  test.each(apis)('$name: a base URL with /v1 once too often, or without it, is taken', async (api) => {
    for (const path of [`/v1${api.path}`, api.path.replace('/v1', '')]) {
      expect((await send(gateway, api, api.request(), { path })).status).toBe(200)
    }
    const answer = await send(gateway, api, api.request(), { path: `/v1/v1${api.path}` })
    await expectFailure(gateway, api, answer, 'not-found', /a base URL for OpenAI's clients ends with \/v1/)
  })

  test.each(apis)('$name: another method', async (api) => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await send(gateway, api, null, { method })
      await expectFailure(gateway, api, answer, 'wrong-method', `${api.path} takes POST, not ${method}`)
    }
  })

  test('a path of any length is named in part', async () => {
    const [api] = apis
    if (!api) return
    const answer = await send(gateway, api, null, { method: 'GET', path: `/${'y'.repeat(10_000)}` })
    await expectFailure(gateway, api, answer, 'not-found', 'There is nothing at /yyy')
    expect(answer.text.length).toBeLessThan(1000)
  })

  test.each(['?beta=true', '?'])('a query (%s) is no part of the path', async (query) => {
    for (const api of apis) {
      expect((await send(gateway, api, api.request(), { path: api.path + query })).status).toBe(200)
    }
  })
})

test('counting tokens refuses what a message would', async () => {
  const [api] = apis
  if (!api) return
  const path = '/v1/messages/count_tokens'
  const wrong = await send(gateway, api, { ...api.request(), model: 7 }, { path })
  await expectFailure(gateway, api, wrong, 'invalid', 'model: expected a string, got the number 7')
  const many = ['a', 'b', 'c', 'd'].map((name) => ({ ...weather, name }))
  const answer = await send(gateway, api, api.request({ tools: many }), { path })
  await expectFailure(gateway, api, answer, 'invalid', '4 tools')
})

test.each(apis)('$name: what is not served is told in a header and the log', async (api) => {
  const odd = {
    ...api.request({ stream: true }),
    frobnicate: 1,
    tools: [{ type: 'web_search_20250305', name: 'search' }],
  }
  const answer = await send(gateway, api, odd)
  expect(answer.status).toBe(200)
  const codes = answer.headers.get('x-anycall-notices')?.split(', ') ?? []
  expect(codes).toContain('tool-type-unsupported')
  expect(codes).toContain(api.name === 'anthropic' ? 'field-ignored' : 'field-unknown')
  const id = answer.headers.get('request-id')
  const noticed = gateway.log.filter(({ event, fields }) => event === 'notice' && fields.requestId === id)
  expect(noticed.map(({ fields }) => fields.code)).toEqual(expect.arrayContaining(codes))
  const plain = await send(gateway, api, api.request())
  expect(plain.headers.get('x-anycall-notices')).toBeNull()
})
