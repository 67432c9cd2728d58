// @ts-check
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { judge } from './judge.mjs'
import { disagreements, readWhole } from './read-text.mjs'
import { parseTextCase } from './text-case.mjs'

/** @import { Difference, Failure, Library, Score, Section, SectionScore } from '../library/types.ts' */

/**
 * Model outputs for readers without a template: `texts/*.json`, each an array of cases.
 * @type {Section}
 */
export const texts = { name: 'texts', score: scoreTexts }

/**
 * @param {string} folder
 * @param {Library} library
 * @returns {SectionScore | undefined}
 */
function scoreTexts(folder, library) {
  const root = join(folder, 'texts')
  if (!existsSync(root)) return undefined
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
  /** @type {Record<string, Score>} */
  const files = {}
  /** @type {Failure[]} */
  const failures = []
  /** @type {string[]} */
  const warnings = []
  for (const name of names.map((name) => name.replaceAll(sep, '/')).sort()) {
    const cases = attempt(() => readCases(join(root, name)))
    if (cases.error) {
      failures.push({ id: name, file: name, source: '', differences: [cases.error] })
      files[name] = { passed: 0, total: 1 }
      continue
    }
    const failed = cases.result.flatMap((json, at) => {
      const outcome = scoreCase(json, library)
      const id = outcome.id || `${name}#${at + 1}`
      warnings.push(...outcome.warnings.map((warning) => `${name}, ${id}: ${warning}`))
      return outcome.differences.length > 0 ? [{ ...outcome, id, file: name }] : []
    })
    failures.push(...failed.map(({ warnings: _, ...failure }) => failure))
    files[name] = { passed: cases.result.length - failed.length, total: cases.result.length }
  }
  const total = sum(Object.values(files).map((score) => score.total))
  return total > 0 ? { passed: total - failures.length, total, failures, files, warnings } : undefined
}

/**
 * @param {unknown} json
 * @param {Library} library
 */
function scoreCase(json, library) {
  const parsed = attempt(() => parseTextCase(json))
  if (parsed.error) return { id: idOf(json), source: '', differences: [parsed.error], warnings: [] }
  const textCase = parsed.result
  const { id, source, output, warnings } = textCase
  const read = attempt(() => {
    const whole = readWhole(textCase, library)
    const differences = [...judge(whole, textCase), ...disagreements(textCase, whole, library)]
    return { notices: whole.notices.map(({ code }) => code), differences }
  })
  return { id, source, output, warnings, ...(read.error ? { differences: [read.error] } : read.result) }
}

/**
 * @param {string} path
 * @returns {unknown[]}
 */
function readCases(path) {
  /** @type {unknown} */
  const json = JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))
  if (Array.isArray(json)) return json
  throw new Error('the file is not an array of cases')
}

/** @param {unknown} json */
function idOf(json) {
  return typeof json === 'object' && json !== null && 'id' in json ? String(json.id) : ''
}

/**
 * Returns the result of the work, or its error as a difference.
 * @template Result
 * @param {() => Result} work
 * @returns {{ result: Result, error?: undefined } | { error: Difference }}
 */
function attempt(work) {
  try {
    return { result: work() }
  } catch (error) {
    return { error: { what: 'error', note: error instanceof Error ? error.message : String(error) } }
  }
}

/** @param {readonly number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0)
}
