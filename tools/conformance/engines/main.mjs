// @ts-check
/**
 * Says which dialect reads the format of each parser that vLLM, SGLang, llama.cpp, Dynamo and xgrammar name: `npm run formats --
 * [--vllm PATH] [--sglang PATH] [--llama.cpp PATH] [--dynamo PATH] [--xgrammar PATH] [--markdown]`, where PATH is a
 * checked-out source folder of the engine, or the file that names its parsers. Each example is read by its dialect and by
 * the universal reader. It ends with 1 where one is read wrongly, or a parser of the sources is not in the data.
 */
import { parseArgs } from 'node:util'
import { parseToolCalls } from '../../../dist/index.mjs'
import { engineNames, engineSources, faultIn, missingOf, parsersIn, parsersOf, table } from './formats.mjs'

/** @type {Record<string, { type: 'string' }>} */
const paths = Object.fromEntries(engineNames.map((engine) => [engine, { type: 'string' }]))
const { values } = parseArgs({ options: { ...paths, markdown: { type: 'boolean', default: false } } })

let faults = 0

/** @param {string} line */
function report(line) {
  faults++
  console.log(line)
}

if (values.markdown) console.log(table())
for (const { engine, repository, file, commit, parsers } of values.markdown ? [] : engineSources) {
  console.log(`\n${engine}: ${repository} ${file} (${commit})`)
  for (const parser of parsers) {
    const readers = new Set([parser.dialect ?? 'universal', 'universal'])
    const wrong = [...readers].flatMap((dialect) => {
      const fault = faultIn(parser, dialect, parseToolCalls)
      return fault ? [`${dialect} ${fault}`] : []
    })
    const line = `  ${parser.name.padEnd(28)} ${parser.dialect ?? parser.note ?? ''}`
    if (wrong.length > 0) report(`${line}  WRONG: ${wrong.join('; ')}`)
    else console.log(line)
  }
}
for (const engine of engineNames) {
  const path = values[engine]
  if (typeof path !== 'string') continue
  const names = parsersIn(engine, path)
  const missing = missingOf(engine, names)
  if (names.length === 0) report(`${engine}: no parser was found in ${path}.`)
  else if (missing.length > 0) report(`${engine}: of ${names.length} parsers these are missing: ${missing.join(', ')}`)
  else
    console.log(`${engine}: all ${names.length} parsers of the sources are among the ${parsersOf(engine).length} here.`)
}
if (!values.markdown) console.log(faults === 0 ? '\nAll are read.' : `\n${faults} faults.`)
process.exitCode = faults === 0 ? 0 : 1
