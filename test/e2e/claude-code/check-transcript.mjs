// @ts-check
import { isDeepStrictEqual } from 'node:util'
import { readJsonLines } from '../clients/isolated.mjs'

/**
 * The events of Claude Code's `stream-json` output.
 * @typedef {object} Transcript
 * @property {number} tools how many tools it has
 * @property {readonly { id: string, name: string, input: Record<string, unknown> }[]} calls in order, those of subagents too
 * @property {ReadonlyMap<string, { text: string, isError: boolean }>} results by the id of their call
 * @property {Record<string, any> | undefined} result its last event
 * @property {readonly string[]} odd lines that are no JSON
 */

/**
 * @param {string} output
 * @returns {Transcript}
 */
export function readTranscript(output) {
  const { values: events, odd } = readJsonLines(output)
  const blocks = events
    .filter(({ type }) => type === 'assistant' || type === 'user')
    .flatMap(({ message }) => (Array.isArray(message.content) ? message.content : []))
  return {
    tools: events.find(({ type, subtype }) => type === 'system' && subtype === 'init')?.tools.length ?? 0,
    calls: blocks.filter(({ type }) => type === 'tool_use'),
    results: new Map(
      blocks
        .filter(({ type }) => type === 'tool_result')
        .map((block) => [block.tool_use_id, { text: textOf(block.content), isError: block.is_error === true }]),
    ),
    result: events.findLast(({ type }) => type === 'result'),
    odd,
  }
}

/**
 * @param {unknown} content of a tool result
 * @returns {string}
 */
function textOf(content) {
  return Array.isArray(content) ? content.map(({ text = '' }) => text).join('\n') : String(content ?? '')
}

/**
 * Returns the errors in a run of the client, one per line.
 * @param {Transcript} transcript
 * @param {Pick<import('./scenarios.mjs').Turn, 'calls' | 'answer'> & { tools: number }} expected
 */
export function checkTranscript({ tools, calls, results, result, odd }, expected) {
  const problems = odd.map((line) => `a line of the client's output is not JSON: ${line.slice(0, 100)}`)
  if (tools < expected.tools) problems.push(`the client has ${tools} tools, expected at least ${expected.tools}`)
  const made = calls.map(({ name }) => name).join(', ')
  const wanted = expected.calls.map(({ name }) => name).join(', ')
  if (made !== wanted) problems.push(`calls made: ${made || 'none'}; expected ${wanted || 'none'}`)

  const answer = String(result?.result ?? '')
  for (const [index, call] of expected.calls.entries()) {
    const actual = calls[index]
    if (actual?.name !== call.name) continue
    for (const [key, value] of Object.entries(call.input)) {
      if (isDeepStrictEqual(actual.input[key], value)) continue
      problems.push(`${call.name}: ${key} is ${JSON.stringify(actual.input[key])}, expected ${JSON.stringify(value)}`)
    }
    problems.push(...checkResult(call, results.get(actual.id), answer))
  }

  if (result === undefined) return [...problems, 'the client gave no result']
  if (result.subtype !== 'success' || result.is_error) problems.push(`the client ended with an error: ${answer}`)
  const denied = result.permission_denials ?? []
  if (denied.length > 0) problems.push(`the client refused ${denied.length} calls`)
  if (expected.answer && !expected.answer.test(answer)) problems.push(`the answer lacks ${expected.answer}: ${answer}`)
  return problems
}

/**
 * @param {import('./scenarios.mjs').ExpectedCall} call
 * @param {{ text: string, isError: boolean } | undefined} result
 * @param {string} answer
 * @returns {string[]}
 */
function checkResult({ name, output, fails = false }, result, answer) {
  if (result === undefined) return [`${name} was not run`]
  const problems = []
  if (result.isError !== fails) problems.push(`${name} ${fails ? 'did not fail' : 'failed'}: ${result.text}`)
  const found = output.exec(result.text)?.[0]
  if (found === undefined) problems.push(`${name} gave ${JSON.stringify(result.text)}, expected ${output}`)
  else if (!answer.includes(found)) problems.push(`the answer does not use what ${name} gave (${found}): ${answer}`)
  return problems
}
