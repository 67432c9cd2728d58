import type { Steps } from '../../json/index.ts'
import type { Pattern } from '../tree/pattern.ts'
import { firstChars } from '../tree/pattern-queries.ts'
import { wholeSource } from '../tree/pattern-source.ts'
import type { Tag } from '../tree/tag.ts'
import { begunChoice, begunSource, never } from './begun-pattern.ts'
import { lazySources, type Sources } from './sources.ts'
import { kindOf, tagOpeners } from './tag-opener.ts'

/** A beginning to search for. */
export interface Sought {
  sources: Sources
  /** The pattern or the tag that the sources come from: those with equal beginnings are searched together. */
  pattern?: Pattern
  tag?: Tag
  /** The characters with which it may begin; undefined when it may begin with any. */
  firstChars: readonly string[] | undefined
  /** True if it counts at the beginning of a line only, so that white space or nothing comes before it. */
  atLine?: boolean
}

/** Returns the sources for a pattern. */
export function patternSources(pattern: Pattern): Sources {
  return lazySources({ whole: () => wholeSource(pattern), begun: () => begunSource(pattern) })
}

/** Returns the search for a pattern. */
export function soughtPattern(pattern: Pattern, chars: readonly string[] | undefined = firstChars(pattern)): Sought {
  const sources = lazySources({
    // The captures are not asked for, and several patterns can be alternatives of one expression.
    whole: () => wholeSource(pattern).replace(/\(\?<[a-z]+>/g, '(?:'),
    begun: () => begunSource(pattern),
  })
  return { sources, pattern, firstChars: chars }
}

/** V8 does not optimize an expression of more characters. */
const mostOptimized = 20 * 1024

/**
 * Returns the sources for several beginnings, those that have much in common together: literals, other patterns, and each
 * kind of tag. One expression for all of the beginnings in a large dialect takes V8 three times as long to match as these
 * take together.
 */
export function sourceGroups(sought: readonly Sought[]): Sources[] {
  const tags = new Map<string, Tag[]>()
  const literals: Sought[] = []
  const others: Sought[] = []
  for (const one of sought) {
    if (one.tag) tags.set(kindOf(one.tag), [...(tags.get(kindOf(one.tag)) ?? []), one.tag])
    else if (one.pattern && beginsWithLiteral(one.pattern)) literals.push(one)
    else others.push(one)
  }
  return [
    ...(literals.length > 0 ? [literalSources(literals)] : []),
    ...packed(others.map(({ sources }) => sources)),
    ...[...tags.values()].map(tagOpeners),
  ]
}

/** Makes in steps what `sourceGroups` needs at once: sources of which a single one takes milliseconds, and those of a large dialect 0.1 s. */
export function* prepareSources(sought: readonly Sought[]): Steps<void> {
  for (const { sources, tag, pattern } of sought) {
    if (!tag && !(pattern && beginsWithLiteral(pattern))) yield void sources.begun
  }
}

/** Returns the sources for patterns, whose common beginnings are compared once. */
function literalSources(sought: readonly Sought[]): Sources {
  return lazySources({
    whole: () => anySources(sought.map(({ sources }) => sources)).whole,
    begun: () => begunChoice(sought.flatMap(({ pattern }) => pattern ?? [])),
  })
}

/** Unites sources that have nothing in common, up to the length that V8 optimizes. */
function packed(sources: readonly Sources[]): Sources[] {
  const packs: { of: Sources[]; length: number }[] = []
  for (const one of sources) {
    const length = one.begun.length + 1
    const last = packs.at(-1)
    if (last && last.length + length <= mostOptimized) {
      last.of.push(one)
      last.length += length
    } else packs.push({ of: [one], length })
  }
  return packs.map(({ of }) => anySources(of))
}

function beginsWithLiteral(pattern: Pattern): boolean {
  if (pattern.type === 'sequence') return pattern.of[0] !== undefined && beginsWithLiteral(pattern.of[0])
  return pattern.type === 'literal'
}

/** Returns the sources for any of several; for none, of what matches nothing. */
export function anySources(of: readonly Sources[]): Sources {
  const union = (key: keyof Sources) => [...new Set(of.map((one) => one[key]))].join('|')
  return lazySources({
    whole: () => (of.length === 0 ? never : union('whole')),
    begun: () => (of.length === 0 ? never : union('begun')),
  })
}
