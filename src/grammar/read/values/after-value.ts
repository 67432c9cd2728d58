import type { ModelText } from '../../scan/model-text.ts'
import type { Terminal } from '../../scan/terminal.ts'
import type { ValueEnd } from './value-end.ts'

/** White space after a closing tag that is long enough to prove that it closes. */
const longestGap = 200
/** A closing tag after a call: `</function_invocation>` (Qwen3.6). */
const surplusCloser = /\s{0,64}<\/[\w.:-]{1,64}>/y
const surplusBegun = /\s{0,64}(?:<(?:\/[\w.:-]{0,64})?)?$/y
/** The most prose that may come before a closing tag. */
const longestProse = 200
const prose = new RegExp(`[^<]{0,${longestProse}}`, 'y')
const gap = new RegExp(`\\s{0,${longestGap}}`, 'y')
/** `begun`: the text there may become a match with more input. */
type Follows = boolean | 'begun'

/** Returns the length of the white space at `at`, up to `longestGap`. */
export function gapAt(source: ModelText, at: number): number {
  return source.length(gap, at)
}

/** True if, after white space, one of the terminals follows at `at`, or the text ends there. */
export function mayFollow(
  source: ModelText,
  at: number,
  follow: ValueEnd['follow'],
  ends: readonly ValueEnd[],
): Follows {
  const length = gapAt(source, at)
  const place = at + length
  if (length === longestGap) return true
  if (place === source.text.length) return source.isFinal && !source.isCut ? true : 'begun'
  const found = follow.map((terminal) => {
    if (!source.isFinal || !source.matches(terminal.begun, place)) return follows(source, terminal, place, ends)
    // If the text was cut, its end may have gone on; else the model stopped in the middle of it.
    return source.isCut ? 'begun' : 'stopped'
  })
  if (found.some((match) => match && match !== 'begun')) return true
  return found.includes('begun') ? 'begun' : false
}

/**
 * Matches a closing marker plus the one that must follow it. Tolerates a doubled first marker, or a foreign closing tag
 * between the two.
 */
function follows(source: ModelText, terminal: Terminal, at: number, ends: readonly ValueEnd[]): Follows {
  const match = source.terminalAt(terminal, at)
  if (!match || match === 'begun') return match ?? false
  if (!terminal.read(match)) return false
  const chained = ends.find((end) => end.isChained && end.terminal === terminal)
  if (!chained) return true
  const after = at + match[0].length
  const afterBoth = mayFollow(source, after, [...chained.follow, terminal], ends)
  if (afterBoth === true) return true
  const surplus = closesAfterSurplus(source, after, chained.follow, ends)
  if (surplus === true) return true
  return afterBoth || surplus || closesAfterProse(source, after, chained.follow, ends)
}

/** True if a foreign closing tag is at `at`, and the closer of the block after it. */
function closesAfterSurplus(
  source: ModelText,
  at: number,
  follow: ValueEnd['follow'],
  ends: readonly ValueEnd[],
): Follows {
  const surplus = source.match(surplusCloser, at)
  if (surplus) return mayFollow(source, at + surplus[0].length, follow, ends)
  return !source.isFinal && source.matches(surplusBegun, at) && 'begun'
}

/**
 * True if prose is at `at`, and the closer of the block after it: Qwen3-Coder comments on its call between its closing
 * tags.
 */
function closesAfterProse(
  source: ModelText,
  at: number,
  follow: ValueEnd['follow'],
  ends: readonly ValueEnd[],
): Follows {
  const length = source.length(prose, at)
  const place = at + length
  if (length === longestProse) return false
  if (place === source.text.length) return source.isFinal ? false : 'begun'
  const found = ends.map((end) => {
    const match = end.terminal.closes && follow.includes(end.terminal) && source.terminalAt(end.terminal, place)
    if (!match || match === 'begun') return match || false
    return mayFollow(source, place + match[0].length, end.follow, ends)
  })
  return found.includes(true) || (found.includes('begun') && 'begun')
}
