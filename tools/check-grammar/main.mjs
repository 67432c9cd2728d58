// @ts-check
// Loads the grammars of all formats and of chat templates into real llama.cpp, and their structural tags into real xgrammar:
// `npm run check:grammar [-- --format NAME] [--show] [--templates FOLDER]`, where NAME is that of a format or of a template.
// It is no dependency of the project: node-llama-cpp, with its prebuilt library for the processor, is installed into
// .cache/ when it is not there. No model is needed: a grammar is compiled by itself, and a text is matched against it. For
// each format the grammar of several tools, that of each by itself and that of 24 are compiled, for each choice of tools;
// calls as the format writes them must be admitted, and a call that is cut must not. Then the grammars of whole replies,
// and those of the project's own test templates and of the templates in the folder, and of response schemas drawn at random, whose texts llama.cpp
// and the matcher of `conformance --only schemas` must judge alike. xgrammar, as WebAssembly, is installed in the same way.
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'tsdown'
import { installLlama } from './install.mjs'
import { checkReplies } from './replies.mjs'
import { checkSchemas } from './schemas.mjs'
import { checkStructuralTags } from './structural-tags.mjs'
import { checkTemplates } from './templates.mjs'
import { loadXgrammar } from './xgrammar.mjs'

const { values: flags } = parseArgs({
  options: { format: { type: 'string' }, templates: { type: 'string' }, show: { type: 'boolean', default: false } },
})
const root = fileURLToPath(new URL('../..', import.meta.url))
const cache = installLlama()
await build({
  config: false,
  cwd: root,
  entry: { library: 'tools/check-grammar/library.ts' },
  outDir: join(cache, 'library'),
  format: 'esm',
  platform: 'node',
  target: 'node20',
  dts: false,
  clean: false,
  logLevel: 'warn',
})
const library = await import(pathToFileURL(join(cache, 'library', 'library.mjs')).href)
const { formats, makeCallsGrammar, writeCalls, calls, tools, manyTools, needsFreeElements, oddTools } = library
const { getLlama, LlamaLogLevel } = await import(
  pathToFileURL(join(cache, 'node_modules/node-llama-cpp/dist/index.js')).href
)
const llama = await getLlama({ gpu: false, build: 'never', logLevel: LlamaLogLevel.error })

let passed = 0
/** @type {string[]} */
let failed = []
let isFailed = false
/** @param {string} what @param {() => Promise<boolean> | boolean} check */
async function check(what, check) {
  try {
    if (await check()) passed++
    else failed.push(what)
  } catch (error) {
    failed.push(`${what}: ${error instanceof Error ? error.message : error}`)
  }
}

let largest = 0
let slowest = 0
for (const format of formats) {
  if (flags.format !== undefined && format.name !== flags.format) continue
  const [{ tree }] = format.blocks
  const base = { parallelCalls: true, ...(format.separator !== undefined && { separator: format.separator }) }
  const sets = [
    ['all', tools],
    ['24', manyTools],
    ...[...tools, ...oddTools].map((/** @type {any} */ one) => [one.name, [one]]),
  ]
  for (const [name, some] of sets) {
    for (const toolChoice of [
      { type: 'required' },
      { type: 'auto' },
      { type: 'named', name: some[0].name },
      { type: 'none' },
    ]) {
      for (const textBefore of toolChoice.type === 'required' ? [false, true] : [false]) {
        const printed = makeCallsGrammar(tree, { ...base, tools: some, toolChoice, textBefore })
        const what = `${format.name}, ${name}, ${toolChoice.type}${textBefore ? ' with text before' : ''}`
        await check(`${what}: is compiled`, async () => {
          const started = performance.now()
          await llama.createGrammar({ grammar: printed.grammar })
          slowest = Math.max(slowest, performance.now() - started)
          largest = Math.max(largest, printed.grammar.length)
          return true
        })
        if (flags.show && name === 'all') console.log(printed.grammar)
      }
    }
  }
  const grammar = await llama
    .createGrammar({ grammar: makeCallsGrammar(tree, { ...base, tools, toolChoice: { type: 'required' } }).grammar })
    .catch(() => undefined)
  for (const call of grammar ? calls : []) {
    if (format.name === 'minimax-m3' && needsFreeElements(call)) continue
    const text = writeCalls(tree, [call], tools, base)
    await check(`${format.name}: admits ${text}`, () => grammar._testText(text))
    // A token at the end that engines leave out may be missing; half of the text never is a call.
    await check(
      `${format.name}: does not admit half of ${text}`,
      () => !grammar._testText(text.slice(0, text.length / 2)),
    )
  }
  await checkReplies(library, llama, format.name, check)
}
const own = join(root, 'test/templates')
const folders = flags.templates === undefined ? [own] : [own, resolve(flags.templates)]
await checkTemplates(library, llama, { folders, only: flags.format }, check)
const seed = Number(process.env.ANYCALL_SEED ?? Math.floor(Math.random() * 1_000_000))
const judged = flags.format === undefined ? await checkSchemas(library, llama, { seed }, check) : 0
report(`llama.cpp ${llama.llamaCppRelease.release}`)
console.log(
  `llama.cpp and the matcher of the schema scores judged ${judged} texts alike or are named above (ANYCALL_SEED=${seed}).`,
)
console.log(`The largest grammar has ${largest} characters; the slowest took ${slowest.toFixed(1)} ms to compile.`)
await llama.dispose()
const xgrammar = loadXgrammar()
await checkStructuralTags(library, xgrammar, { folders, only: flags.format }, check)
report(`xgrammar ${xgrammar.version}`)
process.exitCode = isFailed ? 1 : 0

/**
 * Reports an engine's results for all checks since the last report.
 * @param {string} engine
 */
function report(engine) {
  console.log(`${engine}: ${passed} passed, ${failed.length} failed`)
  for (const what of failed) console.log(`failed: ${what}`)
  isFailed ||= failed.length > 0
  passed = 0
  failed = []
}
