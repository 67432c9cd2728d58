import type { ChatMessage } from '../upstream.ts'
import { readConstraint } from './constraint.ts'
import { type Instructions, type PlannedCall, readInstructions } from './dialect-readings.ts'
import { planCalls } from './plan.ts'
import { type Result, readSituation, readSystem, type Situation } from './situation.ts'
import { shorten } from './strings.ts'

const introduction = "I am anycall's built-in stand-in, not a language model."

/** How much of a result, and of a request, an answer repeats. */
const resultQuoted = 600
const requestQuoted = 120

/** The text that a small model, which knows nothing but its prompt, would write next. */
export function writeReply(messages: readonly ChatMessage[]): string {
  const system = readSystem(messages)
  const instructions = readInstructions(system)
  const situation = readSituation(messages, instructions)
  if (instructions !== undefined) {
    const calls = nextCalls(instructions, situation)
    // One line break, as the history is written: so its words come back to the letter.
    if (calls.length > 0) return `I will call ${listNames(calls)}.\n${instructions.writeCalls(calls)}`
  }
  return situation.results.length > 0 ? answerFromResults(situation.results) : answerShortly(situation, instructions)
}

/** The calls that are due: the next step of what was asked for, or what the instructions require. */
function nextCalls(instructions: Instructions, { request, results, called }: Situation): PlannedCall[] {
  const { choice, single } = readConstraint(instructions.rest, request)
  if (choice.type === 'none') return []
  const plan = planCalls(request, instructions.tools, results.at(-1)?.text)
  const due = withoutDone(plan.groups, called)
  let calls = due.find((group) => group.length > 0) ?? []
  if (choice.type === 'named') {
    calls = calls.filter((call) => call.name === choice.name)
  }
  if (calls.length === 0 && choice.type !== 'auto') {
    const forced = plan.forceCall(choice.type === 'named' ? choice.name : undefined)
    if (forced !== undefined) calls = [forced]
  }
  return single ? calls.slice(0, 1) : calls
}

/** The groups without as many calls of each tool as were made already; a call without a name counts for any tool. */
function withoutDone(groups: readonly PlannedCall[][], called: readonly string[]): PlannedCall[][] {
  const made = new Map<string, number>()
  for (const name of called) made.set(name, (made.get(name) ?? 0) + 1)
  const strike = (name: string): boolean => {
    const left = made.get(name) ?? 0
    if (left > 0) made.set(name, left - 1)
    return left > 0
  }
  return groups.map((group) => group.filter(({ name }) => !strike(name) && !strike('')))
}

function listNames(calls: readonly PlannedCall[]): string {
  return [...new Set(calls.map((call) => call.name))].join(' and ')
}

function answerFromResults(results: readonly Result[]): string {
  const sentences = results.map(({ name, text, failed }) => {
    if (text === '') return failed ? `${name} failed and said nothing.` : `${name} returned nothing.`
    return `${name} ${failed ? 'failed' : 'returned'}: ${shorten(text, resultQuoted)}`
  })
  return [introduction, ...sentences].join('\n')
}

function answerShortly({ request }: Situation, instructions: Instructions | undefined): string {
  const asked = request.replace(/\s+/g, ' ').trim()
  const about = asked === '' ? 'You asked for nothing yet.' : `You wrote: "${shorten(asked, requestQuoted)}"`
  const names = instructions?.tools.slice(0, 3).map((tool) => tool.name) ?? []
  const offer = names.length === 0 ? '' : ` Ask me to use a tool (${names.join(', ')}) and I will call it.`
  return `${introduction} ${about}${offer}`
}
