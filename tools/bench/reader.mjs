/**
 * Measures the speed of reading: `npm run bench:reader`, or `node tools/bench/reader.mjs [--quick] [--budget MS]
 * [--anycall FILE] [--beside FILE] [--rounds N] [--strict]` with the built library (default `dist/index.mjs`). It exits with 0, or with 1 if
 * `--strict` is set and a target is missed. With `--beside` it compares two builds in turn, and measures nothing else.
 *
 * Text comes in pieces of 4 characters, about what a token is:
 *   a string argument   one call, one string argument of source code, from 1k to 1M characters
 *   plain text          as many characters, and no call
 *   50 parallel calls   two short arguments each
 * and, for the whole text at once, as one piece.
 *
 * Each contender reads the workload as its own format writes it, and must give the same calls with the same arguments,
 * byte for byte, and the same text; one that does not is shown with its fault instead of a time. While the time runs
 * what is emitted is counted and forgotten, as by a gateway that sends it on. `@ai-sdk-tool/parser` is driven through
 * Web streams, as the AI SDK does; what these alone cost is a line of its own. `partial-json` and `jsonrepair` get the
 * bare JSON of the arguments, which is less work, and parse all of it anew with each piece, as those do who use them for
 * streams. What would take longer than the budget is left out, and the output says so.
 *
 * Times are medians of many runs after a warm-up. Times of one machine and one run compare with each other; the ratios
 * hold for others as well.
 */
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { builtLibrary, loadLibrary } from './library.mjs'
import { printTable, printTargets } from './print.mjs'
import { growthOf, measureLengths, measureOne, microsecondsOf, targetValue } from './reader/cells.mjs'
import { floor, jsonRepair, partialJson, sdkParser, webStream } from './reader/contenders.mjs'
import { comparePairs } from './reader/pairs.mjs'
import { known, readersOf } from './reader/readers.mjs'
import { printLengths, printRemarks, ratio, showMicroseconds, showTotal } from './reader/tables.mjs'
import { lengths, parallelCalls, plainText, stringArgument } from './reader/workloads.mjs'

/** Total ms for a string argument in pieces of 4 characters in llama.cpp (de3ff81, C++), measured once, elsewhere. */
const llamaCpp = {
  json: { '1k': 2.7, '4k': 12, '16k': 89, '64k': 1015 },
  tagged: { '1k': 4.8, '4k': 31, '16k': 341, '64k': 5225 },
}

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    budget: { type: 'string', default: '8000' },
    anycall: { type: 'string', default: builtLibrary },
    beside: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    strict: { type: 'boolean', default: false },
  },
})
const budget = flags.quick ? Math.min(1000, Number(flags.budget)) : Number(flags.budget)

/** Measures a contender at each length; a length that would take longer than the budget is not run. */
async function run() {
  const library = await loadLibrary(flags.anycall)
  const readers = readersOf(library)
  console.log('anycall: reading text in pieces of 4 characters')
  console.log(`node ${process.version}; ${cpus().length} cores (${cpus()[0]?.model.trim()})`)
  const argument = await compareArguments(readers)
  const text = await compareTexts(readers)
  const calls = await compareCalls(readers)
  const whole = await compareWhole(readers)
  printNotes()
  const rows = { 'a string argument': argument, 'plain text': text, '50 parallel calls': calls }
  return printTargets([
    ...linearTargets({ 'a string argument': argument, 'plain text': text }),
    ...pieceTargets(rows),
    ...wholeTargets(whole),
    ...llamaTargets(argument),
  ])
}

/** Measures contenders over all lengths: rows of `{name, cells}`, those of a reader with the reader. */
async function measureRows(createWorkload, readers, contenders) {
  const rows = []
  for (const reader of readers) {
    rows.push({ name: reader.live.name, reader, cells: await measureLengths(reader.live, createWorkload, budget) })
  }
  for (const contender of contenders) {
    rows.push({ name: contender.name, cells: await measureLengths(contender, createWorkload, budget) })
  }
  return rows
}

async function compareArguments(readers) {
  const all = []
  for (const kind of Object.keys(known)) {
    const ofKind = readers.filter((reader) => reader.kind === kind)
    if (ofKind.length === 0) continue
    const repairers = kind === 'json' ? [partialJson, jsonRepair] : []
    const rows = await measureRows(stringArgument, ofKind, [sdkParser(kind), ...repairers, floor, webStream])
    printLengths(`a string argument, ${kind}`, rows)
    all.push(...rows)
  }
  return all
}

async function compareTexts(readers) {
  const rows = await measureRows(plainText, readers, [sdkParser('json'), sdkParser('tagged'), floor, webStream])
  printLengths('plain text', rows)
  return rows
}

