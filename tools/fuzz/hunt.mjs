// @ts-check
// Runs in its own thread, so that a reader that never comes back is noticed by the one who watches.
import { parentPort, workerData } from 'node:worker_threads'
import { createRandom, seedOf } from '../bench/robustness/random.mjs'
import { Corpus } from './corpus.mjs'
import { randomGrowth, slownessOf } from './growth.mjs'
import { faultOf } from './laws.mjs'
import { minimise } from './minimise.mjs'
import { randomOptions } from './options.mjs'
import { allSplits, randomPieces, singleUnits } from './splits.mjs'
import { Texts, trigger } from './texts.mjs'
import { tools } from './tools.mjs'
import { wordsMadeIn } from './words.mjs'

/** @import { Fault, FuzzCase, Hunt, Library } from './types.ts' */

/** The number of faults of one law in one dialect that are reduced: most have one cause. */
const mostOfKind = 3
/** One round in so many measures how the time grows. */
const roundsPerGrowth = 120
/** The number of repetitions that are shown of a long text. */
const longTimes = 3

/** @type {Hunt} */
const {
  file,
  seed,
  minutes = Number.POSITIVE_INFINITY,
  texts: most = Number.POSITIVE_INFINITY,
  dialect: asked,
} = workerData
/** @type {Library} */
const { createReader, dialects } = await import(file)
const random = createRandom(seedOf(seed))
/** The words that the readers of all dialects search for; each reader compiles those that its own example needs. */
const words = wordsMadeIn(() => {
  for (const { name, example } of dialects) {
    for (const accept of [{}, { looseCalls: true, naturalLanguage: true }]) {
      const reader = createReader({ dialect: name, accept, tools, trigger, newCallId: () => '' })
      reader.push(example.slice(0, -1))
      reader.push(example.slice(-1))
      reader.end('stop')
    }
  }
})
const texts = new Texts(dialects, random, words)
const corpus = new Corpus(random)
const names = asked === undefined ? dialects.map(({ name }) => name) : [asked]
/** @type {Map<string, number>} */
const kinds = new Map()
/** @type {Set<string>} */
const found = new Set()
const counts = { texts: 0, readings: 0, growths: 0 }

/** @param {string} name */
function usesTrigger(name) {
  return dialects.find((dialect) => dialect.name === name)?.usesTrigger ?? false
}

/** @param {FuzzCase} fuzzCase */
function examine(fuzzCase) {
  const { text, dialect } = fuzzCase
  const splits = [singleUnits(text), randomPieces(text, random)]
  counts.readings++
  parentPort?.postMessage({ type: 'case', case: fuzzCase })
  const fault = faultOf(createReader, fuzzCase, splits, (reading) => corpus.add(dialect, text, reading))
  if (fault) report(fuzzCase, fault, splits)
}

/**
 * @param {FuzzCase} fuzzCase
 * @param {Fault} fault
 * @param {string[][]} splits
 */
function report(fuzzCase, fault, splits) {
  const kind = `${fault.law} ${fuzzCase.dialect}`
  const count = (kinds.get(kind) ?? 0) + 1
  kinds.set(kind, count)
  if (count > mostOfKind) return
  const splitsOf = (/** @type {string} */ text) =>
    fault.law.startsWith('chunk') ? allSplits(text) : [singleUnits(text)]
  const faultNow = (/** @type {FuzzCase} */ smaller) => {
    parentPort?.postMessage({ type: 'case', case: smaller })
    const now = faultOf(createReader, smaller, splitsOf(smaller.text))
    return now?.law === fault.law ? now : undefined
  }
  // A fault that occurs only in the pieces that it was found with stays unchanged.
  const small = faultNow(fuzzCase) ? minimise(fuzzCase, (smaller) => faultNow(smaller) !== undefined) : fuzzCase
  const key = JSON.stringify([fault.law, small.text, small.options])
  if (found.has(key)) return
  found.add(key)
  const { message } = faultNow(small) ?? faultOf(createReader, small, splits) ?? fault
  parentPort?.postMessage({ type: 'finding', finding: { law: fault.law, message, case: small, from: fuzzCase.text } })
}

/** @param {ReturnType<typeof randomGrowth>} input */
function measure(input) {
  try {
    const slow = slownessOf(createReader, input, () => parentPort?.postMessage({ type: 'beat' }))
    if (slow) parentPort?.postMessage({ type: 'slow', slow })
  } catch (error) {
    const { dialect, options, prefix, fragment } = input
    const text = prefix + fragment.repeat(longTimes)
    const finding = {
      law: 'throws on a long text',
      message: String(error),
      case: { dialect, text, options },
      from: text,
    }
    parentPort?.postMessage({ type: 'finding', finding })
  }
}

function nextText(/** @type {string} */ name) {
  const known = random.chance(0.4) ? corpus.pick(name) : undefined
  return known === undefined ? texts.next(name) : texts.change(name, known)
}

const end = performance.now() + minutes * 60_000
for (let round = 0; round < most && performance.now() < end; round++) {
  const name = random.pick(names)
  const options = randomOptions(random, usesTrigger(name))
  const text = nextText(name)
  counts.texts++
  for (const dialect of new Set([name, 'universal'])) examine({ dialect, text, options })
  if (round % roundsPerGrowth !== 0) continue
  const input = randomGrowth(random.chance(0.5) ? name : 'universal', texts, random, usesTrigger(name))
  counts.growths++
  parentPort?.postMessage({ type: 'case', case: { ...input, text: input.prefix + input.fragment } })
  measure(input)
}
parentPort?.postMessage({ type: 'done', counts: { ...counts, shapes: corpus.size }, kinds: [...kinds] })
