// @ts-check
import { readLog } from '../claude-code/check-log.mjs'
import { startGateway } from '../clients/gateway.mjs'
import { checkPrompts } from './check-prompts.mjs'
import { startModel } from './model.mjs'

/** The length of a line of the gateway's log that is shown. */
const shownLength = 1500

/** The paths of requests that ask no model: lists, descriptions, probes, counts of tokens. */
const besides = /^\/$|\/models(\/[^:]+)?$|:countTokens$|\/count_tokens$|^\/api\/(tags|show|ps|version|pull|hello)$/

/**
 * A conversation to be played.
 * @typedef {object} Script
 * @property {import('./forms.mjs').Form} form
 * @property {readonly import('./model.mjs').Step[]} steps
 * @property {readonly import('./model.mjs').Aside[]} [asides]
 * @property {Record<string, unknown>} [rule] added to the gateway's rule for the model
 * @property {readonly string[]} notices the codes of notices that there may be
 * @property {boolean} [growsPrompts] false: the client rewrites what it sent before
 * @property {RegExp} [refused] paths that the gateway does not serve, and that the client can do without
 */

/**
 * Starts a gateway before a model that plays a script. `stop` ends both and returns what was wrong.
 * @param {Script} script
 * @param {string} folder the gateway's home
 */
export async function startSession(script, folder) {
  const { form, steps, rule, asides = [] } = script
  const model = await startModel(form, steps, asides)
  const config = {
    upstreams: { model: { type: form.type, url: form.type === 'vllm' ? model.url : `${model.url}/v1` } },
    models: [{ match: '*', upstream: 'model', model: 'text-model', ...form.rule, ...rule }],
  }
  const gateway = await startGateway({ folder, args: [], config }).catch((error) => {
    model.close()
    throw error
  })
  return {
    url: gateway.url,
    asked: model.asked,
    stop: async () => {
      const stopped = await gateway.stop()
      model.close()
      const problems = stopped.end === 0 ? [] : [`the gateway ended with ${stopped.end}`]
      problems.push(...checkRequests(stopped.lines, script, model.asides()), ...model.problems())
      if (script.growsPrompts !== false) problems.push(...checkPrompts(model.asked))
      return { problems, lines: stopped.lines }
    },
  }
}

/**
 * Returns what is wrong in the gateway's log: each request has a step of the script, and nothing is degraded unexpectedly.
 * @param {readonly string[]} lines
 * @param {Script} script
 * @param {number} asides
 */
function checkRequests(lines, { steps, notices: allowed, refused }, asides) {
  const { requests, notices, alarms } = readLog(lines)
  const problems = alarms.map((line) => `the gateway logged: ${line.slice(0, shownLength)}`)
  const asked = requests.filter(({ path }) => !besides.test(path) && !refused?.test(path))
  for (const { path, status } of requests)
    if (!refused?.test(path) && status !== 200) problems.push(`${path} was answered with status ${status}`)
  // A request that the client repeats is one that the script does not have.
  const expected = steps.filter(({ isContinuation }) => !isContinuation).length + asides
  if (asked.length !== expected) problems.push(`the client made ${asked.length} requests, expected ${expected}`)
  for (const code of new Set(notices.map(({ code }) => code))) {
    const notice = notices.find((other) => other.code === code)
    if (!allowed.includes(code)) problems.push(`notice ${code}: ${notice?.message}`)
  }
  return problems
}
