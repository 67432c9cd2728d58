// @ts-check
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'tsdown'
import { projectFolder } from '../clients/build.mjs'

/**
 * Loads the stand-ins of the tests as JavaScript, because Node 20 does not read TypeScript.
 * @returns {Promise<typeof import('../../stand-ins/index.ts')['standIns']>}
 */
export async function loadStandIns() {
  const outDir = join(projectFolder, '.cache/e2e-upstream')
  await build({
    config: false,
    cwd: projectFolder,
    entry: { 'stand-ins': 'test/stand-ins/index.ts' },
    outDir,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    dts: false,
    logLevel: 'warn',
  })
  const { standIns } = await import(pathToFileURL(join(outDir, 'stand-ins.mjs')).href)
  return standIns
}
