import { describe, expect, test } from 'vitest'
import type { Tool } from '../../../conversation/index.ts'
import { namedTools } from './named-tools.ts'

const wanted = { lastLines: true, elements: true }

function toolOf(name: string, keys: readonly string[], required: readonly string[] = []): Tool {
  const properties = Object.fromEntries(keys.map((key) => [key, {}]))
  return { name, description: '', schema: { type: 'object', properties, required: [...required] } }
}

const many = (count: number, length: number) => Array.from({ length: count }, (_, at) => `p${at}_`.padEnd(length, 'x'))

test('a tool has what its calls on a line and its element must hold', () => {
  expect(namedTools([toolOf('f', ['a', 'b'], ['a'])], wanted)).toEqual([
    { name: 'f', required: ['a'], elements: ['a', 'b'] },
  ])
  expect(namedTools([toolOf('f', []), toolOf('f_g', [])], wanted)).toEqual([
    { name: 'f', required: [] },
    { name: 'f_g', required: [], elements: [], mayBeEmpty: true },
  ])
})

test('a call with more than a line holds is none on a line', () => {
  expect(namedTools([toolOf('f', ['a'], many(170, 3))], wanted)).toEqual([{ name: 'f', elements: ['a'] }])
  expect(namedTools([toolOf('f', ['a'], ['k'.repeat(600)])], wanted)).toEqual([{ name: 'f', elements: ['a'] }])
})

describe('what is found by names is bounded, however much is offered', () => {
  test.each<[string, Tool[]]>([
    ['properties', [toolOf('f', many(20_000, 60))]],
    ['required names', [toolOf('f', [], many(20_000, 60))]],
    ['tools', many(20_000, 60).map((name) => toolOf(name, ['a'], ['a']))],
    ['tools with properties', many(2000, 20).map((name) => toolOf(name, many(20, 30), many(5, 30)))],
    ['long names', many(3, 100_000).map((name) => toolOf(name, ['a']))],
  ])('%s', (_, tools) => {
    expect(JSON.stringify(namedTools(tools, wanted)).length).toBeLessThan(25_000)
  })

  test('and the first tools are found', () => {
    const tools = [toolOf('first', ['a'], ['a']), ...many(20_000, 60).map((name) => toolOf(name, ['a'], ['a']))]
    expect(namedTools(tools, wanted)[0]).toEqual({ name: 'first', required: ['a'], elements: ['a'] })
  })
})
