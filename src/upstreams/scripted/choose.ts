import { isJsonObject, type Tool } from '../../conversation/index.ts'
import type { Span } from './clue-scope.ts'
import { blank, type ClueKind, type Clues } from './clues.ts'
import { stringKindOf } from './strings.ts'
import { contentWords, isCommonStem, nameParts } from './words.ts'

/** A tool and the part of the text that asks for it. */
export interface Pick {
  tool: Tool
  span: Span
}

/** What a word of the request is worth, by where the tool has it. */
const weights = {
  namePart: 4,
  commonNamePart: 2,
  description: 1,
  descriptionOfOneTool: 2,
  property: 1,
  /** A value in the text that fits a required property: a path for `file_path`. */
  value: 1,
  /** The same where the value's kind tells the tool: a URL, a place. */
  tellingValue: 2,
  /** "run" with a command, for a tool that takes a command. */
  command: 5,
  shell: 3,
}

/** The least score of a tool that is called, and of a further one in the same reply. */
const threshold = 3
const furtherThreshold = 4
/** As much of a description says what the tool is for; the rest is about details. */
const descriptionRead = 240

const shellNames: ReadonlySet<string> = new Set([
  'bash',
  'shell',
  'sh',
  'terminal',
  'exec',
  'command',
  'console',
  'cmd',
])
const tellingKinds: ReadonlySet<ClueKind> = new Set<ClueKind>(['url', 'email'])

/** The places where the text names a tool outright, in order. */
export function findMentions(clues: Clues, span: Span, tools: readonly Tool[]): Pick[] {
  const byName = new Map(tools.map((tool) => [tool.name.toLowerCase(), tool]))
  const text = clues.text.slice(span.start, span.end)
  const picks: Pick[] = []
  for (const match of text.matchAll(/[\p{Script=Latin}\p{N}_-]+(?:[.:/][\p{Script=Latin}\p{N}_-]+)*/gu)) {
    const tool = byName.get(match[0].toLowerCase())
    if (tool === undefined || isBlankedOut(clues, span.start + match.index, match[0])) continue
    const end = match.index + match[0].length
    if (!isOutright(tool.name, text.slice(Math.max(0, match.index - 24), match.index), text.slice(end, end + 12)))
      continue
    picks.push({ tool, span: { start: span.start + match.index, end: span.start + end } })
  }
  return picks
}

/** A name inside markup, JSON or a quotation is no order, unless the quotation is a call: `get_weather(...)`. */
function isBlankedOut(clues: Clues, at: number, name: string): boolean {
  if (clues.masked.charAt(at) !== blank) return false
  return !clues.kinds.quoted.some((clue) => clue.start < at && at < clue.end && clue.text.startsWith(name))
}