async function compareCalls(readers) {
  const rows = []
  for (const reader of readers) {
    const { live } = reader
    rows.push({ name: live.name, reader, cells: { all: await measureOne(live, parallelCalls(50)) } })
  }
  for (const contender of [sdkParser('json'), sdkParser('tagged')]) {
    rows.push({ name: contender.name, cells: { all: await measureOne(contender, parallelCalls(50)) } })
  }
  console.log('\n50 parallel calls')
  printTable(
    [
      ['', 'total, ms', 'µs a piece', 'pieces', 'times ours'],
      ...rows.map(({ name, cells: { all } }) => [
        name,
        showTotal(all),
        showMicroseconds(all),
        all.pieces ?? '',
        ratio(all, rows[0].cells.all),
      ]),
    ],
    36,
    12,
  )
  printRemarks(rows)
  return rows
}

async function compareWhole(readers) {
  const workloads = { 'a string argument': stringArgument, 'plain text': plainText }
  const rows = []
  for (const reader of readers) {
    const cells = {}
    for (const [name, createWorkload] of Object.entries(workloads)) {
      cells[name] = await measureOne(reader.whole, createWorkload(lengths['1M']))
    }
    rows.push({ name: reader.whole.name, reader, cells })
  }
  console.log('\n1M characters at once, MB/s')
  printTable(
    [
      ['', ...Object.keys(workloads)],
      ...rows.map(({ name, cells }) => [
        name,
        ...Object.values(cells).map((cell) => rateOf(cell)?.toFixed(0) ?? 'wrong'),
      ]),
    ],
    36,
    20,
  )
  printRemarks(rows)
  return rows
}

/** MB/s; the workloads are ASCII, so that a character is a byte. */
function rateOf({ ms, characters }) {
  return ms === undefined ? undefined : characters / 1e6 / (ms / 1000)
}

function printNotes() {
  const times = Object.entries(llamaCpp).map(
    ([kind, ofLengths]) =>
      `${kind} ${Object.entries(ofLengths)
        .map(([label, ms]) => `${label} ${ms}`)
        .join(', ')}`,
  )
  console.log(`
(~N): not run; by what the length before it took it would take about N ms, and the budget is ${budget} ms.
llama.cpp, a string argument, total ms, measured once on another machine: ${times.join('; ')}
`)
}

function linearTargets(tables) {
  return Object.entries(tables).flatMap(([workload, rows]) =>
    rows
      .filter(({ reader }) => reader)
      .map(({ name, cells }) => ({
        name: `${name}, ${workload}: t(1M) / t(64k)`,
        value: growthOf(cells, '64k', '1M'),
        limit: 18,
      })),
  )
}

/** The worst of all dialects and lengths. */
function pieceTargets(tables) {
  return [
    ['a known dialect', false, 1],
    ['the universal reader', true, 3],
  ].flatMap(([who, isUniversal, limit]) =>
    Object.entries(tables).map(([workload, rows]) => {
      const cells = rows
        .filter(({ reader }) => reader?.isUniversal === isUniversal)
        .flatMap((row) => Object.values(row.cells))
      const value = targetValue(cells, () => Math.max(...cells.map(microsecondsOf)))
      return { name: `${who}, ${workload}: a piece at any length`, value, limit, unit: 'µs' }
    }),
  )
}

function wholeTargets(rows) {
  return rows
    .filter(({ reader }) => !reader.isUniversal)
    .flatMap(({ name, cells }) =>
      Object.entries(cells).map(([workload, cell]) => ({
        name: `${name}, ${workload}: 1M at once`,
        value: targetValue([cell], () => rateOf(cell)),
        floor: 100,
        unit: 'MB/s',
        digits: 0,
      })),
    )
}

function llamaTargets(rows) {
  return rows
    .filter(({ reader }) => reader && !reader.isUniversal)
    .flatMap(({ name, reader, cells }) =>
      Object.entries(llamaCpp[reader.kind]).map(([label, theirs]) => ({
        name: `${name}, ${label} of a string argument: llama.cpp’s ${theirs} ms`,
        value: targetValue([cells[label]], () => theirs / cells[label].ms),
        floor: label === '64k' ? 100 : 1,
        unit: 'times ours',
        digits: 0,
      })),
    )
}

async function runPairs() {
  const readers = readersOf(await loadLibrary(flags.anycall)).length
  await comparePairs(flags.anycall, flags.beside, { readers, rounds: Number(flags.rounds) })
  return 0
}

const missed = await (flags.beside === undefined ? run() : runPairs())
if (flags.strict && missed > 0) process.exitCode = 1
