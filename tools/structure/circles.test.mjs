import { expect, test } from 'vitest'
import { circles } from './circles.mjs'

/** @param {Record<string, string[]>} edges */
const graph = (edges) => new Map(Object.entries(edges).map(([from, to]) => [from, new Set(to)]))

test('finds no circle in a tree, nor where two ways lead to one node', () => {
  expect(circles(graph({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }))).toEqual([])
})

test('finds two that import each other, and a longer way round', () => {
  expect(circles(graph({ a: ['b'], b: ['a'] }))).toEqual([['a', 'b']])
  expect(circles(graph({ x: ['a'], a: ['b'], b: ['c'], c: ['a', 'd'], d: [] }))).toEqual([['a', 'b', 'c']])
})

test('tells circles apart that share no node', () => {
  expect(circles(graph({ a: ['b'], b: ['a', 'c'], c: ['d'], d: ['c'] })).sort()).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
})
