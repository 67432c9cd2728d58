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

test('a frozen list keeps the 64 values that were made last', () => {
  const tools = freezeList(list())
  const memos = Array.from({ length: 100 }, () => new ListMemo<number>())
  let made = 0
  const ask = (memo: ListMemo<number> | undefined): number | undefined => memo?.of(tools, () => ++made)
  expect(memos.map(ask)).toEqual(memos.map((_, at) => at + 1))
  expect([99, 36, 35].map((at) => ask(memos[at]))).toEqual([100, 37, 101])
})

test('a list that was frozen elsewhere has its values kept too', () => {
  const tools = Object.freeze(list())
  const memo = new ListMemo<object>()
  expect(memo.of(tools, () => ({}))).toBe(memo.of(tools, () => ({})))
  expect(freezeList(tools)).toBe(tools)
})

test('the values of a list are not seen in it', () => {
  const tools = freezeList(list())
  new ListMemo<number>().of(tools, () => 1)
  expect([JSON.stringify(tools), Object.keys(tools), structuredClone(tools)]).toEqual([
    JSON.stringify(list()),
    ['0'],
    list(),
  ])
})
