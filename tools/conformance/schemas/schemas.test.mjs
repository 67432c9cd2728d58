// @ts-check
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { testLibrary } from '../library/test-library.mjs'
import { compact, parseOrdered } from './ordered-json.mjs'
import { schemas } from './schemas.mjs'

/** @import { Library } from '../library/types.ts' */
/** @import { TemplateDialect } from '../library/template-types.ts' */

const folder = mkdtempSync(join(tmpdir(), 'schemas-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A library whose grammar of a schema is the one that its title holds; what it says of itself stands in its description. */
/** @type {Library} */
const library = {
  ...testLibrary,
  safeLoadTemplate: (source) => /** @type {any} */ ({ type: 'template', template: { source } }),
  analyzeTemplate: (template) => /** @type {any} */ ({ template }),
  templateDialect: () =>
    /** @type {TemplateDialect} */ (
      /** @type {unknown} */ ({
        grammar: (/** @type {any} */ { responseSchema: { title, description } }) =>
          title && { grammar: title, isLazy: false, triggers: [], widened: description ? [description] : [] },
      })
    ),
}

test('a schema passes where all valid instances are admitted and no invalid one', () => {
  const anyDigits = 'root ::= [0-9]+'
  const tests = [
    { valid: true, data: 1 },
    { valid: false, data: 'a' },
  ]
  const cases = [
    { id: 'both', schema: { title: anyDigits }, tests },
    { id: 'none to ask', schema: { title: anyDigits }, tests: [] },
    { id: 'refuses', schema: { title: 'root ::= "0"' }, tests },
    { id: 'admits', schema: { title: 'root ::= .+' }, tests },
    { id: 'admits and says so', schema: { title: 'root ::= .+', description: 'any text' }, tests },
    { id: 'no grammar', schema: {}, tests: [] },
  ]
  mkdirSync(join(folder, 'schemas'), { recursive: true })
  writeFileSync(join(folder, 'schemas', 'a.jsonl'), `${cases.map((one) => JSON.stringify(one)).join('\n')}\n{]\n`)
  const score = schemas.score(folder, library)
  expect(score?.files).toEqual({ 'a.jsonl': { passed: 2, total: 7 } })
  expect(score?.failures.map(({ id }) => id)).toEqual([
    ...['refuses', 'admits', 'admits and says so', 'no grammar', 'a.jsonl#7'],
  ])
  const { ms, ...figures } = score?.figures ?? {}
  expect(figures).toEqual({ refusesValid: 1, admitsInvalid: 2, admitsInvalidUnannounced: 1, errors: 2 })
  expect(ms).toEqual({ p50: expect.any(Number), p99: expect.any(Number), max: expect.any(Number) })
})

test('instances keep the order of their members and the digits of their numbers', () => {
  const json = ' { "b" : 1.0 , "1" : [ 1e5, "x\\u00e9\\/ ,", { } , [ ] ], "a": null }'
  expect(compact(parseOrdered(json))).toBe('{"b":1.0,"1":[1e5,"xé/ ,",{},[]],"a":null}')
})
