// A program that shows a reply while it is written: the state of a page, made by a reducer.
import { expect, test } from 'vitest'
import { createReader, ReplyCollector, type ReplySnapshot } from '../../src/index.ts'

const pieces = ['Let me look. <tool_', 'call>{"name": "get_weather", "arguments": {"city": "Par', 'is"}}</tool_call>']

test('each piece of the text makes a state, in which the arguments of a call grow', () => {
  const reader = createReader({ tools: ['get_weather'], dialect: 'hermes' })
  const collector = new ReplyCollector()
  const states: ReplySnapshot[] = pieces.map((piece) => {
    collector.push(reader.push(piece))
    return collector.snapshot()
  })
  collector.push(reader.end())
  const shown = [...states, collector.snapshot()].map(({ parts }) =>
    parts.map((part) => (part.type === 'call' ? `${part.name}(${part.arguments.city ?? ''})` : part.text.trim())),
  )
  expect(shown).toEqual([
    ['Let me look.'],
    ['Let me look.', 'get_weather(Par)'],
    ['Let me look.', 'get_weather(Paris)'],
    ['Let me look.', 'get_weather(Paris)'],
  ])
})
