/**
 * Measures one reader of a build of the library: `node one-build.mjs FILE NUMBER`. Prints the median times, in ms, as JSON: a member for
 * each workload. `null` is a wrong reply.
 */
import { loadLibrary } from '../library.mjs'
import { measureOne } from './cells.mjs'
import { readersOf } from './readers.mjs'
import { lengths, parallelCalls, plainText, stringArgument } from './workloads.mjs'

const [file, number] = process.argv.slice(2)
const reader = readersOf(await loadLibrary(file))[Number(number)]
const times = {}
const add = async (name, contender, workload) => {
  times[name] = (await measureOne(contender, workload)).ms ?? null
}
// In the first second of a process V8 compiles, and what is measured first would take longer than the rest.
await measureOne(reader.live, stringArgument(lengths['64k']))
await measureOne(reader.live, plainText(lengths['64k']))
for (const [label, length] of Object.entries(lengths)) {
  await add(`a string argument, ${label}`, reader.live, stringArgument(length))
  await add(`plain text, ${label}`, reader.live, plainText(length))
}
await add('50 parallel calls', reader.live, parallelCalls(50))
await add('a string argument, 1M at once', reader.whole, stringArgument(lengths['1M']))
await add('plain text, 1M at once', reader.whole, plainText(lengths['1M']))
console.log(JSON.stringify({ reader: reader.live.name, times }))
