// @ts-check
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseGbnf } from '../grammar/gbnf-grammar.mjs'
import { matchGbnf } from '../grammar/gbnf-matcher.mjs'
import { failed, tally } from '../score/tally.mjs'
import { parseSchemaCase } from './schema-case.mjs'

/** @import { Difference, Library, Section, SectionScore } from '../library/types.ts' */
/** @import { TemplateDialect } from '../library/template-types.ts' */
/** @import { SchemaCase } from './schema-case.mjs' */

/**
 * Schemas of whole replies: `schemas/*.jsonl`, a schema a line. A schema passes where the grammar of a reply with that response schema admits
 * the compact JSON of every valid instance and of no invalid one.
 * @type {Section}
 */
export const schemas = { name: 'schemas', score: scoreSchemas }

/** A template without calls and reasoning: its replies are texts, and so are JSON alone where a schema is asked for. */
const plainTemplate = '{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}<|assistant|>'

/**
 * @param {string} folder
 * @param {Library} library
 * @returns {SectionScore | undefined}
 */
function scoreSchemas(folder, library) {
  const root = join(folder, 'schemas')
  const dialect = plainDialect(library)
  if (!existsSync(root) || !dialect) return undefined
  const names = readdirSync(root).filter((name) => name.endsWith('.jsonl'))
  const tallies = new Tallies()
  const files = names.sort().map((file) => {
    const lines = readFileSync(join(root, file), 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
    return { file, outcomes: lines.map((line, at) => tallies.outcomeOf(line, `${file}#${at + 1}`, dialect)) }
  })
  const score = tally(files)
  return score && { ...score, figures: tallies.figures }
}

/**
 * @param {Library} library
 * @returns {TemplateDialect | undefined}
 */
function plainDialect({ safeLoadTemplate, analyzeTemplate, templateDialect }) {
  const loaded = safeLoadTemplate?.(plainTemplate, {})
  if (!analyzeTemplate || !templateDialect || loaded?.type !== 'template') return undefined
  return templateDialect(analyzeTemplate(loaded.template))
}

/** The counts of faults by schemas, and the time that the grammars took. */
class Tallies {
  refusesValid = 0
  admitsInvalid = 0
  admitsInvalidUnannounced = 0
  errors = 0
  /** @type {number[]} */
  times = []

  get figures() {
    const { refusesValid, admitsInvalid, admitsInvalidUnannounced, errors } = this
    const sorted = this.times.toSorted((one, other) => one - other)
    const at = (/** @type {number} */ share) => round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0)
    const ms = { p50: at(0.5), p99: at(0.99), max: at(1) }
    return { refusesValid, admitsInvalid, admitsInvalidUnannounced, errors, ms }
  }

  /**
   * @param {string} line
   * @param {string} place
   * @param {TemplateDialect} dialect
   */
  outcomeOf(line, place, dialect) {
    /** @type {SchemaCase | undefined} */
    let schemaCase
    try {
      schemaCase = parseSchemaCase(line)
      return { id: schemaCase.id, differences: this.differences(schemaCase, dialect) }
    } catch (error) {
      this.errors++
      return failed(schemaCase?.id ?? place, error instanceof Error ? error.message : String(error))
    }
  }

  /**
   * @param {SchemaCase} schemaCase
   * @param {TemplateDialect} dialect
   * @returns {Difference[]}
   */
  differences({ schema, tests }, dialect) {
    const request = { tools: [], toolChoice: /** @type {const} */ ({ type: 'none' }), parallelCalls: false }
    const start = performance.now()
    const made = dialect.grammar?.({ ...request, responseSchema: schema })
    this.times.push(performance.now() - start)
    if (!made) throw new Error('there is no grammar')
    const rules = parseGbnf(made.grammar)
    const { widened = [] } = made
    const wrong = tests.flatMap(({ isValid, json }) => {
      const { isWhole, length } = matchGbnf(rules, json)
      return isWhole === isValid ? [] : [{ isValid, json, length }]
    })
    const refused = wrong.filter(({ isValid }) => isValid)
    const admitted = wrong.filter(({ isValid }) => !isValid)
    if (refused.length > 0) this.refusesValid++
    if (admitted.length > 0) this.admitsInvalid++
    if (admitted.length > 0 && widened.length === 0) this.admitsInvalidUnannounced++
    return [
      ...refused.map(({ json, length }) => ({ what: 'refused', expected: json, got: json.slice(0, length) })),
      ...admitted.map(({ json }) => ({ what: 'admitted', note: json })),
      ...(wrong.length > 0 ? [{ what: 'widened', note: widened.join('; ') || 'nothing' }] : []),
    ]
  }
}

/** @param {number} ms */
function round(ms) {
  return Math.round(100 * ms) / 100
}
