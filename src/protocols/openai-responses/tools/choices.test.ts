import { expect, test } from 'vitest'
import { AnycallError, type JsonObject, type Notice } from '../../../conversation/index.ts'
import { decodeTools } from './tools.ts'

const crm = {
  type: 'namespace',
  name: 'crm',
  description: 'Customers.',
  tools: [
    { type: 'function', name: 'f' },
    { type: 'custom', name: 'c' },
    { type: 'function', name: 'late', defer_loading: true },
  ],
}
const tools: JsonObject[] = [
  { type: 'function', name: 'g' },
  { type: 'function', name: 'later', defer_loading: true },
  { type: 'tool_search', execution: 'client' },
  { type: 'web_search' },
  crm,
]
const found: JsonObject[] = [
  { type: 'tool_search_output', call_id: '1', execution: 'client', tools: [{ type: 'function', name: 'later' }] },
]
const later = { type: 'function', name: 'later' }

function read(choice: JsonObject | string, input: JsonObject[] = [], declared = tools) {
  const notices: Notice[] = []
  const { toolChoice, tools: offered } = decodeTools({ tools: declared, tool_choice: choice }, input, notices)
  const said = notices.filter(({ code }) => code === 'tool-choice-unsupported').map(({ message }) => message)
  return { toolChoice, names: offered.map(({ name }) => name), said }
}

function allowing(...entries: JsonObject[]): JsonObject {
  return { type: 'allowed_tools', mode: 'auto', tools: entries }
}

function errorOf(choice: JsonObject | string): AnycallError {
  try {
    read(choice)
  } catch (error) {
    if (AnycallError.isInstance(error)) return error
    throw error
  }
  throw new Error('read without an error')
}

test.each<[JsonObject[], JsonObject[], string[], string[]]>([
  [[{ type: 'namespace', name: 'crm' }], [], ['crm__f', 'crm__c'], []],
  [[{ type: 'namespace', name: 'crm' }, { type: 'tool_search' }], [], ['tool_search', 'crm__f', 'crm__c'], []],
  [[{ type: 'function', name: 'g' }, later], [], ['g'], []],
  [[{ type: 'function', name: 'g' }, later], found, ['g', 'later'], []],
  [[{ type: 'function', name: 'late', namespace: 'crm' }], [], [], []],
  [
    [{ type: 'function', name: 'g' }, { type: 'web_search' }],
    [],
    ['g'],
    ['tool_choice.tools[1]: left out; no tool of the type "web_search" is offered.'],
  ],
])('the tools that %j allows after %j are %j', (entries, input, names, said) => {
  expect(read(allowing(...entries), input)).toEqual({ toolChoice: { type: 'auto' }, names, said })
})

test('a search can be chosen if it is offered', () => {
  expect(read({ type: 'tool_search' })).toMatchObject({ toolChoice: { type: 'named', name: 'tool_search' }, said: [] })
  expect(read({ type: 'tool_search' }, [], [{ type: 'function', name: 'g' }])).toMatchObject({
    toolChoice: { type: 'auto' },
    said: [expect.stringContaining('"tool_search"')],
  })
})

test('a deferred tool can be chosen once a search has found it', () => {
  expect(read(later, found).toolChoice).toEqual({ type: 'named', name: 'later' })
  const { param, message } = errorOf(later)
  expect(param).toBe('tool_choice.name')
  expect(message).toMatch(/defer_loading.*tool_search_output/)
  expect(errorOf('later').message).toMatch(/defer_loading.*tool_search_output/)
})

test.each<[JsonObject, string, RegExp]>([
  [
    { type: 'custom', name: 'f', namespace: 'crm' },
    'tool_choice.name',
    /"f" in the namespace "crm" and the type "custom"/,
  ],
  [{ type: 'function', name: 'crm__f' }, 'tool_choice.name', /the name "crm__f" and/],
  [{ type: 'shell' }, 'tool_choice', /"shell"/],
  [allowing({ type: 'namespace', name: 'x' }), 'tool_choice.tools[0].name', /no namespace .* "x"/],
  [allowing({ type: 'function', name: 'x' }), 'tool_choice.tools[0].name', /"x"/],
])('%j is an error at %s with the name that the client gave', (choice, path, said) => {
  const { param, message } = errorOf(choice)
  expect(param).toBe(path)
  expect(message).toMatch(said)
  expect(message).not.toMatch(/_2/)
})
