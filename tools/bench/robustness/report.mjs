import { printTable } from '../print.mjs'
import { addScore, createScore } from './score.mjs'

/** Scores map each kind of text to `{texts, ofReaders}`: the number of texts, and a score for each reader. */

/** The sums of all scores. */
export function totalOf(scores, isCounted = () => true) {
  const [{ ofReaders }] = scores.values()
  const totals = ofReaders.map(() => createScore())
  let texts = 0
  for (const [name, score] of scores) {
    if (!isCounted(name)) continue
    texts += score.texts
    for (const [at, one] of score.ofReaders.entries()) addScore(totals[at], one)
  }
  return { texts, ofReaders: totals }
}

export const percent = (part, whole) => (whole === 0 ? '·' : `${((100 * part) / whole).toFixed(1)}`)
export const number = (score, value) => (score.texts === 0 ? '·' : String(value))

export function printScores(title, scores, readers, cellsOf) {
  console.log(`\n${title}`)
  printTable(
    [
      ['', 'texts', ...readers.map(({ name }) => name)],
      ...[...scores].map(([name, { texts, ofReaders }]) => [name, texts, ...ofReaders.map(cellsOf)]),
    ],
    34,
    13,
  )
}

export function printFailures(failures, limit) {
  for (const { mutation, reader, format, text, reply, expected, faults } of failures.slice(0, limit)) {
    console.log(`\n${mutation}${format ? `, ${format}` : ''}, ${reader}: ${faults.join('; ')}`)
    console.log(`  text      ${JSON.stringify(text)}`)
    if (expected)
      console.log(`  expected  ${JSON.stringify(expected.calls.map(({ name, arguments: args }) => [name, args]))}`)
    console.log(`  read      ${JSON.stringify(reply.calls.map(({ name, json }) => [name, json]))}`)
    console.log(
      `  beside    ${JSON.stringify({ text: reply.text, reasoning: reply.reasoning, incomplete: reply.incomplete })}`,
    )
  }
}

/** Only anycall's readers have targets. */
export function mutationTargets(readers, all) {
  return readers.flatMap(({ name }, at) => {
    if (name.startsWith('sdk')) return []
    const { ofReaders } = all.get('in total')
    const { calls, found, lost, texts, threw } = ofReaders[at]
    const recoverable = calls === 0 ? undefined : (100 * found) / calls
    return [
      { name: `${name}: recall`, value: recoverable, floor: 99, unit: '%' },
      { name: `${name}: words lost`, value: texts === 0 ? undefined : lost, limit: 0, digits: 0 },
      { name: `${name}: texts on which it threw`, value: texts === 0 ? undefined : threw, limit: 0, digits: 0 },
    ]
  })
}

export function proseTargets(readers, scores) {
  return readers.flatMap(({ name }, at) => {
    if (name.startsWith('sdk')) return []
    const share = (...kinds) => {
      const counted = kinds.map((kind) => scores.get(kind).ofReaders[at])
      const wrong = counted.reduce((sum, { wrongTexts }) => sum + wrongTexts, 0)
      return (100 * wrong) / counted.reduce((sum, { texts }) => sum + texts, 0)
    }
    return [
      {
        name: `${name}: fenced and quoted examples with a false call`,
        value: share('fenced', 'quoted'),
        limit: 0,
        unit: '%',
      },
      { name: `${name}: adversarial prose with a false call`, value: share('prose', 'code'), limit: 0.5, unit: '%' },
    ]
  })
}
