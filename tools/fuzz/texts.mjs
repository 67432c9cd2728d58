// @ts-check
import { randomCall, randomText } from '../bench/robustness/messages.mjs'
import { prose } from '../bench/robustness/prose.mjs'
import { samples } from '../bench/robustness/samples.mjs'
import { blanks, fragments, prefixes } from './fragments.mjs'
import { mutate } from './mutate.mjs'
import { tools } from './tools.mjs'

/** @import { AssistantPart, CallPart } from '../../src/index.ts' */
/** @import { Library, Random, WritingDialect } from './types.ts' */

/** The conversation's own trigger. */
export const trigger = '<<CALL_9f3a27c1>>'

const mark = /<[^<>\n]{1,60}>|\[\/?[A-Z_]{3,}\]|[<[][|｜][^<>\n]{1,40}[|｜]?|\bto=|\bfunctools\b|\bcall:/g
const frames = [
  ...['```\n%\n```', '\n```json\n%\n```\n', '\n~~~\n%', '`%`', '\n> %\n', '"%"', '- ```\n  %\n  ```\n'],
  ...['<think>%</think>', '<think>\n%\n</think>\n\n', '%</think>', '<thinking>%</thinking>', '<think>%'],
  ...['<tool_call>%</tool_call>', '<tools>%</tools>', '[%]', '{"a": %}', 'I will use the get_weather tool with %'],
]

/** Writes texts as models do, or not quite; each is a choice of the random numbers alone. */
export class Texts {
  /** @type {Map<string, { dialect: WritingDialect | undefined, marks: string[], parts: string[] }>} */
  #dialects = new Map()
  #random
  /** @type {readonly string[]} */
  #words
  /** @type {readonly string[]} */
  #examples

  /**
   * @param {Library['dialects']} dialects
   * @param {Random} random
   * @param {readonly string[]} words that the readers look for
   */
  constructor(dialects, random, words = []) {
    this.#random = random
    this.#words = words.length > 0 ? words : fragments
    this.#examples = [...dialects.map(({ example }) => example), ...samples]
    for (const dialect of dialects) this.#dialects.set(dialect.name, { dialect, ...alphabetOf([dialect.example]) })
    this.#dialects.set('universal', { dialect: undefined, ...alphabetOf(this.#examples) })
  }

  /**
   * A text for a dialect: pieces of all kinds, then changed here and there.
   * @param {string} name
   */
  next(name) {
    const random = this.#random
    const text = Array.from({ length: 1 + random.int(5) }, () => this.piece(name)).join(
      random.pick(['', '', '\n', ' ']),
    )
    return random.chance(0.65) ? this.change(name, text) : text
  }

  /**
   * Another text made of this one.
   * @param {string} name
   * @param {string} text
   * @returns {string}
   */
  change(name, text) {
    const random = this.#random
    let changed = text
    for (let times = 1 + random.int(4); times > 0; times--) changed = mutate(changed, () => this.piece(name), random)
    return changed
  }

  /**
   * @param {string} name
   * @returns {string}
   */
  piece(name) {
    const piece = this.#piece(name)
    if (!this.#random.chance(0.03)) return piece
    // Text that the model quotes from a prompt has its marks broken, which readers undo.
    return this.#dialects.get(name)?.dialect?.neutralise(piece, { trigger }) ?? piece
  }

  /**
   * @param {string} name
   * @returns {string}
   */
  #piece(name) {
    const random = this.#random
    switch (random.int(17)) {
      case 0:
      case 1:
      case 2:
        return this.#message(name)
      case 3:
        return this.#message(random.pick([...this.#dialects.keys()]))
      case 4:
        return random.pick(this.#examples)
      case 5:
      case 6:
        return random.pick(this.#dialects.get(name)?.marks ?? ['<'])
      case 7:
        return random.pick(this.#dialects.get('universal')?.marks ?? ['<'])
      case 8:
        return random.chance(0.3) ? random.pick(prose).text : randomText(random).text
      case 9:
        return random.pick(frames).replace('%', () => this.piece(name))
      case 10:
        return this.#filler(name)
      case 11:
        return this.#part(name)
      case 12:
        return this.#prefixed(name)
      case 13:
        return random.pick(this.#words)
      case 14:
        return `${random.pick(['<', '</', '', '<|', '['])}${random.pick(this.#words)}${random.pick(['>', '', '=', '|>', ']', ' '])}`
      default:
        return random.pick(fragments)
    }
  }

  /**
   * The beginning of what the dialect writes, and one thing many times: where a name, a key or a value stands, blanks
   * and the like do not end it.
   * @param {string} name
   */
  #filler(name) {
    const random = this.#random
    const example = this.#dialects.get(name)?.dialect?.example ?? random.pick(this.#examples)
    const filler = random.chance(0.6) ? random.pick(blanks) : random.pick([...fragments, this.#part(name)])
    const count = random.pick([2, 3, 60, 64, 65, 66, 130, 260])
    return example.slice(0, random.int(example.length + 1)) + filler.repeat(count).slice(0, 600)
  }

  /**
   * Returns the name of a tag, with or without the characters that come before it and after it.
   * @param {string} name
   */
  #part(name) {
    const random = this.#random
    return random.pick(this.#dialects.get(random.chance(0.5) ? name : 'universal')?.parts ?? ['<'])
  }

  /**
   * A tag with what vendors and models put before its name, and blanks in it.
   * @param {string} name
   */
  #prefixed(name) {
    const random = this.#random
    const mark = random.pick(this.#dialects.get(random.chance(0.5) ? name : 'universal')?.marks ?? ['<'])
    const prefix = random.pick(prefixes)
    const tag = mark.replace(/^(<\/?)/, (bracket) => `${random.pick([bracket, '<', '</', '\uff1c', '<<'])}${prefix}`)
    return random.chance(0.3) ? tag.replace(/(?=[\w|]*>$)|(?<=^<)/, () => random.pick(blanks)) : tag
  }

  /**
   * Writes a reply in a dialect: one or two calls, perhaps with a text before.
   * @param {string} name
   */
  #message(name) {
    const random = this.#random
    const dialect = this.#dialects.get(name)?.dialect
    if (!dialect) return random.pick(this.#examples)
    /** @type {AssistantPart[]} */
    const parts = random.chance(0.3) ? [/** @type {AssistantPart} */ (randomText(random))] : []
    for (let count = random.pick([1, 1, 2]); count > 0; count--) {
      const call = /** @type {CallPart} */ (randomCall(random))
      parts.push(random.chance(0.1) ? { ...call, name: random.pick(['no_such_tool', 'GetWeather', 'run']) } : call)
    }
    return dialect.renderAssistant(parts, { trigger }, tools)
  }
}

/** @param {readonly string[]} texts */
function alphabetOf(texts) {
  const marks = [...new Set([...texts.flatMap((text) => text.match(mark) ?? []), '<tool_call>', trigger])]
  // The parts of marks: `<`, `</`, `<|`, `tool_call`, `tool`, `_`, `▁`, `｜>`.
  const parts = new Set(marks.flatMap((one) => [...(one.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]+|[\w-]+/gu) ?? [])]))
  for (const one of marks) parts.add(one.slice(0, -1)).add(one.slice(1))
  return { marks, parts: [...parts] }
}
