// @ts-check

import { failed, outcomeOf, tally } from '../score/tally.mjs'
import { openTemplate, templateNames } from '../templates/templates.mjs'
import { compareReply } from '../texts/compare-reply.mjs'
import { disagreement, readPieces } from '../texts/reading.mjs'
import { randomSplits } from '../texts/splits.mjs'
import { roundTripMessages, sampleMessage } from './messages.mjs'
import { begunFaults, lostParts, promptOf, shownOf } from './shown.mjs'
import { formatMarks } from './values.mjs'

/** @import { AssistantPart } from '../../../src/index.ts' */
/** @import { Difference, Drawing, Library, Reading, Section, SectionScore } from '../library/types.ts' */
/** @import { Message, OpenTemplate, TemplateDialect } from '../library/template-types.ts' */

/**
 * Reads back the text of a template with its dialect: for each template that renders calls, messages of all types,
 * fixed and drawn. Parts that a template does not show are not compared, and reported in a note; a message that it
 * refuses does not count.
 * @type {Section}
 */
export const roundTrip = { name: 'round-trip', score: scoreRoundTrip }

/** @type {Drawing} what is drawn where nothing else is said */
export const usualDrawing = { seed: 1, random: 40 }

const splitCount = 6

/**
 * @param {string} folder
 * @param {Library} library
 * @param {Drawing} [drawing]
 * @returns {SectionScore | undefined}
 */
function scoreRoundTrip(folder, library, drawing = usualDrawing) {
  if (!library.analyzeTemplate) return undefined
  return tally(
    templateNames(folder).flatMap((name) => {
      const template = openTemplate(folder, name, library)
      const file = `${name}.jinja`
      if (template.type === 'closed') return [{ file, outcomes: [failed(name, template.why, 'template')] }]
      const { calls, capabilities } = template.analysis
      // A template that renders calls in a way that was not found out is to fail, not to be left out.
      if (calls === undefined && !capabilities.calls) return []
      return [{ file, ...scoreTemplate(name, template, library, drawing) }]
    }),
  )
}

/**
 * @param {string} name
 * @param {OpenTemplate} template
 * @param {Library} library
 * @param {Drawing} drawing
 */
function scoreTemplate(name, template, library, drawing) {
  /** @type {Map<string, number>} */
  const left = new Map()
  /** @param {string} what */
  const note = (what) => void left.set(what, (left.get(what) ?? 0) + 1)
  const messages = roundTripMessages(drawing, marksOf(template))
  const outcomes = messages.flatMap((message) => {
    const id = `${name}/${message.id}`
    const outcome = outcomeOf(id, () => scoreMessage(message, template, library, note) ?? { differences: [] })
    return outcome.output === undefined && outcome.differences.length === 0 ? [] : [outcome]
  })
  const differences = begunFaults(sampleMessage().parts, template)
  if (differences) outcomes.push({ id: `${name}/a prompt after results`, differences })
  return { outcomes, notes: [...left].map(([what, count]) => `not shown: ${what} (${count})`) }
}

/**
 * The marks that stand in what the template writes are its own: in a string that is written as it is, nobody can tell them from others.
 * @param {OpenTemplate} template
 */
function marksOf({ analysis, dialect }) {
  const { parts, tools } = sampleMessage()
  const written = dialect.renderReply(parts, tools) ?? ''
  const { template: _, ...found } = analysis
  const own = `${written}\n${texts(found).join('\n')}`
  const isEscaped = /zq\\"zq\\nzq|zq"zq\\nzq/.test(written)
  return {
    own: isEscaped ? formatMarks.filter((mark) => own.includes(mark)) : [],
    foreign: formatMarks.filter((mark) => !mark.split(/\s/).some((word) => /^[<[>]/.test(word) && own.includes(word))),
  }
}

/**
 * @param {Message} message
 * @param {OpenTemplate} template
 * @param {Library} library
 * @param {(what: string) => void} note
 */
function scoreMessage({ id, parts, tools }, template, library, note) {
  const { dialect } = template
  const written = dialect.renderReply(parts, tools)
  if (written === undefined) {
    if (promptOf(parts, template, tools) !== undefined) {
      return { differences: [{ what: 'reply', note: 'is refused, though the template takes the message in a prompt' }] }
    }
    const isOfTools = promptOf(parts, template) !== undefined
    note(isOfTools ? 'tools that the template refuses' : 'a message that the template refuses')
    return undefined
  }
  const { reply, left } = shownOf(parts, written)
  for (const what of left.keys()) note(what)
  /** @param {() => string} newCallId */
  const open = (newCallId) =>
    dialect.createReader({
      tools,
      toolChoice: { type: 'auto' },
      parallelCalls: true,
      delivery: 'live',
      modelIds: true,
      newCallId,
    })
  /** @param {readonly string[]} pieces */
  const read = (pieces) => readPieces(open, pieces, 'stop', library)
  const whole = read([written])
  const wrong = compareReply(whole, reply)
  const differences = [
    ...lostParts(parts, left, template),
    ...wrong,
    ...(wrong.length > 0 ? writtenAlike(whole, tools, written, dialect) : []),
    ...disagreement('by the character', [written.split('')], whole, read),
    ...disagreement('at random splits', randomSplits(written, id, splitCount), whole, read),
  ]
  return { output: written, notices: whole.notices.map(({ code }) => code), differences }
}

/**
 * Says so where the template writes what was read to the same text: then only the tools' schemas can tell the two apart.
 * @param {Reading} reading
 * @param {Message['tools']} tools
 * @param {string} written
 * @param {TemplateDialect} dialect
 * @returns {Difference[]}
 */
function writtenAlike({ content, reasoning, calls }, tools, written, dialect) {
  /** @type {AssistantPart[]} */
  const parts = [
    ...(reasoning === '' ? [] : [{ type: /** @type {const} */ ('reasoning'), text: reasoning }]),
    ...(content === '' ? [] : [{ type: /** @type {const} */ ('text'), text: content }]),
    ...calls.map(({ id = 'none', name, json }) => ({ type: /** @type {const} */ ('call'), id, name, arguments: json })),
  ]
  if (dialect.renderReply(parts, tools) !== written) return []
  return [{ what: 'ambiguous', note: 'the template writes what was read to the same text' }]
}

/**
 * All texts in a value.
 * @param {unknown} value
 * @returns {string[]}
 */
function texts(value) {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : []
}
