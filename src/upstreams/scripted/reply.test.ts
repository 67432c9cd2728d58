import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lawRuns } from '../../../test/support/draws.ts'
import type { Conversation, Tool, Turn } from '../../conversation/index.ts'
import { namedTool } from './named-tool.ts'
import { replyTo } from './reply.ts'

const toolOf = (name: string): Tool => ({
  name,
  description: '',
  schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
})
const tools = ['Agent', 'get_weather', 'get_weather_of_week', 'Read', 'mcp__maps__find'].map(toolOf)

test.each<[text: string, named: string | undefined]>([
  ['Call get_weather.', 'get_weather'],
  ['Get weather, please', 'get_weather'],
  ['use getWeather()', 'get_weather'],
  ['get_weather_of_week or get_weather', 'get_weather_of_week'],
  ['get_weather or Read', 'get_weather'],
  ['agent, or rather Read', 'Read'],
  ['"Call get_weather."', 'get_weather'],
  ["'Run the tool `Read` in the shell'", 'Read'],
  ['read it', 'Read'],
  ['mcp maps find', 'mcp__maps__find'],
  ['a thread of agents', undefined],
  ['', undefined],
])('"%s" names %s', (text, named) => {
  expect(namedTool(text, tools)?.name).toBe(named)
})

const user = (text: string): Turn => ({ role: 'user', parts: [{ type: 'text', text }] })
const called: Turn = { role: 'assistant', parts: [{ type: 'call', id: 'c', name: 'Read', arguments: '{}' }] }
const returned = (text: string, isError = false): Turn => ({
  role: 'user',
  parts: [
    { type: 'result', callId: 'c', name: 'Read', content: [{ type: 'text', text }], isError },
    { type: 'text', text: 'A note about get_weather.' },
  ],
})
const conversation = (turns: Turn[], more: Partial<Conversation> = {}): Conversation => ({
  model: 'm',
  system: '',
  turns,
  tools,
  toolChoice: { type: 'auto' },
  parallelCalls: true,
  stopSequences: [],
  sampling: {},
  ...more,
})

describe('by itself it', () => {
  test.each<[what: string, asked: Conversation, names: string[]]>([
    ['calls the tool that is named', conversation([user('Read it.')]), ['Read']],
    ['calls the first where none is named', conversation([user('Hello!')]), ['Agent']],
    [
      'calls the one demanded',
      conversation([user('Read it.')], { toolChoice: { type: 'named', name: 'get_weather' } }),
      ['get_weather'],
    ],
    ['calls where any is demanded', conversation([user('Hello!')], { toolChoice: { type: 'required' } }), ['Agent']],
    ['calls none where none may be', conversation([user('Read it.')], { toolChoice: { type: 'none' } }), []],
    ['calls none where there are none', conversation([user('Read it.')], { tools: [] }), []],
    ['does not call again after a result', conversation([user('Read it.'), called, returned('x')]), []],
    ['nor after two', conversation([user('Read it.'), called, returned('x'), called, returned('y')]), []],
    [
      'calls for the next request',
      conversation([user('Read it.'), called, returned('x'), user('get_weather')]),
      ['get_weather'],
    ],
    [
      'looks past what clients say in between',
      conversation([user('Read it.'), { role: 'system', text: 'Agent' }]),
      ['Read'],
    ],
  ])('%s', (_, asked, names) => {
    const { text, calls = [] } = replyTo(asked)
    expect(calls).toEqual(names.map((name) => ({ name, arguments: { city: 'example' } })))
    expect(text).toContain(names.length > 0 ? `call ${names[0]}` : "anycall's scripted model")
  })

  test('calls the same tool for a request in quotation marks, as `opencode run` sends its prompt', () => {
    const marks = fc.constantFrom(['"', '"'], ["'", "'"], ['`', '`'], ['“', '”'], ['«', '»'], ['```\n', '\n```'])
    const named = fc.constantFrom(...tools.map(({ name }) => name), 'the shell')
    fc.assert(
      fc.property(named, marks, marks, (name, [open, close], [before, after]) => {
        const request = `Call ${open}${name}${close} with \`echo hi\``
        const calls = (text: string) => replyTo(conversation([user(text)])).calls?.map((call) => call.name)
        expect(calls(`${before}${request}${after}`)).toEqual(calls(`Call ${name} with \`echo hi\``))
      }),
      { numRuns: lawRuns },
    )
  })

  test('tells the results since the request, and whether they are failures', () => {
    const turns = [
      user('Read it.'),
      called,
      returned('old'),
      user('Again.'),
      called,
      returned('x'),
      called,
      returned('no', true),
    ]
    expect(replyTo(conversation(turns)).text).toMatch(/model\.\nRead returned: x\nRead failed: no$/)
  })

  test('tells no more than the beginning of a result, in whole characters', () => {
    const { text = '' } = replyTo(conversation([user('Read it.'), called, returned(`a${'😀'.repeat(1000)}`)]))
    expect(text.length).toBeLessThan(700)
    expect(text).toMatch(/😀…$/u)
    expect(text).not.toMatch(/\p{Cs}/u)
  })
})
