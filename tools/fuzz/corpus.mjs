// @ts-check

/** @import { Random, Reading } from './types.ts' */

/** The number of events that distinguish two readings. */
const longestShape = 10
const most = 300

/** Texts that made a dialect do something new, to be changed further. */
export class Corpus {
  /** @type {Map<string, string[]>} */
  #texts = new Map()
  /** @type {Set<string>} */
  #shapes = new Set()
  #random

  /** @param {Random} random */
  constructor(random) {
    this.#random = random
  }

  /** The number of kinds of readings so far. */
  get size() {
    return this.#shapes.size
  }

  /**
   * @param {string} dialect
   * @param {string} text
   * @param {Reading} reading
   */
  add(dialect, text, reading) {
    const shape = `${dialect} ${shapeOf(reading)}`
    if (this.#shapes.has(shape)) return
    this.#shapes.add(shape)
    const texts = this.#texts.get(dialect) ?? []
    if (texts.length < most) texts.push(text)
    else texts[this.#random.int(most)] = text
    this.#texts.set(dialect, texts)
  }

  /** @param {string} dialect */
  pick(dialect) {
    const texts = this.#texts.get(dialect)
    return texts && this.#random.pick(texts)
  }
}

/**
 * The kind of a reading, without its content: events with the kinds of calls and notices, and roles.
 * @param {Reading} reading
 */
export function shapeOf({ events, spans }) {
  const happened = events.map((event) => {
    if (event.type === 'notice') return event.notice.code
    return event.type === 'call-end' ? `end ${event.complete}` : event.type
  })
  const roles = spans.map(({ role }) => role)
  return [happened, roles].map((names) => withoutRepeats(names).slice(0, longestShape).join(' ')).join(' | ')
}

/** @param {readonly string[]} names */
function withoutRepeats(names) {
  return names.filter((name, index) => name !== names[index - 1] && name !== names[index - 2])
}
