// @ts-check
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { failed, outcomeOf, tally } from '../score/tally.mjs'
import { compareReply } from '../texts/compare-reply.mjs'
import { disagreement, readPieces } from '../texts/reading.mjs'
import { openTemplate } from './templates.mjs'
import { parseVector } from './vector.mjs'

/** @import { Library, Section, SectionScore } from '../library/types.ts' */
/** @import { OpenTemplate, Vector } from '../library/template-types.ts' */

/**
 * Outputs of models, read by the dialect of their template: `vectors/<template>.json`, each an array. A vector passes
 * if the prompt renders and its output is read as expected, also at every split into two and by the character.
 * @type {Section}
 */
export const vectors = { name: 'vectors', score: scoreVectors }

/**
 * @param {string} folder
 * @param {Library} library
 * @returns {SectionScore | undefined}
 */
function scoreVectors(folder, library) {
  const root = join(folder, 'vectors')
  if (!library.analyzeTemplate || !existsSync(root)) return undefined
  const files = readdirSync(root).filter((name) => name.endsWith('.json'))
  return tally(files.sort().map((file) => ({ file, outcomes: scoreFile(folder, file, library) })))
}

/**
 * @param {string} folder
 * @param {string} file
 * @param {Library} library
 */
function scoreFile(folder, file, library) {
  const template = openTemplate(folder, file.slice(0, -'.json'.length), library)
  return readVectors(join(folder, 'vectors', file)).map((json, at) => {
    const id = idOf(json) ?? `${file}#${at + 1}`
    if (template.type === 'closed') return failed(id, template.why, 'template')
    return outcomeOf(id, () => scoreVector(parseVector(json), template, library))
  })
}

/**
 * @param {Vector} vector
 * @param {OpenTemplate} template
 * @param {Library} library
 */
function scoreVector({ conversation, prompt, reader, output, end, expected }, { dialect }, library) {
  const rendered = dialect.safeRenderPrompt(conversation, prompt)
  if (rendered.type === 'error') return { output, differences: [{ what: 'prompt', note: rendered.message }] }
  const { begun } = rendered
  const { tools, toolChoice } = conversation
  /** @param {() => string} newCallId */
  const open = (newCallId) =>
    dialect.createReader({
      ...reader,
      tools,
      toolChoice,
      // The setting of parallel calls in the prompt does not determine what the model does.
      parallelCalls: true,
      delivery: 'live',
      modelIds: true,
      newCallId,
      begun,
      givesBegun: true,
    })
  /** @param {readonly string[]} pieces */
  const read = (pieces) => readPieces(open, pieces, end, library)
  const whole = read([output])
  const differences = [
    ...compareReply(whole, expected),
    ...disagreement('in two', halves(output), whole, read),
    ...disagreement('by the character', [output.split('')], whole, read),
  ]
  return { begun, output, notices: whole.notices.map(({ code }) => code), differences }
}

/**
 * Every way to cut a text in two.
 * @param {string} text
 */
function halves(text) {
  return Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => [text.slice(0, at + 1), text.slice(at + 1)])
}

/**
 * @param {string} path
 * @returns {unknown[]}
 */
export function readVectors(path) {
  /** @type {unknown} */
  const json = JSON.parse(readFileSync(path, 'utf8'))
  return Array.isArray(json) ? json : []
}

/** @param {unknown} json */
function idOf(json) {
  return typeof json === 'object' && json !== null && 'id' in json ? String(json.id) : undefined
}
