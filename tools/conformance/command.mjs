// @ts-check
import { statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { usualDrawing } from './round-trip/round-trip.mjs'
import { compareWithRatchet, readRatchet, writeRatchet } from './score/ratchet.mjs'
import { failureLines, scoreLines } from './score/report.mjs'
import { sections } from './sections.mjs'
import { templateLines, templateRows, totalLine } from './templates/report.mjs'

/** @import { Library, SectionScore } from './library/types.ts' */

/** The sections whose scores are based on the analyses of templates. */
const ofTemplates = ['vectors', 'round-trip', 'grammar', 'prompts']

const usage = `Usage: conformance DIR [--only SECTION]... [--json] [--failures] [--templates] [--seed N] [--random N]
                   [--ratchet FILE [--ratchet-write]]

  DIR                a folder with conformance data
  --only SECTION     ${sections.map(({ name }) => name).join(', ')}; without it, all that the folder has
  --json             the scores as one JSON object
  --failures         each failed case with what was expected and what came
  --templates        of each template: what reads it, how well, and how long it took to find out
  --seed N           round-trip: the messages that are drawn; ${usualDrawing.seed} without it
  --random N         round-trip: how many are drawn for each template; ${usualDrawing.random} without it
  --ratchet FILE     end with 1 where a file's score is below its number there
  --ratchet-write    raise the numbers in that file to the scores`

/**
 * @typedef {object} Output
 * @property {(text: string) => void} out a line of the result
 * @property {(text: string) => void} err a line about it
 */

/**
 * Scores a folder.
 * @param {readonly string[]} args
 * @param {Library} library
 * @param {Output} output
 * @returns {number} the exit code: 0 scored, 1 a score is below the ratchet, 2 nothing to score
 */
export function runConformance(args, library, output) {
  try {
    return score(parse(args), library, output)
  } catch (error) {
    if (!(error instanceof CannotScore)) throw error
    output.err(error.message)
    return 2
  }
}

/** Nothing can be scored, for a reason that whoever asked can do something about. */
class CannotScore extends Error {}

/**
 * @param {ReturnType<typeof parse>} flags
 * @param {Library} library
 * @param {Output} output
 */
function score(flags, library, output) {
  if (!isFolder(flags.folder)) throw new CannotScore(`${flags.folder} is not a folder`)
  if (typeof library.createReader !== 'function') {
    throw new CannotScore('the library has no createReader, so that nothing can be read: build it anew')
  }
  const ratchet = flags.ratchet === undefined ? undefined : orCannotScore(readRatchet, flags.ratchet)
  const scores = scoreSections(flags, library, output)
  const rows = [...scores.keys()].some((name) => ofTemplates.includes(name))
    ? templateRows(flags.folder, library, scores)
    : []
  const notes = flags.json ? output.err : output.out
  if (flags.json) {
    const json = Object.fromEntries([...scores].map(toJson(flags.failures)))
    output.out(JSON.stringify({ ...json, ...(flags.templates && { templates: rows }) }, null, 2))
  } else {
    printScores(scores, flags.failures, output)
    for (const line of flags.templates ? templateLines(rows) : []) output.out(line)
    if (rows.length > 0) output.out(totalLine(rows))
  }
  if (!ratchet || flags.ratchet === undefined) return 0
  const { lines, fell, raised } = compareWithRatchet(ratchet, scores, flags.asked)
  for (const line of lines) notes(line)
  if (flags.write) writeRatchet(flags.ratchet, raised)
  return fell ? 1 : 0
}

/**
 * @param {ReturnType<typeof parse>} flags
 * @param {Library} library
 * @param {Output} output
 */
function scoreSections({ folder, asked, drawing }, library, output) {
  /** @type {Map<string, SectionScore>} */
  const scores = new Map()
  const chosen = sections.filter(({ name }) => asked.includes(name))
  for (const section of chosen) {
    const result = section.score(folder, library, drawing)
    if (!result) continue
    scores.set(section.name, result)
    for (const warning of result.warnings) output.err(`warning: ${warning}`)
  }
  if (scores.size === 0) {
    const names = chosen.map(({ name }) => name).join(', no ')
    throw new CannotScore(`${folder} has no ${names}, or the library has nothing for them`)
  }
  return scores
}

/**
 * @param {ReadonlyMap<string, SectionScore>} scores
 * @param {boolean} withFailures
 * @param {Output} output
 */
function printScores(scores, withFailures, output) {
  for (const [name, section] of scores) {
    if (withFailures) {
      for (const failure of section.failures) {
        for (const line of failureLines(failure)) output.out(line)
        output.out('')
      }
    }
    for (const line of scoreLines(name, section)) output.out(line)
    if (section.figures) output.out(`${name}  ${JSON.stringify(section.figures)}`)
  }
}

/** @param {boolean} withFailures */
function toJson(withFailures) {
  /** @type {(entry: [string, SectionScore]) => [string, object]} */
  return ([name, { passed, total, failures, files, notes, figures }]) => {
    const failed = failures.map(({ id }) => id)
    return [
      name,
      { passed, total, failed, files, ...figures, ...(notes && { notes }), ...(withFailures && { failures }) },
    ]
  }
}

/** @param {readonly string[]} args */
function parse(args) {
  const { values, positionals } = orCannotScore(readFlags, args)
  const known = sections.map(({ name }) => name)
  const unknown = values.only?.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new CannotScore(`there is no section ${unknown}; there are ${known.join(', ')}`)
  const [folder, ...others] = positionals
  if (folder === undefined || others.length > 0) throw new CannotScore(usage)
  if (values['ratchet-write'] && values.ratchet === undefined) {
    throw new CannotScore('--ratchet-write needs --ratchet FILE')
  }
  return {
    folder,
    asked: values.only ?? sections.map(({ name }) => name),
    json: values.json,
    failures: values.failures,
    templates: values.templates,
    ratchet: values.ratchet,
    write: values['ratchet-write'],
    drawing: { seed: asNumber('seed', values.seed), random: asNumber('random', values.random) },
  }
}

/**
 * @param {string} flag
 * @param {string} value
 */
function asNumber(flag, value) {
  if (/^\d{1,9}$/.test(value)) return Number(value)
  throw new CannotScore(`--${flag} needs a whole number, and got ${JSON.stringify(value)}`)
}

/** @param {readonly string[]} args */
function readFlags(args) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      only: { type: 'string', multiple: true },
      json: { type: 'boolean', default: false },
      failures: { type: 'boolean', default: false },
      templates: { type: 'boolean', default: false },
      ratchet: { type: 'string' },
      'ratchet-write': { type: 'boolean', default: false },
      seed: { type: 'string', default: String(usualDrawing.seed) },
      random: { type: 'string', default: String(usualDrawing.random) },
    },
  })
}

/**
 * Returns the result of the work on an input; an error in it is the caller's.
 * @template Input, Result
 * @param {(input: Input) => Result} work
 * @param {Input} input
 */
function orCannotScore(work, input) {
  try {
    return work(input)
  } catch (error) {
    throw new CannotScore(error instanceof Error ? error.message : String(error))
  }
}

/** @param {string} path */
function isFolder(path) {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
