// @ts-check
// Renders Jinja programs drawn at random, here and with Python's Jinja2 set up as Transformers sets it up, and compares the texts:
// `npm run check:jinja [-- --count N] [--seed N] [--show N]`. It needs a Python 3 that has Jinja2 (`pip install jinja2`, or Debian's
// python3-jinja2), and says so where there is none. Where Python refuses a program, so must we, in whatever words. It ends with 1 when
// something differs, the shortest program first.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { safeLoadTemplate, safeRenderTemplate } from '../../dist/templates.mjs'
import { drawnProgram } from './programs.mjs'

/** @typedef {{ text: string } | { error: string }} Outcome */

const { values: flags } = parseArgs({
  options: {
    count: { type: 'string', default: '5000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    show: { type: 'string', default: '10' },
  },
})

const now = new Date(2026, 0, 15, 10, 30)
/** Addresses of objects differ from run to run, in Python too. */
const address = /0x[0-9a-f]+/gi
/** Python has complex numbers, and folds constants by rules of their own (a constant that cannot be sliced is undefined). */
const beyond = [/complex number/, /object is not subscriptable/, /unhashable type: 'slice'/]

/** A Python that has Jinja2: the first on the path, or the system's own. */
function pythonWithJinja() {
  return ['python3', '/usr/bin/python3', 'python'].find(
    (name) => spawnSync(name, ['-c', 'import jinja2'], { stdio: 'ignore' }).status === 0,
  )
}

/** @param {string} python @param {readonly { source: string }[]} programs */
function renderedByPython(python, programs) {
  const script = fileURLToPath(new URL('jinja.py', import.meta.url))
  const input = programs.map((one) => `${JSON.stringify(one)}\n`).join('')
  const { status, stdout, stderr } = spawnSync(python, [script], { input, encoding: 'utf8', maxBuffer: 2 ** 30 })
  if (status !== 0) throw new Error(`${python} failed: ${stderr}`)
  const [version, ...outcomes] = stdout.trimEnd().split('\n')
  return {
    version: JSON.parse(version ?? ''),
    outcomes: outcomes.map((line) => /** @type {Outcome} */ (JSON.parse(line))),
  }
}

/** @param {{ source: string, variables: { messages: readonly unknown[] } }} program @returns {Outcome} */
function renderedHere({ source, variables }) {
  const loaded = safeLoadTemplate(source)
  if (loaded.type === 'error') return { error: loaded.message }
  const rendered = safeRenderTemplate(loaded.template, variables, { now })
  return rendered.type === 'error' ? { error: rendered.message } : { text: rendered.text }
}

/** @param {Outcome} theirs @param {Outcome} ours */
function isSame(theirs, ours) {
  if ('error' in theirs) return 'error' in ours
  if ('error' in ours) return beyond.some((one) => one.test(ours.error))
  return theirs.text.replace(address, '') === ours.text.replace(address, '')
}

const python = pythonWithJinja()
if (python === undefined) {
  console.error(
    'There is no Python 3 with Jinja2: `pip install jinja2`, or install python3-jinja2 with the system’s packages.',
  )
  process.exit(2)
}
const [numRuns, seed] = [Number(flags.count), Number(flags.seed)]
const programs = fc.sample(drawnProgram, { numRuns, seed })
const { version, outcomes } = renderedByPython(python, programs)
const compared = programs.map((program, at) => {
  const theirs = outcomes[at] ?? { error: 'Python said nothing' }
  const ours = renderedHere(program)
  return { program, theirs, ours, isSame: isSame(theirs, ours) }
})
const refused = compared.filter(({ theirs }) => 'error' in theirs).length
const different = compared
  .filter((one) => !one.isSame)
  .sort((one, other) => one.program.source.length - other.program.source.length)
for (const { program, theirs, ours } of different.slice(0, Number(flags.show))) {
  console.log(`${program.source}\n  variables ${JSON.stringify(program.variables)}`)
  console.log(`  Python    ${JSON.stringify(theirs)}\n  here      ${JSON.stringify(ours)}\n`)
}
console.log(`${version}, seed ${seed}: ${numRuns} programs, of which Python refuses ${refused}`)
console.log(`${numRuns - different.length} passed, ${different.length} failed`)
if (different.length > 0) process.exitCode = 1
