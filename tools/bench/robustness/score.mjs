import { isDeepStrictEqual } from 'node:util'

/** Sums over replies; `wrongTexts` are those with a false call. */
export function createScore() {
  return { texts: 0, calls: 0, found: 0, exact: 0, words: 0, lost: 0, falseCalls: 0, wrongTexts: 0, threw: 0 }
}

/** Adds the sums of another score. */
export function addScore(score, other) {
  for (const [key, value] of Object.entries(other)) score[key] += value
}

/** Returns the result of a reader; nothing if it throws. */
export async function readOrThrow(read) {
  try {
    return await read()
  } catch (error) {
    const threw = error instanceof Error ? error.message : String(error)
    return { calls: [], incomplete: [], text: '', reasoning: '', threw }
  }
}

/** Adds one reply to a score; returns its faults, empty if there are none. */
export function judge(score, reply, { calls, prose }) {
  const faults = []
  const { found, exact, surplus } = matchCalls(reply.calls, calls)
  const lost = lostWords(reply, prose)
  score.texts++
  score.calls += calls.length
  score.found += found
  score.exact += exact
  score.falseCalls += surplus
  score.words += prose.reduce((sum, text) => sum + wordsOf(text).length, 0)
  score.lost += lost
  if (reply.threw !== undefined) {
    score.threw++
    faults.push(`threw: ${reply.threw}`)
  }
  if (found < calls.length) faults.push(`${calls.length - found} of ${calls.length} calls not read`)
  if (exact < found) faults.push(`${found - exact} calls with other arguments`)
  if (surplus > 0) faults.push(`${surplus} false calls`)
  if (lost > 0) faults.push(`${lost} words lost`)
  return faults
}

/** Calls in order by name; each that is expected is taken by the next of that name. */
function matchCalls(read, expected) {
  let next = 0
  let found = 0
  let exact = 0
  for (const { name, arguments: args } of expected) {
    const at = read.findIndex((call, index) => index >= next && call.name === name)
    if (at < 0) continue
    next = at + 1
    found++
    if (isDeepStrictEqual(parse(read[at].json), args)) exact++
  }
  return { found, exact, surplus: read.length - found }
}

/** The number of words of the prose that are neither in the text nor in the reasoning of the reply. */
function lostWords({ text, reasoning }, prose) {
  const given = normalise(`${text}\n${reasoning}`)
  let lost = 0
  for (const part of prose) {
    if (given.includes(normalise(part))) continue
    const remaining = new Map()
    for (const word of given.split(' ')) remaining.set(word, (remaining.get(word) ?? 0) + 1)
    for (const word of wordsOf(part)) {
      const left = remaining.get(word) ?? 0
      if (left === 0) lost++
      else remaining.set(word, left - 1)
    }
  }
  return lost
}

function wordsOf(text) {
  return normalise(text).split(' ')
}

function normalise(text) {
  return text.trim().replace(/\s+/g, ' ')
}

function parse(json) {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
