// @ts-check
/** @import { Difference, Failure, Score, SectionScore } from '../library/types.ts' */

/** @typedef {Omit<Failure, 'file' | 'source'> & { warnings?: readonly string[] }} Outcome of a case; it passed where nothing differs */

/**
 * The score of a section from the outcomes of its cases.
 * @param {readonly { file: string, outcomes: readonly Outcome[], notes?: readonly string[] }[]} files
 * @returns {SectionScore | undefined} undefined where there are no cases
 */
export function tally(files) {
  const failures = files.flatMap(({ file, outcomes }) =>
    outcomes.filter(hasFailed).map((outcome) => ({ ...outcome, file, source: '' })),
  )
  const scores = files.map(({ file, outcomes }) => {
    const passed = outcomes.filter((outcome) => !hasFailed(outcome)).length
    return /** @type {[string, Score]} */ ([file, { passed, total: outcomes.length }])
  })
  const total = scores.reduce((sum, [, score]) => sum + score.total, 0)
  const notes = files.flatMap(({ file, notes = [] }) => (notes.length > 0 ? [[file, notes]] : []))
  if (files.length === 0) return undefined
  return {
    passed: total - failures.length,
    total,
    failures,
    files: Object.fromEntries(scores),
    warnings: files.filter(({ outcomes }) => outcomes.length === 0).map(({ file }) => `${file} has no cases`),
    ...(notes.length > 0 && { notes: Object.fromEntries(notes) }),
  }
}

/**
 * A case whose work threw failed with what it threw.
 * @param {string} id
 * @param {() => Omit<Outcome, 'id'>} work
 * @returns {Outcome}
 */
export function outcomeOf(id, work) {
  try {
    return { id, ...work() }
  } catch (error) {
    return failed(id, error instanceof Error ? error.message : String(error))
  }
}

/**
 * @param {string} id
 * @param {string} note
 * @param {string} [what]
 * @returns {Outcome}
 */
export function failed(id, note, what = 'error') {
  return { id, differences: [{ what, note }] }
}

/** @param {{ differences: readonly Difference[] }} outcome */
function hasFailed({ differences }) {
  return differences.length > 0
}
