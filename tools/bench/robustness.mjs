/**
 * Measures how well broken calls are read: `npm run bench:robustness`, or `node tools/bench/robustness.mjs [--seed N]
 * [--count N] [--format NAME] [--mutation NAME] [--failures N] [--anycall FILE] [--strict]` with the built library
 * (default `dist/index.mjs`), N messages for each format, and N failures shown for each reader and mutation. It exits
 * with 0, or with 1 if `--strict` is set and a target is missed.
 *
 * Random messages (the same for the same seed) with one to three calls and with prose around them are written by every
 * dialect of the library, and by writers of two formats of the field that know nothing of the library. Each text is
 * then mutated in each way that applies to its format (robustness/mutations.mjs); what must be read is known from the
 * message. Only what can be recovered without a guess is there. Texts that only talk about calls
 * (robustness/prose.mjs) are read as they are, with the tools offered that they name.
 *
 *   recall       calls that were read, by name and in order, of those that are there
 *   exact        calls with the arguments of the message, compared as JSON, of those that were read
 *   text lost    words of the prose around that are neither in the text nor in the reasoning
 *   false calls  calls that nobody made, complete ones: a client would run them
 *
 * Readers: the universal reader, without a given format, with calls emitted whole and live; each dialect's own
 * reader, live; `@ai-sdk-tool/parser`, whole and streamed, for each format with that of its protocols which reads the
 * unchanged texts of it best. Formats that it reads no better than half are left out of its counts. It leaves reasoning
 * and the refusal of unknown tools to the AI SDK, so that calls within reasoning and calls to tools by another name count
 * as false calls of its own here, although a client of the SDK may never see them.
 */
import { parseArgs } from 'node:util'
import { builtLibrary, loadLibrary } from './library.mjs'
import { printTargets } from './print.mjs'
import { formatsOf, specimensOf } from './robustness/formats.mjs'
import { mutations } from './robustness/mutations.mjs'
import { prose } from './robustness/prose.mjs'
import { createRandom, seedOf } from './robustness/random.mjs'
import { libraryReaders, proseReaders, sdkModes } from './robustness/readers.mjs'
import {
  mutationTargets,
  number,
  percent,
  printFailures,
  printScores,
  proseTargets,
  totalOf,
} from './robustness/report.mjs'
import { createScore, judge, readOrThrow } from './robustness/score.mjs'
import { tools } from './robustness/tools.mjs'
import { sdkProtocols } from './sdk-parser.mjs'

const { values: flags } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '25' },
    format: { type: 'string' },
    mutation: { type: 'string' },
    failures: { type: 'string', default: '0' },
    anycall: { type: 'string', default: builtLibrary },
    strict: { type: 'boolean', default: false },
  },
})
const count = Number(flags.count)

/** For each format that protocol of `@ai-sdk-tool/parser` which reads the most calls of the unchanged texts. */
async function chooseProtocols(formats, specimens, createReader) {
  const chosen = {}
  for (const format of formats) {
    let best = 0.5
    for (const [name, protocol] of Object.entries(sdkProtocols)) {
      const reader = createReader({ [format.name]: { name, protocol } })
      const score = createScore()
      for (const specimen of specimens.get(format)) await judgeOne(score, reader, specimen, { text: specimen.text })
      if (score.exact / score.calls <= best) continue
      best = score.exact / score.calls
      chosen[format.name] = { name, protocol }
    }
  }
  return chosen
}

/**
 * Adds a reply to the score; returns the faults and the reply, or undefined if the reader does not support the text.
 */
async function judgeOne(score, reader, specimen, { text, calls, prose: texts, options, reason, isForeign }) {
  const expected = { calls: calls ?? specimen.calls, prose: texts ?? specimen.prose }
  const reply = await readOrThrow(() => reader.read(text, specimen.format, { options, reason, isForeign }))
  return reply && { reply, expected, faults: judge(score, reply, expected) }
}

function describeProtocols(chosen) {
  const read = Object.entries(chosen).map(([format, { name }]) => `${format} by its ${name}`)
  return read.length === 0 ? 'reads none of them' : read.join(', ')
}

