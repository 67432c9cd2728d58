// @ts-check
import { isDeepStrictEqual } from 'node:util'

/**
 * The gateway's log, sorted.
 * @typedef {object} GatewayLog
 * @property {readonly Record<string, any>[]} requests
 * @property {readonly Record<string, any>[]} notices
 * @property {readonly string[]} alarms warnings, errors, and what is no log at all
 * @property {number} inputTokens
 * @property {number} outputTokens
 */

const quietLevels = new Set(['debug', 'info'])

/**
 * @param {readonly string[]} lines
 * @returns {GatewayLog}
 */
export function readLog(lines) {
  /** @type {string[]} */
  const alarms = []
  const events = lines.flatMap((line) => {
    const event = parse(line)
    if (!quietLevels.has(event?.level)) alarms.push(line)
    return event === undefined ? [] : [event]
  })
  const requests = events.filter(({ event }) => event === 'request')
  /** @type {(name: string) => number} */
  const sum = (name) => requests.reduce((total, request) => total + (request[name] ?? 0), 0)
  return {
    requests,
    notices: events.filter(({ event }) => event === 'notice'),
    alarms,
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
  }
}

/**
 * @param {string} line
 * @returns {Record<string, any> | undefined}
 */
function parse(line) {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/**
 * Returns the errors in the requests of a scenario as the gateway logged them, one per line.
 * @param {GatewayLog} log
 * @param {import('./scenarios.mjs').Scenario} scenario
 * @param {readonly import('./check-transcript.mjs').Transcript[]} transcripts
 */
export function checkLog(log, scenario, transcripts) {
  const problems = log.alarms.length > 0 ? [`the gateway logged ${log.alarms.length} warnings or errors`] : []
  for (const { path, status } of log.requests) {
    if (status !== 200) problems.push(`${path} was answered with status ${status}`)
  }
  // With a proxy, Claude Code leaves out its `HEAD /`.
  const counts = countBy(log.requests.map(({ path }) => path).filter((path) => path !== '/'))
  if (!isDeepStrictEqual(counts, scenario.requests)) {
    problems.push(`requests: ${JSON.stringify(counts)}, expected ${JSON.stringify(scenario.requests)}`)
  }
  const notices = log.notices.map(({ code }) => code)
  if (!isDeepStrictEqual(notices, scenario.notices)) {
    const told = log.notices.map(({ code, message }) => `${code} (${message})`).join(', ')
    problems.push(`notices: ${told || 'none'}; expected ${scenario.notices.join(', ') || 'none'}`)
  }
  return [...problems, ...checkTokens(log, scenario, transcripts)]
}

/**
 * @param {GatewayLog} log
 * @param {import('./scenarios.mjs').Scenario} scenario
 * @param {readonly import('./check-transcript.mjs').Transcript[]} transcripts
 * @returns {string[]}
 */
function checkTokens(log, { inputTokens: [least, most] }, transcripts) {
  const problems = []
  for (const { path, inputTokens, outputTokens, error } of log.requests) {
    if (path !== '/v1/messages' || error !== undefined) continue
    if (!(inputTokens >= least && inputTokens <= most)) {
      problems.push(`a prompt counts ${inputTokens} tokens, expected ${least} to ${most}`)
    }
    if (!(outputTokens > 0)) problems.push(`a reply counts ${outputTokens} tokens`)
  }
  // Claude Code sums up the reported usage by model, including its subagents' requests.
  const told = transcripts.flatMap(({ result }) => Object.values(result?.modelUsage ?? {}))
  for (const name of /** @type {const} */ (['inputTokens', 'outputTokens'])) {
    const total = told.reduce((sum, usage) => sum + usage[name], 0)
    if (total !== log[name]) problems.push(`the client was told of ${total} ${name}, the gateway logged ${log[name]}`)
  }
  return problems
}

/**
 * @param {readonly string[]} words
 * @returns {Record<string, number>}
 */
function countBy(words) {
  /** @type {Record<string, number>} */
  const counts = {}
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1
  return counts
}
