// @ts-check
import { describe, expect, it, onTestFinished } from 'vitest'
import { folderOf, testTemplateLibrary } from '../library/test-templates.mjs'
import { grammar } from './grammar.mjs'

/** @import { Library } from '../library/types.ts' */
/** @import { Constraint } from '../library/template-types.ts' */

/** Calls as the test library writes them, of any name, with any object that has no brackets in it. */
const calls = String.raw`
root ::= call+
call ::= "[" [a-z0-9_#]+ " {" [^\[\]]* "}]"
`

/**
 * @param {Partial<Constraint>} [constraint] none: a library whose dialects have no grammar
 * @returns {Library}
 */
function libraryWith(constraint) {
  const { templateDialect } = testTemplateLibrary
  if (!constraint || !templateDialect) return testTemplateLibrary
  const whole = {
    grammar: calls,
    isLazy: true,
    triggers: [{ type: /** @type {const} */ ('word'), value: '[' }],
    ...constraint,
  }
  return {
    ...testTemplateLibrary,
    templateDialect: (analysis) => ({ ...templateDialect(analysis), grammar: () => whole }),
  }
}

/**
 * @param {string} output
 * @param {Partial<Constraint>} constraint
 * @param {object} [more]
 */
function scoreVector(output, constraint, more = {}) {
  const request = { messages: [{ role: 'user', content: 'Hi' }], tools: [] }
  const expected = { content: '', tool_calls: [{ name: 'f', arguments: '{}' }] }
  const vector = { id: 'v', request, output, truncated: false, expect: expected, ...more }
  const score = grammar.score(folderOf({ a: 'shy' }, { a: [vector] }, onTestFinished), libraryWith(constraint))
  return { score, difference: score?.failures[0]?.differences[0] }
}

describe('the grammar', () => {
  it.each([
    ['Text. [f {}]', {}],
    ['[f {}][g {"a": 1}]\n', {}],
    ['An [x], then [f {}]', {}],
    ['[f {}]', { isLazy: false }],
    ['[f {}]', { grammar: 'root ::= "[f {}]<end>"', stops: ['<stop>', '<end>'] }],
    ['[f {}]<end>[Text]', { stops: ['<end>'] }],
    ['[f {"a": "<end>"}]<end> and text', { stops: ['<end>'] }],
    ['a=[f {}]', { triggers: [{ type: /** @type {const} */ ('pattern'), value: '=(\\[f)' }] }],
  ])('admits %j', (output, constraint) => {
    expect(scoreVector(output, constraint).score).toMatchObject({
      passed: 1,
      total: 1,
      files: { 'a.json': { passed: 1 } },
    })
  })

  it('admits the beginning of what was cut', () => {
    expect(scoreVector('[f {"a', {}, { truncated: true }).score?.passed).toBe(1)
    expect(scoreVector('[f {"a', {}).score?.passed).toBe(0)
  })

  it.each([
    ['[f {}] and text', {}, { what: 'grammar', expected: '[f {}] and text', got: '[f {}]' }],
    ['Text. [f {}]', { isLazy: false }, { what: 'grammar', got: '' }],
    ['[f {"a": "<end>"]', { stops: ['<end>'] }, { what: 'grammar' }],
    ['<end>[f {}]]', { stops: ['<end>'] }, { what: 'grammar', got: '[f {}]' }],
    ['f {}', {}, { what: 'trigger', expected: 'word "["' }],
    ['[f {}]', { grammar: 'root ::= a' }, { what: 'error', note: 'the grammar has no rule a' }],
  ])('refuses %j', (output, constraint, difference) => {
    expect(scoreVector(output, constraint).difference).toMatchObject(difference)
  })

  it('is asked for all calls, whatever ends the turn between them', () => {
    const calls = ['f', 'g'].map((name) => ({ name, arguments: '{}' }))
    const more = { expect: { content: '', tool_calls: calls } }
    expect(scoreVector('[f {}]<end>[g {}]', { stops: ['<end>'] }, more).score?.passed).toBe(0)
  })

  it('is asked of vectors with calls only', () => {
    expect(scoreVector('x', {}, { expect: { content: 'x' } }).score).toBeUndefined()
  })

  it('is asked of what templates write', () => {
    const score = grammar.score(folderOf({ a: 'ids' }, {}, onTestFinished), libraryWith({}))
    const failures = score?.failures.map(({ id }) => id)
    expect(score?.total).toBeGreaterThan(50)
    expect(failures).toContain('a/a list of integers')
    expect(failures).not.toContain('a/an object')
  })

  it('is not scored where the dialects have none', () => {
    expect(grammar.score(folderOf({ a: '' }, {}, onTestFinished), libraryWith())).toBeUndefined()
  })
})
