import { expect, test } from 'vitest'
import type { Tool } from './conversation.ts'
import { freezeList, toolsKey, toolsText } from './frozen-list.ts'
import { ListMemo } from './memo.ts'

const list = (): Tool[] => [
  { name: 'run', description: 'Runs.', schema: { type: 'object', properties: { a: { enum: [null, [1]] } } } },
]

test('what is made of a frozen list is made once for the list', () => {
  const once = new ListMemo<number>()
  let made = 0
  const ask = (tools: Tool[]): number => once.of(tools, () => ++made)
  const [one, other] = [freezeList(list()), freezeList(list())]
  expect([ask(one), ask(one), ask(other), ask(one)]).toEqual([1, 1, 2, 1])
})

test('a list that may change is looked at each time', () => {
  const tools = list()
  const before = toolsText(tools)
  tools.push({ name: 'walk', description: '', schema: {} })
  expect([JSON.parse(before), JSON.parse(toolsText(tools))]).toEqual([list(), tools])
})

test('nothing in a frozen list can be changed', () => {
  const [tool] = freezeList(list())
  expect(() => {
    if (tool) tool.description = 'Walks.'
  }).toThrow(TypeError)
  expect(() => Object.assign(tool?.schema.properties ?? {}, { b: {} })).toThrow(TypeError)
})

test('each frozen list has a key of its own, and no list has that of another', () => {
  const [one, other, open] = [freezeList(list()), freezeList(list()), list()]
  expect(toolsKey(one)).toBe(toolsKey(one))
  expect(new Set([one, other, open].map(toolsKey)).size).toBe(3)
  open.push({ name: 'walk', description: '', schema: {} })
  expect(toolsKey(open)).toBe(toolsText(open))
})