/** A name of several words is always meant; one that is also a word ("Read", "search") only where it is set off. */
function isOutright(name: string, before: string, after: string): boolean {
  if (nameParts(name).length > 1 || /\d/.test(name)) return true
  const quoted = /[`"'“]$/.test(before) && /^[`"'”]/.test(after)
  const called = /\b(?:use|using|call|calling|invoke|invoking|with)\s+(?:the\s+)?$/i.test(before)
  return quoted || called || /^\s*\(|^\s+(?:tool|function)\b/i.test(after) || /\b(?:tool|function)\s+$/i.test(before)
}

/** The tool that a part of the text asks for, if any does. */
export function bestTool(clues: Clues, span: Span, tools: readonly Tool[], further: boolean): Tool | undefined {
  const best = rankTools(clues, span, tools)[0]
  return best !== undefined && best.score >= (further ? furtherThreshold : threshold) ? best.tool : undefined
}

/** All tools, the one that fits the text best first; equals stay in the order of the list. */
export function rankTools(clues: Clues, span: Span, tools: readonly Tool[]): { tool: Tool; score: number }[] {
  const masked = clues.masked.slice(span.start, span.end)
  const asked: Asked = {
    words: contentWords(masked),
    kinds: new Set(kindsWithin(clues, span)),
    runs: /\b(?:run|runs|running|execute|executes|executing)\b/i.test(masked),
    command: /\b(?:command|shell|bash|terminal)\b/i.test(masked),
  }
  const profiles = tools.map(profileOf)
  const frequency = new Map<string, number>()
  for (const { description } of profiles) {
    for (const word of description) if (asked.words.has(word)) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  }
  return tools
    .map((tool, index) => ({ tool, score: scoreTool(profiles[index] ?? profileOf(tool), asked, frequency) }))
    .sort((a, b) => b.score - a.score)
}

interface Asked {
  words: ReadonlySet<string>
  kinds: ReadonlySet<ClueKind>
  runs: boolean
  command: boolean
}

interface Profile {
  name: ReadonlySet<string>
  nameWords: readonly string[]
  description: ReadonlySet<string>
  properties: ReadonlySet<string>
  /** The kinds of clue that its required string properties take first. */
  takes: readonly ClueKind[]
  takesNumber: boolean
  takesCommand: boolean
  takesPlace: boolean
}

function profileOf(tool: Tool): Profile {
  const properties = isJsonObject(tool.schema.properties) ? tool.schema.properties : {}
  const required = Array.isArray(tool.schema.required) ? tool.schema.required : []
  const nameWords = nameParts(tool.name)
  const keys = Object.keys(properties)
  const kinds = keys
    .filter((key) => required.length === 0 || required.includes(key))
    .map((key) => {
      const property = properties[key]
      return stringKindOf(key, isJsonObject(property) ? property : {})
    })
  return {
    name: contentWords(nameWords.join(' ')),
    nameWords,
    description: contentWords(tool.description.slice(0, descriptionRead)),
    properties: contentWords(keys.flatMap(nameParts).join(' ')),
    takes: kinds.flatMap((kind) => kind.clues.slice(0, 1)).filter((kind) => kind !== 'quoted' && kind !== 'name'),
    takesNumber: required.some((key) => {
      const property = typeof key === 'string' ? properties[key] : undefined
      return isJsonObject(property) && (property.type === 'number' || property.type === 'integer')
    }),
    takesCommand: kinds.some(({ kind }) => kind === 'command'),
    takesPlace: kinds.some(({ kind }) => kind === 'place'),
  }
}

function scoreTool(profile: Profile, asked: Asked, frequency: ReadonlyMap<string, number>): number {
  let score = 0
  let described = 0
  let property = 0
  for (const word of asked.words) {
    if (profile.name.has(word)) score += isCommonStem(word) ? weights.commonNamePart : weights.namePart
    else if (profile.description.has(word)) {
      const rare = frequency.get(word) === 1 && !isCommonStem(word)
      described += rare ? weights.descriptionOfOneTool : weights.description
    } else if (profile.properties.has(word)) property += weights.property
  }
  score += Math.min(described, 3) + Math.min(property, 2)
  for (const kind of new Set(profile.takes)) {
    if (kind !== 'code' && asked.kinds.has(kind)) score += tellingKinds.has(kind) ? weights.tellingValue : weights.value
  }
  if (profile.takesNumber && asked.kinds.has('number')) score += weights.value
  if (profile.takesPlace && asked.kinds.has('name')) score += weights.tellingValue
  const hasCommand = asked.command || asked.kinds.has('code') || asked.kinds.has('quoted')
  if (profile.takesCommand && asked.runs && hasCommand) {
    score += weights.command
    if (profile.nameWords.some((word) => shellNames.has(word))) score += weights.shell
  }
  return score
}

function kindsWithin(clues: Clues, span: Span): ClueKind[] {
  const found: ClueKind[] = []
  for (const kind of ['code', 'quoted', 'url', 'path', 'email', 'date', 'number', 'name'] as const) {
    if (clues.kinds[kind].some((clue) => clue.start >= span.start && clue.start < span.end)) found.push(kind)
  }
  return found
}
