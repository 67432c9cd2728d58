// @ts-check
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { now, specialTokens } from './templates.mjs'

/** @import { Difference, Failure, Library, Score, Section, SectionScore } from '../library/types.ts' */

/**
 * Renders conversations with chat templates: `renders/<template>.json` has, for each case of `render-cases.json`, the
 * text that Python renders or the error with which the template refuses. The words of a refusal do not count.
 * @type {Section}
 */
export const renders = { name: 'renders', score: scoreRenders }

/**
 * @param {string} folder
 * @param {Library} library
 * @returns {SectionScore | undefined}
 */
function scoreRenders(folder, library) {
  if (!library.safeLoadTemplate) return undefined
  const root = join(folder, 'renders')
  const casesFile = join(folder, 'render-cases.json')
  if (!existsSync(root) || !existsSync(casesFile)) return undefined
  const cases = readObject(casesFile)
  /** @type {Record<string, Score>} */
  const files = {}
  /** @type {Failure[]} */
  const failures = []
  for (const file of readdirSync(root)
    .filter((name) => name.endsWith('.json'))
    .sort()) {
    const name = file.slice(0, -'.json'.length)
    const expected = Object.entries(readObject(join(root, file)))
    const render = renderer(library, join(folder, 'templates', `${name}.jinja`))
    const failed = expected.flatMap(([id, wanted]) => {
      const difference = compare(wanted, render(cases[id]))
      return difference ? [{ id: `${name}/${id}`, file, source: '', differences: [difference] }] : []
    })
    failures.push(...failed)
    files[file] = { passed: expected.length - failed.length, total: expected.length }
  }
  const total = Object.values(files).reduce((sum, score) => sum + score.total, 0)
  return total > 0 ? { passed: total - failures.length, total, failures, files, warnings: [] } : undefined
}

/** @typedef {{ text: string } | { error: string }} Rendering */

/**
 * @param {Library} library
 * @param {string} file
 * @returns {(variables: unknown) => Rendering}
 */
function renderer({ safeLoadTemplate, safeRenderTemplate }, file) {
  if (!safeLoadTemplate || !safeRenderTemplate) return () => ({ error: 'the library renders no templates' })
  if (!existsSync(file)) return () => ({ error: `there is no ${file}` })
  const loaded = safeLoadTemplate(readFileSync(file, 'utf8'), { specialTokens })
  if (loaded.type === 'error') return () => ({ error: loaded.message })
  return (variables) => {
    if (!isObject(variables) || !Array.isArray(variables.messages)) return { error: 'the case has no messages' }
    const rendered = safeRenderTemplate(loaded.template, { ...variables, messages: variables.messages }, { now })
    return rendered.type === 'text' ? { text: rendered.text } : { error: rendered.problem }
  }
}

/**
 * @param {unknown} wanted
 * @param {Rendering} got
 * @returns {Difference | undefined}
 */
function compare(wanted, got) {
  if (!isObject(wanted)) return { what: 'case', note: 'is no object' }
  if (typeof wanted.text === 'string') {
    if ('error' in got) return { what: 'error', note: got.error }
    return got.text === wanted.text ? undefined : { what: 'text', expected: wanted.text, got: got.text }
  }
  return 'error' in got ? undefined : { what: 'refusal', expected: String(wanted.error), got: got.text }
}

/** @param {string} path */
function readObject(path) {
  /** @type {unknown} */
  const json = JSON.parse(readFileSync(path, 'utf8'))
  if (!isObject(json)) throw new Error(`${path} is no JSON object`)
  return json
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
