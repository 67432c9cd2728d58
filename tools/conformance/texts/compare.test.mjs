// @ts-check
import { describe, expect, it } from 'vitest'
import { compare } from './compare.mjs'

/** @import { ExpectedMessage, Reading } from '../library/types.ts' */

/** @type {Reading} */
const reading = {
  content: ' Let me look.\n',
  reasoning: 'hm\n',
  calls: [{ name: 'read', json: '{"path": "a", "deep": {"n": 1.0}}', id: 'c1' }],
  incomplete: [],
  report: { sawToolCallSyntax: true, rejectedByPolicy: true, rejectedToolNames: ['x', 'y'] },
  notices: [],
  canonical: '',
  faults: [],
}
const read = { name: 'read', arguments: { deep: { n: 1 }, path: 'a' } }

/** @type {ExpectedMessage} */
const nothing = { contains: [], excludes: [], report: {} }

/** @type {[string, Partial<ExpectedMessage>, string[]][]} what differs */
const table = [
  ['compares nothing that is not expected', {}, []],
  ['trims content and reasoning', { content: 'Let me look.', reasoning: '\nhm' }, []],
  ['tells white space within content apart', { content: 'Let  me look.' }, ['content']],
  ['takes an empty content for one', { content: '' }, ['content']],
  ['takes an empty reasoning for one', { reasoning: '' }, ['reasoning']],
  ['finds texts in content', { contains: ['Let', 'look.'], excludes: ['read', 'hm'] }, []],
  ['misses texts in content', { contains: ['let'], excludes: ['look'] }, ['content', 'content']],
  ['compares arguments as values', { calls: [read] }, []],
  ['compares arguments wholly', { calls: [{ ...read, arguments: { path: 'a' } }] }, ['calls']],
  ['tells a number from its text', { calls: [{ ...read, arguments: { path: 'a', deep: { n: '1' } } }] }, ['calls']],
  ['compares names exactly', { calls: [{ ...read, name: 'Read' }] }, ['calls']],
  ['takes any arguments where none are expected', { calls: [{ name: 'read' }] }, []],
  ['compares an id that is expected', { calls: [{ ...read, id: 'c1' }] }, []],
  ['misses an id that is expected', { calls: [{ ...read, id: 'c2' }] }, ['calls']],
  ['finds a call too many', { calls: [] }, ['calls']],
  ['finds a call too few', { calls: [read, read] }, ['calls']],
  ['compares the report', { report: { sawToolCallSyntax: true, rejectedToolNames: ['x', 'y'] } }, []],
  [
    'misses what the report should say',
    { report: { rejectedByPolicy: false, rejectedToolNames: ['y', 'x'] } },
    ['rejectedByPolicy', 'rejectedToolNames'],
  ],
]

describe('compare', () => {
  it.each(table)('%s', (_, expected, what) => {
    expect(compare(reading, { ...nothing, ...expected }).map((difference) => difference.what)).toEqual(what)
  })

  it('takes no incomplete call for a call, nor for none', () => {
    const cut = { ...reading, calls: [], incomplete: [{ name: 'read', json: '{"path"' }] }
    expect(compare(cut, { ...nothing, calls: [{ name: 'read' }] })).toHaveLength(1)
    expect(compare(cut, { ...nothing, calls: [] })).toHaveLength(1)
  })

  it('keeps calls in their order', () => {
    const two = {
      ...reading,
      calls: [
        { name: 'a', json: '{}' },
        { name: 'b', json: '{}' },
      ],
    }
    expect(compare(two, { ...nothing, calls: [{ name: 'a' }, { name: 'b' }] })).toEqual([])
    expect(compare(two, { ...nothing, calls: [{ name: 'b' }, { name: 'a' }] })).toEqual([
      { what: 'calls', expected: 'b(...), a(...)', got: 'a({}), b({})' },
    ])
  })
})
