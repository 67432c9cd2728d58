// @ts-check
import { openTemplate, templateNames } from './templates.mjs'

/** @import { Library, Score, SectionScore } from '../library/types.ts' */

/**
 * @typedef {object} TemplateRow
 * @property {string} name
 * @property {string} handler what reads its replies; `none` where it could not be analysed
 * @property {string} hypothesis how its model writes calls, in words; else why it could not be analysed
 * @property {Score} [probes]
 * @property {readonly string[]} [failed] the probes that were not read back, with why
 * @property {Score} [vectors]
 * @property {Score} [roundTrip]
 * @property {number} [time] of the analysis, in milliseconds
 * @property {readonly string[]} notes
 */

/**
 * The findings about each template in a folder, and its scores.
 * @param {string} folder
 * @param {Library} library
 * @param {ReadonlyMap<string, SectionScore>} scores
 * @returns {TemplateRow[]}
 */
export function templateRows(folder, library, scores) {
  return templateNames(folder).map((name) => {
    const template = openTemplate(folder, name, library)
    if (template.type === 'closed') return { name, handler: 'none', hypothesis: template.why, notes: [] }
    const { handler, hypothesis, probes } = template.analysis
    const vectors = scores.get('vectors')?.files[`${name}.json`]
    const roundTrip = scores.get('round-trip')?.files[`${name}.jinja`]
    const failed = probes.filter(({ passed }) => !passed).map(({ name, why = 'it failed' }) => `${name}: ${why}`)
    return {
      name,
      handler,
      hypothesis,
      probes: { passed: probes.length - failed.length, total: probes.length },
      failed,
      ...(vectors && { vectors }),
      ...(roundTrip && { roundTrip }),
      time: template.time,
      notes: scores.get('round-trip')?.notes?.[`${name}.jinja`] ?? [],
    }
  })
}

/** @param {readonly TemplateRow[]} rows */
export function templateLines(rows) {
  return rows.flatMap(({ name, handler, hypothesis, probes, failed = [], vectors, roundTrip, time, notes }) => [
    '',
    `${name}: ${handler}; ${hypothesis}`,
    `  ${[
      ...scoreOf('probes', probes),
      ...scoreOf('vectors', vectors),
      ...scoreOf('round trip', roundTrip),
      ...(time === undefined ? [] : [`analysed in ${time.toFixed(0)} ms`]),
    ].join(', ')}`,
    ...[...failed.map((probe) => `probe ${probe}`), ...notes].map((note) => `  ${note}`),
  ])
}

/**
 * The number of templates by handler, and the time that the analyses took.
 * @param {readonly TemplateRow[]} rows
 */
export function totalLine(rows) {
  /** @type {Map<string, number>} */
  const handlers = new Map()
  for (const { handler } of rows) handlers.set(handler, (handlers.get(handler) ?? 0) + 1)
  const counts = [...handlers].sort(([, one], [, other]) => other - one).map(([name, count]) => `${count} ${name}`)
  const times = rows.flatMap(({ time }) => (time === undefined ? [] : [time])).sort((one, other) => one - other)
  const median = times[Math.floor(times.length / 2)]
  const took =
    median === undefined ? '' : `; analysed in ${median.toFixed(0)} ms (median), ${times.at(-1)?.toFixed(0)} ms (worst)`
  const proven = rows.filter(({ probes }) => probes && probes.passed === probes.total).length
  return `${rows.length} templates: ${counts.join(', ')}; all probes passed by ${proven}${took}`
}

/**
 * @param {string} name
 * @param {Score | undefined} score
 */
function scoreOf(name, score) {
  return score ? [`${name} ${score.passed}/${score.total}`] : []
}
