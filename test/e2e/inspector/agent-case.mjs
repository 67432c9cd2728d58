// @ts-check
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { builtCommand, projectFolder } from '../clients/build.mjs'

const execute = promisify(execFile)

/**
 * Runs `anycall records` on the gateway's file.
 *
 * @param {string} folder @param {readonly string[]} words
 */
export async function anycall(folder, words) {
  const args = [builtCommand, 'records', ...words, '--file', join(folder, 'records.db')]
  const { stdout } = await execute(process.execPath, args, { maxBuffer: 64e6 })
  return stdout
}

/**
 * Makes a conformance case of a record.
 *
 * @param {string} folder @param {string} id
 */
export async function caseOf(folder, id) {
  const [made] = JSON.parse(await anycall(folder, ['test', id]))
  return made
}

/**
 * Scores conformance cases of texts.
 *
 * @param {string} folder @param {readonly object[]} cases
 */
export async function scoreOf(folder, cases) {
  const data = join(folder, 'conformance')
  mkdirSync(join(data, 'texts'), { recursive: true })
  writeFileSync(join(data, 'texts/agent.json'), JSON.stringify(cases))
  const args = [join(projectFolder, 'tools/conformance/main.mjs'), data, '--only', 'texts', '--json']
  const { stdout } = await execute(process.execPath, args)
  const { passed, total } = JSON.parse(stdout).texts
  return { passed, total }
}
