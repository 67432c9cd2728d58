// @ts-check
import { now } from '../templates/templates.mjs'

/** @import { AssistantPart, Conversation, Tool, Turn } from '../../../src/index.ts' */
/** @import { Difference } from '../library/types.ts' */
/** @import { ExpectedReply, OpenTemplate, RenderedPrompt } from '../library/template-types.ts' */

const nonce = /zq\d+z/

/**
 * The parts of a message that are in the text that a template made of it. Parts that the template leaves out cannot be
 * read; each part, name and key has a nonce, by which it is found.
 * @param {readonly AssistantPart[]} parts
 * @param {string} written
 * @returns {{ reply: ExpectedReply, left: Map<string, string> }} `left`: the kinds of what is left out, each with the nonce of one
 */
export function shownOf(parts, written) {
  /** @type {Map<string, string>} */
  const left = new Map()
  const hasCalls = parts.some(({ type }) => type === 'call')
  const beside = hasCalls ? ' beside calls' : ''

  /** @param {'text' | 'reasoning'} type */
  const textOf = (type) =>
    parts
      .map((part) => {
        if (part.type !== type) return ''
        if (isShown(part.text, written)) return part.text
        left.set(`${type}${beside}`, nonceOf(part.text))
        return ''
      })
      .join('')

  const calls = parts.flatMap((part) => {
    if (part.type !== 'call') return []
    if (!isShown(part.name, written)) {
      left.set('a call', nonceOf(part.name))
      return []
    }
    const json = shownJson(part.arguments, written, left)
    const id = isKnownInTime(part, written) ? { id: part.id } : {}
    return [{ name: part.name, json, arguments: /** @type {unknown} */ (JSON.parse(json)), ...id }]
  })
  const reply = { content: textOf('text'), reasoning: textOf('reasoning'), calls, isCut: false }
  return { reply, left }
}

/**
 * A call is emitted before its arguments are read, so that an id after them comes too late.
 * @param {{ id: string, name: string }} call
 * @param {string} written
 */
function isKnownInTime({ id, name }, written) {
  const at = written.indexOf(id)
  return at >= 0 && !written.slice(written.indexOf(nonceOf(name)), at).includes('{')
}

/**
 * @param {string} text that has a nonce
 * @param {string} written
 */
function isShown(text, written) {
  return written.includes(nonceOf(text))
}

/** @param {string} text */
function nonceOf(text) {
  return nonce.exec(text)?.[0] ?? text
}

/**
 * The arguments without the members whose keys are not there. Digits that a number does not hold stay as they are, where all members do.
 * @param {string} json
 * @param {string} written
 * @param {Map<string, string>} left
 */
function shownJson(json, written, left) {
  let isWhole = true
  const shown = JSON.stringify(JSON.parse(json), (key, value) => {
    if (!nonce.test(key) || isShown(key, written)) return value
    isWhole = false
    left.set(value === null ? 'null members' : `${Array.isArray(value) ? 'array' : typeof value} members`, nonceOf(key))
    return undefined
  })
  return isWhole ? json : shown
}

/**
 * The parts that a reply lacks although the template shows them if the reply is part of a conversation: then they are
 * not missing because of the template. A message that the template takes only in several is more than one reply.
 * @param {readonly AssistantPart[]} parts
 * @param {ReadonlyMap<string, string>} left
 * @param {OpenTemplate} template
 * @returns {Difference[]}
 */
export function lostParts(parts, left, template) {
  const prompt = promptOf(parts, template)
  if (prompt === undefined) return []
  const { parallelCalls = true, textWithCalls = true } = template.analysis.capabilities
  const count = parts.filter(({ type }) => type === 'call').length
  const isSplit =
    (count > 1 && !parallelCalls) || (count > 0 && !textWithCalls && parts.some(({ type }) => type === 'text'))
  if (isSplit) return []
  const kinds = [...left].filter(([, nonce]) => prompt.text.includes(nonce))
  return kinds.map(([kind]) => ({
    what: 'reply',
    note: `${kind}: left out, though the template shows it in a prompt`,
  }))
}

/**
 * The errors in the beginning of a reply that a prompt reports after the results of a message's calls: parts of the
 * past that the reader would take for the reply.
 * @param {readonly AssistantPart[]} parts
 * @param {OpenTemplate} template
 * @returns {Difference[] | undefined} undefined where the template refuses such a prompt
 */
export function begunFaults(parts, template) {
  const prompt = promptOf(parts, template)
  if (prompt === undefined) return undefined
  const { begun } = prompt
  return nonce.test(begun) ? [{ what: 'begun', note: `the reply is said to begin with ${JSON.stringify(begun)}` }] : []
}

/**
 * The prompt of a conversation that goes on after the message. Without tools, what is found in it comes from the message.
 * @param {readonly AssistantPart[]} parts
 * @param {OpenTemplate} template
 * @param {readonly Tool[]} [tools]
 * @returns {RenderedPrompt | undefined} none where the template refuses it
 */
export function promptOf(parts, { dialect }, tools = []) {
  const results = parts.flatMap((part) => {
    if (part.type !== 'call') return []
    const { id, name } = part
    const content = [{ type: /** @type {const} */ ('text'), text: 'zq0z Done.' }]
    return [{ type: /** @type {const} */ ('result'), callId: id, name, content, isError: false }]
  })
  /** @type {Turn[]} */
  const turns = [
    { role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
    { role: 'assistant', parts: [...parts] },
    { role: 'user', parts: results.length > 0 ? results : [{ type: 'text', text: 'zq0z And?' }] },
  ]
  /** @type {Conversation} */
  const conversation = {
    model: '',
    system: '',
    turns,
    tools: [...tools],
    toolChoice: { type: 'auto' },
    parallelCalls: true,
    stopSequences: [],
    sampling: {},
  }
  const rendered = dialect.safeRenderPrompt(conversation, { now })
  return rendered.type === 'prompt' ? rendered : undefined
}
