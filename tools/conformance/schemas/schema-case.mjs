// @ts-check
import { compact, memberOf, parseOrdered } from './ordered-json.mjs'

/** @import { JsonObject } from '../../../src/conversation/index.ts' */

/**
 * A schema with texts that fit it and texts that do not.
 * @typedef {object} SchemaCase
 * @property {string} id
 * @property {JsonObject} schema
 * @property {readonly { isValid: boolean, json: string }[]} tests `json`: the instance as compact JSON, its members in the order of the file
 */

/**
 * Reads a line of a file of schemas: `{"id", "schema", "tests": [{"valid", "data"}]}`.
 * @param {string} line
 * @returns {SchemaCase}
 * @throws {Error} where it is none: the message says why
 */
export function parseSchemaCase(line) {
  /** @type {unknown} */
  const json = JSON.parse(line)
  if (typeof json !== 'object' || json === null) throw new Error('a case must be an object')
  const { id, schema, tests } = /** @type {Record<string, unknown>} */ (json)
  if (typeof id !== 'string' || id === '') throw new Error('a case needs an id')
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) throw new Error(`${id} has no schema`)
  if (!Array.isArray(tests)) throw new Error(`${id} has no list of tests`)
  const ordered = memberOf(parseOrdered(line), 'tests')
  const own = ordered?.type === 'array' ? ordered.items : []
  return {
    id,
    schema: /** @type {JsonObject} */ (schema),
    tests: own.map((test, at) => {
      const data = memberOf(test, 'data')
      const valid = memberOf(test, 'valid')
      const isJudged = valid?.type === 'scalar' && (valid.text === 'true' || valid.text === 'false')
      if (!data || !isJudged) throw new Error(`test ${at} of ${id} needs "valid" and "data"`)
      return { isValid: valid.text === 'true', json: compact(data) }
    }),
  }
}