async function scoreMutations(formats, specimens, readers) {
  const scores = new Map()
  const failures = []
  for (const mutation of mutations) {
    if (flags.mutation !== undefined && mutation.name !== flags.mutation) continue
    const ofReaders = readers.map(() => createScore())
    const shown = readers.map(() => 0)
    let texts = 0
    for (const format of formats) {
      for (const [index, specimen] of specimens.get(format).entries()) {
        const random = createRandom(seedOf(flags.seed, format.name, mutation.name, String(index)))
        const mutated = mutation.apply({ ...specimen, tools }, random)
        if (!mutated) continue
        texts++
        for (const [at, reader] of readers.entries()) {
          const judged = await judgeOne(ofReaders[at], reader, specimen, { ...mutated, isForeign: mutation.isForeign })
          if (!judged || judged.faults.length === 0 || shown[at]++ >= Number(flags.failures)) continue
          failures.push({
            mutation: mutation.name,
            reader: reader.name,
            format: format.name,
            text: mutated.text,
            ...judged,
          })
        }
      }
    }
    scores.set(mutation.name, { texts, ofReaders })
  }
  return { scores, failures }
}

async function scoreProse(readers) {
  const scores = new Map()
  const failures = []
  for (const { kind, text } of prose) {
    if (!scores.has(kind)) scores.set(kind, { texts: 0, ofReaders: readers.map(() => createScore()) })
    const score = scores.get(kind)
    score.texts++
    for (const [at, reader] of readers.entries()) {
      const reply = await readOrThrow(() => reader.read(text))
      const faults = judge(score.ofReaders[at], reply, { calls: [], prose: [text] })
      if (reply.calls.length > 0) score.ofReaders[at].wrongTexts++
      if (faults.length > 0) failures.push({ mutation: `prose, ${kind}`, reader: reader.name, text, reply, faults })
    }
  }
  return { scores, failures }
}

async function run() {
  const library = await loadLibrary(flags.anycall)
  const formats = formatsOf(library).filter(({ name }) => flags.format === undefined || name === flags.format)
  const specimens = new Map(formats.map((format) => [format, specimensOf(format, count, flags.seed)]))
  const sdk = []
  for (const [name, createReader] of Object.entries(sdkModes)) {
    const protocols = await chooseProtocols(formats, specimens, createReader)
    sdk.push({ name, reader: createReader(protocols), protocols: describeProtocols(protocols) })
  }
  const readers = [...libraryReaders(library), ...sdk.map(({ reader }) => reader)]

  console.log(`anycall: broken calls and mere talk of calls; seed ${flags.seed}, ${count} messages a format`)
  console.log(`formats: ${formats.map(({ name }) => name).join(', ')}`)
  for (const format of formats) {
    const missing = count - specimens.get(format).length
    if (missing > 0) console.log(`left out: ${missing} messages that ${format.name} writes in other words`)
  }
  for (const { name, protocols } of sdk) console.log(`@ai-sdk-tool/parser, ${name}: ${protocols}`)

  const { scores, failures } = await scoreMutations(formats, specimens, readers)
  const all = new Map([...scores, ['in total', totalOf(scores)]])
  printScores('recall of calls, %', all, readers, (score) => percent(score.found, score.calls))
  printScores('exact arguments, %', all, readers, (score) => percent(score.exact, score.found))
  printScores('text lost, words', all, readers, (score) => number(score, score.lost))
  printScores('false calls', all, readers, (score) => number(score, score.falseCalls))

  const ofProse = proseReaders(library)
  const talk = await scoreProse(ofProse)
  const allTalk = new Map([...talk.scores, ['in total', totalOf(talk.scores)]])
  printScores('texts that only talk about calls: those with a false call', allTalk, ofProse, (score) =>
    number(score, score.wrongTexts),
  )
  printScores('texts that only talk about calls: words lost', allTalk, ofProse, (score) => number(score, score.lost))
  printFailures(failures, Infinity)
  if (Number(flags.failures) > 0)
    printFailures(
      talk.failures.filter(({ reader }) => !reader.startsWith('sdk')),
      Number(flags.failures) * 20,
    )

  console.log('')
  return printTargets([...mutationTargets(readers, all), ...proseTargets(ofProse, talk.scores)])
}

const missed = await run()
if (flags.strict && missed > 0) process.exitCode = 1
