// @ts-check

import { randomOf } from '../texts/splits.mjs'
import { array, boolean, integer, nonce, nothing, number, object, sentences, string, strings } from './values.mjs'

/** @import { AssistantPart, Tool } from '../../../src/index.ts' */
/** @import { Draft, Message, Value } from '../library/template-types.ts' */
/** @import { Drawing } from '../library/types.ts' */

/** @type {readonly [string, Value][]} a value of each type, and what is at the edges of it */
const typed = [
  ['a string', string('Paris')],
  ['an integer', integer(42)],
  ['a negative integer', integer(-7)],
  ['zero', integer(0)],
  ['a large integer', integer('1234567890123456789')],
  ['a number', number(3.25)],
  ['a whole number', number('2.0')],
  ['a small number', number('1.5e-7')],
  ['true', boolean(true)],
  ['false', boolean(false)],
  ['null', nothing()],
  ['null for an integer', nothing('integer')],
  ['null for a string', nothing('string')],
  ['an empty object', object({})],
  ['an object', object({ a: string('x'), b: integer(1), c: boolean(true) })],
  ['an object in an object', object({ a: object({ b: object({ c: string('deep') }) }), d: number(0.5) })],
  ['an object with a list', object({ a: array([string('x'), string('y')]), b: nothing() })],
  ['characters that Python escapes', object({ a: string('\u00a0 \u001b[0m \u200b'), b: array([string("'\u0007")]) })],
  ['an empty list', array([])],
  ['a list of strings', array([string('a'), string('b c'), string('')])],
  ['a list of integers', array([integer(1), integer(2)])],
  ['a list of objects', array([object({ a: string('x'), b: integer(1) }), object({ a: string('y'), b: integer(2) })])],
  ['a list of lists', array([array([integer(1)]), array([integer(2), integer(3)])])],
]

const city = { a: string('Paris') }
const two = { a: string('Paris'), b: integer(3) }

/**
 * @param {Marks} marks
 * @returns {Draft[]}
 */
const fixed = ({ own, foreign }) => [
  { id: 'text', text: 'Hello!' },
  { id: 'reasoning and text', reasoning: 'Let me think.', text: 'Hello!' },
  { id: 'no arguments', calls: [{}] },
  ...typed.map(([name, one]) => ({ id: name, calls: [{ a: one }] })),
  ...typed.map(([name, one]) => ({
    id: `${name} between strings`,
    calls: [{ a: string('x'), b: one, c: string('y') }],
  })),
  ...strings.map((text) => ({ id: `the string ${JSON.stringify(text.slice(0, 40))}`, calls: [{ a: string(text) }] })),
  ...foreign.map((mark) => ({
    id: `the mark ${JSON.stringify(mark)}`,
    calls: [{ a: string(`a ${mark} b`), b: string(mark) }],
  })),
  ...own.map((mark) => ({
    id: `its own mark ${JSON.stringify(mark)}`,
    calls: [{ a: string(`a ${mark} b`), b: string(mark) }],
  })),
  { id: 'text and a call', text: 'I will look.', calls: [city] },
  { id: 'reasoning and a call', reasoning: 'I should look.', calls: [city] },
  { id: 'reasoning, text and a call', reasoning: 'I should look.', text: 'I will look.', calls: [two] },
  { id: 'two calls', calls: [two, { a: boolean(false) }] },
  { id: 'three calls', calls: [city, {}, two] },
  { id: 'reasoning, text and two calls', reasoning: 'Two.\n\nOf them.', text: 'Both.', calls: [city, two] },
  ...sentences.map((text) => ({ id: `the text ${JSON.stringify(text.slice(0, 40))}`, text, calls: [city] })),
  ...sentences.map((text) => ({
    id: `the reasoning ${JSON.stringify(text.slice(0, 40))}`,
    reasoning: text,
    text: 'So.',
  })),
]

/**
 * @typedef {object} Marks
 * @property {readonly string[]} own those of the template's format that strings can hold
 * @property {readonly string[]} foreign those of other formats
 */

/**
 * The messages that a template is to write.
 * @param {Drawing} drawing
 * @param {Marks} marks
 * @returns {Message[]}
 */
export function roundTripMessages({ seed, random: count }, marks) {
  const texts = [...strings, ...marks.foreign]
  const drawn = Array.from({ length: count }, (_, at) => draw(`random ${seed}.${at + 1}`, texts))
  return [...fixed(marks), ...drawn].map(makeMessage)
}

