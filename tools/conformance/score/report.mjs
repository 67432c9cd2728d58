// @ts-check
/** @import { Difference, Failure, SectionScore } from '../library/types.ts' */

const width = 160

/**
 * A line for each file, and one for the section.
 * @param {string} name of the section
 * @param {SectionScore} section
 */
export function scoreLines(name, section) {
  const rows = [
    ...Object.entries(section.files).map(([file, score]) => ({ label: `${name}/${file}`, ...score })),
    { label: name, passed: section.passed, total: section.total },
  ]
  const labelWidth = Math.max(...rows.map(({ label }) => label.length))
  return rows.map(({ label, passed, total }) => {
    const share = total === 0 ? '' : `  ${((100 * passed) / total).toFixed(1).padStart(5)} %`
    return `${label.padEnd(labelWidth)}  ${`${passed}/${total}`.padStart(9)}${share}`
  })
}

/**
 * A case that failed, and how.
 * @param {Failure} failure
 */
export function failureLines({ id, file, source, begun = '', output, notices = [], differences }) {
  return [
    `${id}  (${file}${source === '' ? '' : `; ${source}`})`,
    ...(begun === '' ? [] : [line('begun', shorten(JSON.stringify(begun), 0))]),
    ...(output === undefined ? [] : [line('output', shorten(JSON.stringify(output), 0))]),
    ...differences.flatMap(differenceLines),
    ...(notices.length > 0 ? [line('notices', notices.join(', '))] : []),
  ]
}

/** @param {Difference} difference */
function differenceLines({ what, expected, got, note }) {
  if (note !== undefined) return [line(what, note)]
  const [left, right] = [expected ?? '', got ?? '']
  const at = firstDifference(left, right)
  return [line(what, `expected ${shorten(left, at)}`), line('', `got      ${shorten(right, at)}`)]
}

/**
 * @param {string} label
 * @param {string} text
 */
function line(label, text) {
  return label.length > 10 ? `  ${label}: ${text}` : `  ${label.padEnd(10)} ${text}`
}

/**
 * Shortens a long text to the part around a place.
 * @param {string} text
 * @param {number} at
 */
function shorten(text, at) {
  if (text.length <= width) return text
  const start = Math.max(0, Math.min(at - width / 4, text.length - width))
  const end = Math.min(text.length, start + width)
  return `${start > 0 ? '...' : ''}${text.slice(start, end)}${end < text.length ? `... (${text.length})` : ''}`
}

/**
 * @param {string} left
 * @param {string} right
 */
function firstDifference(left, right) {
  let at = 0
  while (at < left.length && left[at] === right[at]) at++
  return at
}
