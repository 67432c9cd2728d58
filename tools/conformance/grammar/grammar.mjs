// @ts-check
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { roundTripMessages } from '../round-trip/messages.mjs'
import { failed, outcomeOf, tally } from '../score/tally.mjs'
import { openTemplate, templateNames } from '../templates/templates.mjs'
import { parseVector } from '../templates/vector.mjs'
import { readVectors } from '../templates/vectors.mjs'
import { parseGbnf } from './gbnf-grammar.mjs'
import { matchGbnf } from './gbnf-matcher.mjs'

/** @import { Difference, Library, Section, SectionScore } from '../library/types.ts' */
/** @import { Rules } from './types.ts' */
/** @import { Constraint, Message, OpenTemplate, Vector } from '../library/template-types.ts' */

/**
 * Checks that a grammar admits the text that a model is to write: the outputs of vectors with calls, and calls as each
 * template writes them. A lazy grammar applies from one of its triggers on, any other from the first character.
 * @type {Section}
 */
export const grammar = { name: 'grammar', score: scoreGrammar }

/**
 * @param {string} folder
 * @param {Library} library
 * @returns {SectionScore | undefined} undefined as well where no dialect of the library has a grammar
 */
function scoreGrammar(folder, library) {
  if (!library.analyzeTemplate) return undefined
  const names = templateNames(folder)
  const templates = new Map(names.map((name) => [name, openTemplate(folder, name, library)]))
  if (![...templates.values()].some((template) => template.type === 'open' && template.dialect.grammar))
    return undefined
  const root = join(folder, 'vectors')
  const vectorFiles = existsSync(root) ? readdirSync(root).filter((name) => name.endsWith('.json')) : []
  const ofVectors = vectorFiles.sort().map((file) => {
    const template = templates.get(file.slice(0, -'.json'.length))
    return { file, outcomes: readVectors(join(root, file)).flatMap((json) => scoreVector(json, template)) }
  })
  const ofTemplates = names.flatMap((name) => {
    const template = templates.get(name)
    if (template?.type !== 'open') return []
    const messages = roundTripMessages({ seed: 1, random: 0 }, { own: [], foreign: [] })
    return [{ file: `${name}.jinja`, outcomes: messages.flatMap((message) => scoreMessage(name, message, template)) }]
  })
  return tally([...ofVectors, ...ofTemplates].filter(({ outcomes }) => outcomes.length > 0))
}

/**
 * @param {unknown} json
 * @param {ReturnType<typeof openTemplate> | undefined} template
 */
function scoreVector(json, template) {
  /** @type {Vector} */
  let vector
  try {
    vector = parseVector(json)
  } catch {
    return []
  }
  const { id, conversation, prompt, output, expected } = vector
  if (expected.calls.length === 0) return []
  if (template?.type !== 'open') return [failed(id, template?.why ?? 'there is no template', 'template')]
  const work = () => {
    const rendered = template.dialect.safeRenderPrompt(conversation, prompt)
    if (rendered.type === 'error') return { output, differences: [{ what: 'prompt', note: rendered.message }] }
    const { begun } = rendered
    const { tools, toolChoice } = conversation
    const names = expected.calls.map(({ name }) => name)
    const parallelCalls = conversation.parallelCalls || expected.calls.length > 1
    const constraint = template.dialect.grammar?.({ tools, toolChoice, parallelCalls, textBefore: true, begun })
    return { begun, output, differences: grammarFaults(constraint, output, names, expected.isCut) }
  }
  return [outcomeOf(id, work)]
}

/**
 * @param {string} name
 * @param {Message} message
 * @param {OpenTemplate} template
 */
function scoreMessage(name, { id, parts, tools }, { dialect }) {
  const output = tools.length > 0 ? dialect.renderReply(parts, tools) : undefined
  if (output === undefined || !tools.every((tool) => output.includes(tool.name))) return []
  const work = () => {
    const constraint = dialect.grammar?.({ tools, toolChoice: { type: 'auto' }, parallelCalls: true })
    const names = parts.flatMap((part) => (part.type === 'call' ? [part.name] : []))
    return { output, differences: grammarFaults(constraint, output, names, false) }
  }
  return [outcomeOf(`${name}/${id}`, work)]
}

/** @type {WeakMap<Constraint, Rules>} */
const parsed = new WeakMap()

/**
 * The parts of a reply that a grammar, or its triggers, do not admit.
 * @param {Constraint | undefined} constraint
 * @param {string} output
 * @param {readonly string[]} names of the calls in it
 * @param {boolean} isCut
 * @returns {Difference[]}
 */
export function grammarFaults(constraint, output, names, isCut) {
  if (!constraint) return [{ what: 'grammar', note: 'there is none' }]
  const rules = parsed.get(constraint) ?? parseGbnf(constraint.grammar)
  parsed.set(constraint, rules)
  const starts = constraint.isLazy ? triggered(constraint, output) : [0]
  if (starts.length === 0) return [{ what: 'trigger', expected: triggerList(constraint), got: JSON.stringify(output) }]
  // A trigger before the last call does not cover the calls before it.
  const before = starts.filter((start) => names.every((name) => count(output.slice(start), name) >= count(names, name)))
  const matches = (before.length > 0 ? before : starts.slice(0, 1)).flatMap((start) => {
    const text = output.slice(start)
    // White space after the last call is not written by the model, and the end of the reply is cut off by the engine.
    const stops = constraint.stops ?? []
    const cut = stops.filter((stop) => text.endsWith(stop)).map((stop) => text.slice(0, -stop.length))
    cut.push(...beforeStops(text, stops).filter((one) => names.every((name) => count(one, name) >= count(names, name))))
    const ends = [text.trimEnd(), text, ...stops.map((stop) => text + stop), ...cut]
    return [...new Set(ends)].map((one) => ({ start, ...matchGbnf(rules, one) }))
  })
  if (matches.some(({ isWhole, isPrefix }) => isWhole || (isCut && isPrefix))) return []
  const longest = matches.reduce((one, other) => (other.length > one.length ? other : one))
  const text = output.slice(longest.start)
  return [{ what: 'grammar', expected: text, got: text.slice(0, longest.length) }]
}

/**
 * Returns the beginnings of a text that end before a stop. A template may show text after the end of the turn, but a model never writes
 * that far. A stop within an argument does not count, as no grammar is at its end there.
 * @param {string} text
 * @param {readonly string[]} stops
 */
function beforeStops(text, stops) {
  return text
    .split('')
    .flatMap((_, at) => (stops.some((stop) => stop !== '' && text.startsWith(stop, at)) ? [text.slice(0, at)] : []))
}

/**
 * The offsets from which a lazy grammar may apply: the engine decides which of the triggers counts.
 * @param {Constraint} constraint
 * @param {string} output
 */
function triggered({ triggers }, output) {
  return triggers.flatMap(({ type, value }) => {
    const pattern = type === 'word' ? value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : value
    return [...output.matchAll(new RegExp(pattern, 'gd'))].map((match) => match.indices?.[1]?.[0] ?? match.index)
  })
}

/**
 * The number of occurrences of a word in a text, or in a list.
 * @param {string | readonly string[]} all
 * @param {string} word
 */
function count(all, word) {
  return typeof all === 'string' ? all.split(word).length - 1 : all.filter((one) => one === word).length
}

/** @param {Constraint} constraint */
function triggerList({ triggers }) {
  return triggers.map(({ type, value }) => `${type} ${JSON.stringify(value)}`).join(' or ')
}