/**
 * Returns a message that shows the form of a template: reasoning, text, and a call with a string that needs escapes in
 * JSON.
 * @returns {Message}
 */
export function sampleMessage() {
  const draft = {
    id: 'sample',
    reasoning: 'Why.',
    text: 'So.',
    calls: [{ a: string('zq"zq\nzq'), b: integer(1) }, city],
  }
  return makeMessage(draft)
}

/** @param {Draft} draft */
function makeMessage(draft) {
  return new MessageMaker().make(draft)
}

/** A message from a draft: each part, name and key gets a nonce. */
class MessageMaker {
  #count = 0

  /**
   * @param {Draft} draft
   * @returns {Message}
   */
  make({ id, reasoning, text, calls = [] }) {
    /** @type {AssistantPart[]} */
    const parts = []
    if (reasoning !== undefined) parts.push({ type: 'reasoning', text: `${this.#nonce()} ${reasoning}` })
    if (text !== undefined) parts.push({ type: 'text', text: `${this.#nonce()} ${text}` })
    /** @type {Tool[]} */
    const tools = []
    for (const members of calls) {
      const { json, schema } = this.#renamed(object(members))
      const name = `${this.#nonce()}_tool`
      tools.push({ name, description: 'A tool.', schema })
      parts.push({ type: 'call', id: `call_${this.#nonce()}`, name, arguments: json })
    }
    return { id, parts, tools }
  }

  /**
   * @param {Value} value
   * @returns {Value}
   */
  #renamed({ members, ...value }) {
    if (!members) return value
    const all = Object.entries(members).map(([key, member]) => [`${this.#nonce()}_${key}`, this.#renamed(member)])
    return object(Object.fromEntries(all))
  }

  #nonce() {
    return nonce(++this.#count)
  }
}

/**
 * @param {string} id
 * @param {readonly string[]} texts
 * @returns {Draft}
 */
function draw(id, texts) {
  const random = randomOf(id)
  const drawer = { random, texts }
  const calls = pick(random, [0, 1, 1, 1, 1, 2, 2, 3])
  return {
    id,
    ...(random() < 0.3 && { reasoning: pick(random, sentences) }),
    ...((random() < 0.5 || calls === 0) && { text: pick(random, sentences) }),
    calls: Array.from({ length: calls }, () => drawMembers(drawer, Math.floor(random() * 5), 0)),
  }
}

/** @typedef {{ random: () => number, texts: readonly string[] }} Drawer */

/**
 * @param {Drawer} drawer
 * @param {number} count
 * @param {number} depth
 */
function drawMembers(drawer, count, depth) {
  const members = Array.from({ length: count }, (_, at) => ['abcdefg'.charAt(at), drawValue(drawer, depth)])
  return /** @type {Record<string, Value>} */ (Object.fromEntries(members))
}

/**
 * @param {Drawer} drawer
 * @param {number} depth
 * @returns {Value}
 */
function drawValue(drawer, depth) {
  const { random } = drawer
  const kind = random() * (depth < 3 ? 10 : 8)
  if (kind < 4) return string(drawString(drawer))
  if (kind < 5) return integer(Math.floor((random() - 0.3) * 10 ** Math.floor(random() * 12)))
  if (kind < 6) return number(pick(random, ['0.1', '-2.75', '1e21', '3.0', '1.5e-7', '100', '-0.001']))
  if (kind < 7) return boolean(random() < 0.5)
  if (kind < 8) return nothing(pick(random, [undefined, 'integer', 'boolean']))
  if (kind < 9) return object(drawMembers(drawer, Math.floor(random() * 4), depth + 1))
  return drawArray(drawer)
}

/** @param {Drawer} drawer */
function drawArray(drawer) {
  const { random } = drawer
  const length = Math.floor(random() * 4)
  const makers = [
    () => string(drawString(drawer)),
    () => integer(Math.floor(random() * 1000)),
    () => array([number('0.5'), number(-1)]),
  ]
  return array(Array.from({ length }, pick(random, makers)))
}

/** @param {Drawer} drawer */
function drawString({ random, texts }) {
  const first = pick(random, texts)
  return random() < 0.7 ? first : `${first}${pick(random, ['', ' ', '\n', 'and '])}${pick(random, texts)}`
}

/**
 * @template Item
 * @param {() => number} random
 * @param {readonly Item[]} items not empty
 * @returns {Item}
 */
function pick(random, items) {
  return /** @type {Item} */ (items[Math.floor(random() * items.length)])
}
