// @ts-check
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** @import { Library } from '../library/types.ts' */
/** @import { ClosedTemplate, OpenTemplate } from '../library/template-types.ts' */

/** The tokens and the moment that the renders and vectors of such a folder were made with. */
export const specialTokens = { bos_token: '<s>', eos_token: '</s>' }
export const now = new Date(2026, 0, 15, 10, 30, 0)

/** @type {WeakMap<Library, Map<string, OpenTemplate | ClosedTemplate>>} */
const known = new WeakMap()

/**
 * The names of the templates in a folder.
 * @param {string} folder
 */
export function templateNames(folder) {
  const root = join(folder, 'templates')
  if (!existsSync(root)) return []
  const files = readdirSync(root).filter((name) => name.endsWith('.jinja'))
  return files.map((file) => file.slice(0, -'.jinja'.length)).sort()
}

/**
 * Loads and analyses a template, once for all sections.
 * @param {string} folder
 * @param {string} name
 * @param {Library} library
 * @returns {OpenTemplate | ClosedTemplate}
 */
export function openTemplate(folder, name, library) {
  const ofLibrary = known.get(library) ?? new Map()
  known.set(library, ofLibrary)
  const file = join(folder, 'templates', `${name}.jinja`)
  const opened = ofLibrary.get(file) ?? open(file, library)
  ofLibrary.set(file, opened)
  return opened
}

/**
 * @param {string} file
 * @param {Library} library
 * @returns {OpenTemplate | ClosedTemplate}
 */
function open(file, { safeLoadTemplate, analyzeTemplate, templateDialect }) {
  if (!safeLoadTemplate || !analyzeTemplate || !templateDialect) return closed('the library analyses no templates')
  if (!existsSync(file)) return closed(`there is no ${file}`)
  const loaded = safeLoadTemplate(readFileSync(file, 'utf8'), { specialTokens })
  if (loaded.type === 'error') return closed(loaded.message)
  try {
    const start = performance.now()
    const analysis = analyzeTemplate(loaded.template)
    const time = performance.now() - start
    return { type: 'open', analysis, dialect: templateDialect(analysis), time }
  } catch (error) {
    return closed(`the analysis threw: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/**
 * @param {string} why
 * @returns {ClosedTemplate}
 */
function closed(why) {
  return { type: 'closed', why }
}
