// @ts-check
import { cpuMs } from './cpu.mjs'
import { randomOptions } from './options.mjs'
import { tools } from './tools.mjs'

/** @import { CreateReader, Random, SlowInput } from './types.ts' */
/** @import { Texts } from './texts.mjs' */

/** Linear work takes three times as much for each of these as for the one before, quadratic work nine times. */
const lengths = /** @type {const} */ ([12_000, 36_000, 108_000])
const tooMuch = { lastStep: 6, inAll: 25 }
/** Below this many milliseconds of CPU a measurement says nothing. */
const leastTime = 150
/** Others have the machine's caches as well, and memory is collected when it must be: the best of so many measurements counts. */
const rounds = 5
/** So many milliseconds of CPU nothing linear takes for the longest of the lengths; what takes more is measured no further. */
const mostTime = 20_000

/**
 * A fragment, behind the beginning of a text, that is repeated many times.
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
 * Reads the fragment repeated to texts of three lengths, in pieces of four characters; gives the CPU time that it took where that
 * grows faster than the text. `beat` is called now and then, as long as no reading takes too long.
 * @param {CreateReader} createReader
 * @param {Omit<SlowInput, 'short' | 'long'>} input
 * @param {() => void} beat
 * @returns {SlowInput | undefined}
 */
export function slownessOf(createReader, input, beat = () => {}) {
  const best = lengths.map(() => Number.POSITIVE_INFINITY)
  const slow = () => {
    const [short = 0, , long = 0] = best
    return { ...input, short: { length: lengths[0], ms: short }, long: { length: lengths[2], ms: long } }
  }
  for (let round = 0; round < rounds; round++) {
    for (const [index, length] of lengths.entries()) {
      const time = cpuOf(createReader, input, length, beat)
      best[index] = Math.min(best[index] ?? 0, time)
      if (time > mostTime) return slow()
    }
    const [first = 0, second = 0, third = 0] = best
    if (third < leastTime || third < first * tooMuch.inAll || third < second * tooMuch.lastStep) return undefined
  }
  return slow()
}

/**
 * @param {CreateReader} createReader
 * @param {Omit<SlowInput, 'short' | 'long'>} input
 * @param {number} length
 * @param {() => void} beat
 */
function cpuOf(createReader, { dialect, options, prefix, fragment }, length, beat) {
  const text = prefix + fragment.repeat(Math.ceil(length / fragment.length))
  const { offered: _, reason = 'stop', ...others } = options
  const reader = createReader({ ...others, dialect, tools, newCallId: () => '' })
  const start = cpuMs()
  for (let at = 0; at < text.length; at += 4) {
    reader.push(text.slice(at, at + 4))
    if (at % 4096 !== 0) continue
    beat()
    if (cpuMs() - start > mostTime) break
  }
  reader.end(reason)
  return cpuMs() - start
}
