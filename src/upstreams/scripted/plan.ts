import { isJsonObject, type Tool } from '../../conversation/index.ts'
import { makeArguments } from './arguments.ts'
import { bestTool, findMentions, type Pick, rankTools } from './choose.ts'
import { ClueScope, type Span } from './clue-scope.ts'
import { type ClueKind, type Clues, findClues } from './clues.ts'
import type { PlannedCall } from './dialect-readings.ts'
import { resolveSchema, typeOf } from './schema.ts'
import { stringKindOf } from './strings.ts'

/** More than this in one reply, or more steps, is a text that was not meant as a list of orders. */
const maxCalls = 8
const maxSteps = 8

/** The calls that a request asks for: groups one after the other, the calls of a group side by side. */
export interface Plan {
  groups: PlannedCall[][]
  /** A call of a given tool, or of the tool that fits best, with what the request says. */
  forceCall(name: string | undefined): PlannedCall | undefined
}

/** Reads the request as orders to the tools. `lastResult` is the text of the last result of an earlier step. */
export function planCalls(request: string, tools: readonly Tool[], lastResult: string | undefined): Plan {
  const clues = findClues(
    request,
    tools.map((tool) => tool.name),
  )
  const whole: Span = { start: 0, end: request.length }
  const groups: PlannedCall[][] = []
  const seen = new Set<string>()
  for (const [index, step] of splitSteps(clues.masked).entries()) {
    const picks = pickTools(step, clues, tools, index === 0)
    const group = picks.flatMap((pick) => {
      const scope = new ClueScope(clues, [pick.span, step, whole], index === 0 ? undefined : lastResult)
      return expandCall(pick.tool, scope)
    })
    const fresh = group.filter((call) => {
      const key = JSON.stringify(call)
      return seen.has(key) ? false : seen.add(key)
    })
    if (fresh.length > 0) groups.push(fresh.slice(0, maxCalls))
  }
  return {
    groups,
    forceCall: (name) => {
      const tool = name === undefined ? rankTools(clues, whole, tools)[0]?.tool : findTool(name, tools)
      if (tool === undefined) return undefined
      return { name: tool.name, arguments: makeArguments(tool, new ClueScope(clues, [whole], lastResult)) }
    },
  }
}

function findTool(name: string, tools: readonly Tool[]): Tool | undefined {
  return (
    tools.find((tool) => tool.name === name) ?? tools.find((tool) => tool.name.toLowerCase() === name.toLowerCase())
  )
}

/** One call, or several of the same tool where the text gives its one main property a list: "Paris and Tokyo". */
function expandCall(tool: Tool, scope: ClueScope): PlannedCall[] {
  const kind = mainClueKind(tool, scope)
  const items = kind === undefined ? [] : scope.joined(kind)
  const scopes = kind === undefined || items.length === 0 ? [scope] : items.map((item) => scope.narrowed(kind, item))
  return scopes.map((one) => ({ name: tool.name, arguments: makeArguments(tool, one) }))
}

/** The kind of clue of the tool's one required string property; undefined when there are several or none. */
function mainClueKind(tool: Tool, scope: ClueScope): ClueKind | undefined {
  const properties = Object.entries(isJsonObject(tool.schema.properties) ? tool.schema.properties : {})
  const required = Array.isArray(tool.schema.required) ? tool.schema.required : []
  const main = required.length > 0 ? properties.filter(([key]) => required.includes(key)) : properties.slice(0, 1)
  const kinds = main.flatMap(([key, property]) => {
    const schema = resolveSchema(isJsonObject(property) ? property : {}, tool.schema)
    if (typeOf(schema) !== 'string' || scope.pair(key) !== undefined) return []
    const { clues, kind } = stringKindOf(key, schema)
    return kind === 'label' ? [] : [clues.find((clue) => scope.own(clue).length > 0)]
  })
  return kinds.length === 1 ? kinds[0] : undefined
}

const stepWords =
  /[,;.]?\s(?:and\s+)?(?:then|afterwards|finally|lastly|followed\s+by|after\s+(?:that|this|which))\b|[.;,]\s+(?:next|second(?:ly)?|third(?:ly)?)\b,?|\n\s*\d{1,2}[.)]\s/gi

/** The parts that come one after the other: "first ... then ...", numbered lines. */
function splitSteps(masked: string): Span[] {
  const steps: Span[] = []
  let start = 0
  for (const match of masked.matchAll(stepWords)) {
    if (steps.length === maxSteps - 1) break
    steps.push({ start, end: match.index })
    start = match.index + match[0].length
  }
  return [...steps, { start, end: masked.length }]
}

/** The tools that a step asks for, each with its part of the text: those it names, else those its clauses fit. */
function pickTools(step: Span, clues: Clues, tools: readonly Tool[], first: boolean): Pick[] {
  const mentions = findMentions(clues, step, tools)
  if (mentions.length > 0) return spread(mentions, step)
  const picks: Pick[] = []
  for (const [index, span] of splitClauses(step, clues.masked).entries()) {
    const opening = first && index === 0
    if (!opening && reportsBack.test(clues.masked.slice(span.start, span.end))) continue
    const tool = bestTool(clues, span, tools, picks.length > 0)
    if (tool !== undefined) picks.push({ tool, span })
  }
  if (picks.length > 0) return spread(picks, step)
  const clause = clues.masked.slice(step.start, step.end)
  const tool = !first && reportsBack.test(clause) ? undefined : bestTool(clues, step, tools, false)
  return tool === undefined ? [] : [{ tool, span: step }]
}

/** Gives each pick the text up to the next one; the first also has what stands before it. */
function spread(picks: readonly Pick[], step: Span): Pick[] {
  return picks.map(({ tool, span }, index) => ({
    tool,
    span: { start: index === 0 ? step.start : span.start, end: picks[index + 1]?.span.start ?? step.end },
  }))
}

function splitClauses(step: Span, masked: string): Span[] {
  const clauses: Span[] = []
  let start = step.start
  for (const match of masked.slice(step.start, step.end).matchAll(/,?\sand\s|[.;!?](?:\s|$)|\n/gi)) {
    clauses.push({ start, end: step.start + match.index })
    start = step.start + match.index + match[0].length
  }
  clauses.push({ start, end: step.end })
  return clauses.filter(({ start, end }) => end > start)
}

/** "tell me its output": about the answer to give, not about a tool to call. */
const reportsBack =
  /^[\s,]*(?:please\s+|also\s+|just\s+|finally\s+)*(?:tell|report|say|show|give|explain|describe|summari[sz]e|answer|reply|respond|compare|let\s+me\s+know)\b(?=.*\b(?:outputs?|results?|outcome|answers?|contents?|what|it|its|it's|them|they|their|both|happened|whether|how|which|why|difference)\b|[^\p{L}]*$)/isu
