// @ts-check
import { randomOptions } from './options.mjs'
import { stepsOf } from './steps.mjs'
import { tools } from './tools.mjs'

/** @import { CreateReader, Random, SlowInput } from './types.ts' */
/** @import { Texts } from './texts.mjs' */

/** Linear work takes three times as many steps for each of these as for the one before, quadratic work nine times. */
const lengths = /** @type {const} */ ([3000, 9000, 27_000])
/** The most times by which steps may grow from one length to the next. */
const mostGrowth = 5
/**
 * Below this number of steps per character, growth is not significant: some texts end early, and the rest is only held.
 */
const fewest = 20

/**
 * A fragment, after the beginning of a text, that is repeated many times.
 * @param {string} dialect
 * @param {Texts} texts
 * @param {Random} random
 * @param {boolean} usesTrigger
 * @returns {Omit<SlowInput, 'short' | 'long'>}
 */
export function randomGrowth(dialect, texts, random, usesTrigger) {
  const head = texts.piece(dialect)
  const prefix = random.chance(0.3) ? '' : head.slice(0, random.int(head.length + 1))
  const pieces = Array.from({ length: random.pick([1, 1, 2, 3]) }, () => texts.piece(dialect))
  const fragment = pieces.join('').slice(0, 60) || ' '
  return { dialect, options: randomOptions(random, usesTrigger), prefix, fragment }
}

/**
 * Reads the fragment repeated to texts of three lengths, in pieces of four characters; gives the steps that it took where they grow
 * faster than the text. Steps are counted by the engine, so that other work on the machine changes nothing. `beat` is called now and
 * then, as long as no reading takes too many.
 * @param {CreateReader} createReader
 * @param {Omit<SlowInput, 'short' | 'long'>} input
 * @param {() => void} beat
 * @returns {SlowInput | undefined}
 */
export function slownessOf(createReader, input, beat = () => {}) {
  // Expressions that a reader of such a text compiles are compiled before.
  read(createReader, input, 64, beat)
  const taken = lengths.map((length) => stepsOf(() => read(createReader, input, length, beat)))
  const [first = 0, second = 0, third = 0] = taken
  const [short, , long] = lengths
  if (third <= second * mostGrowth || second <= first * mostGrowth || third < fewest * long) return undefined
  return { ...input, short: { length: short, steps: first }, long: { length: long, steps: third } }
}

/**
 * @param {CreateReader} createReader
 * @param {Omit<SlowInput, 'short' | 'long'>} input
 * @param {number} length
 * @param {() => void} beat
 */
function read(createReader, { dialect, options, prefix, fragment }, length, beat) {
  const text = prefix + fragment.repeat(Math.ceil(length / fragment.length))
  const { offered: _, reason = 'stop', ...others } = options
  const reader = createReader({ ...others, dialect, tools, newCallId: () => '' })
  for (let at = 0; at < text.length; at += 4) {
    reader.push(text.slice(at, at + 4))
    if (at % 1024 === 0) beat()
  }
  reader.end(reason)
}
