// @ts-check
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** @import { SectionScore } from '../library/types.ts' */

/** @typedef {Record<string, number>} Ratchet how many cases of a file passed, by `section/file` */

/**
 * Compares scores with the numbers that they must not fall below.
 * @param {Ratchet} ratchet
 * @param {ReadonlyMap<string, SectionScore>} scores by section
 * @param {readonly string[]} asked the sections that were to be scored: the numbers of others do not count
 * @returns {{ lines: string[], fell: boolean, raised: Ratchet }} `raised`: the numbers as they should be now
 */
export function compareWithRatchet(ratchet, scores, asked) {
  /** @type {Map<string, number>} */
  const now = new Map(
    [...scores].flatMap(([section, { files }]) =>
      Object.entries(files).map(
        ([file, { passed }]) => /** @type {[string, number]} */ ([`${section}/${file}`, passed]),
      ),
    ),
  )
  const lines = []
  let fell = false
  for (const [name, floor] of Object.entries(ratchet)) {
    if (!asked.includes(name.split('/')[0] ?? '')) continue
    const passed = now.get(name)
    if (passed === undefined) lines.push(`${name} is in the ratchet, and was not scored`)
    else if (passed < floor) lines.push(`${name} fell from ${floor} to ${passed}`)
    else if (passed > floor) lines.push(`${name} rose from ${floor} to ${passed}: raise it with --ratchet-write`)
    if (passed === undefined || passed < floor) fell = true
  }
  for (const [name, passed] of now) {
    if (!(name in ratchet)) lines.push(`${name} (${passed}) is not in the ratchet: add it with --ratchet-write`)
  }
  const names = [...new Set([...Object.keys(ratchet), ...now.keys()])].sort()
  const raised = Object.fromEntries(names.map((name) => [name, Math.max(ratchet[name] ?? 0, now.get(name) ?? 0)]))
  return { lines, fell, raised }
}

/**
 * @param {string} file
 * @returns {Ratchet} empty where there is no such file
 * @throws {Error} where it is not a ratchet
 */
export function readRatchet(file) {
  if (!existsSync(file)) return {}
  /** @type {unknown} */
  const json = JSON.parse(readFileSync(file, 'utf8'))
  const isRatchet =
    typeof json === 'object' && json !== null && Object.values(json).every((passed) => Number.isInteger(passed))
  if (!isRatchet) throw new Error(`${file} is not a ratchet: it must map names like texts/x.json to whole numbers`)
  return /** @type {Ratchet} */ (json)
}

/**
 * @param {string} file
 * @param {Ratchet} ratchet
 */
export function writeRatchet(file, ratchet) {
  writeFileSync(file, `${JSON.stringify(ratchet, null, 2)}\n`)
}
