import {
  escapePattern,
  longestName,
  nameBeginnings,
  type Pattern,
  pattern,
  patternOf,
  type Tag,
} from '../../grammar/index.ts'

/** U+2060: no width, no break, and so rare that no tokenizer hides it in a longer token. */
export const joiner = '\u2060'

/**
 * Text that readers take for a part of a call, and that is therefore broken in text of others: a literal, in any case of
 * its letters; a tag; a pattern, which must begin with a literal character; or two parts, between which it is broken.
 */
export type Mark = string | Pattern | Tag | SplitMark

/** A mark that is broken after the last character of a literal: `run(` before `command=`. */
export interface SplitMark {
  type: 'split'
  before: string
  after: Pattern
}

/** A mark split at the place where it is broken: after one character. */
export interface BrokenMark {
  /** The character, in lower case; marks that are broken after the same one are found together. */
  key: string
  /** The source of an expression for the character. */
  at: string
  /** The text before the character, as a literal. */
  before: string
  /** The rest of the mark. It contains the character at its end only, so that no break is within it. */
  rest: Pattern
}

/** The greatest length of the text before a break that is examined. */
export const longestBefore = 32

/** The brackets with which tags begin that vendors write. */
const vendorBracket = '[<\uff1c\u3008]'
/** Characters that no tag's name or prefix contains. */
const outside = '<>"\'=\uff1c\uff1e\u3008\u3009'

/** Those of a vendor's mark: `|DSML|`. */
const bars = '|\uff5c\u2016'

/** Splits a mark where it can be broken. Empty for a mark that may begin with any character, which cannot be broken. */
export function breakMark(mark: Mark): BrokenMark[] {
  if (typeof mark === 'string') return breakLiteral(mark)
  if (mark.type === 'tag') return breakTag(mark)
  if (mark.type === 'split') return breakSplit(mark)
  return breakPattern(mark).flatMap((part) => ('text' in part ? breakLiteral(part.text) : [part]))
}

/** A literal is broken after its last `<`, otherwise after the last of the characters that equal its first. */
function breakLiteral(text: string): BrokenMark[] {
  const bracket = text.slice(0, -1).lastIndexOf('<')
  // The text before the `<` does not matter: the rest is a sufficient mark.
  const mark = bracket > 0 ? text.slice(bracket) : text
  const [first] = mark
  if (first === undefined || first.length === mark.length) return []
  const key = first.toLowerCase()
  const place = mark.slice(0, -1).toLowerCase().lastIndexOf(key)
  return [
    {
      key,
      at: escapePattern(first),
      before: mark.slice(Math.max(0, place - longestBefore), place),
      rest: patternOf(mark.slice(place + first.length)),
    },
  ]
}

function breakSplit({ before, after }: SplitMark): BrokenMark[] {
  const at = before.slice(-1)
  const key = at.toLowerCase()
  return at === ''
    ? []
    : [{ key, at: escapePattern(at), before: before.slice(0, -1).slice(-longestBefore), rest: after }]
}

/** A tag's name may come after a prefix; the text after the name does not matter. */
function breakTag(tag: Tag): BrokenMark[] {
  const isClose = tag.side === 'close'
  if (tag.prefix === 'none') return tag.names.flatMap((name) => breakLiteral(`<${isClose ? '/' : ''}${name}`))
  const name: Pattern = { type: 'choice', of: tag.names.map((one) => patternOf(one)) }
  const written = { key: '<', before: '' }
  if (tag.prefix === 'namespace') {
    const prefix: Pattern = pattern.sequence(set('A-Za-z', 1, 1), set('\\w.-', 0, 30), ':')
    const rest = pattern.sequence(isClose ? '/' : '', { type: 'optional', of: prefix, isWritten: false }, name)
    return [{ ...written, at: '<', rest }]
  }
  if (tag.prefix === 'family') {
    const prefix = pattern.sequence(set('A-Za-z', 1, 1), set('\\w.:|-', 0, 31))
    const rest = isClose
      ? pattern.choice(pattern.sequence('/', name), pattern.sequence('/', prefix, name))
      : pattern.sequence(prefix, name)
    return [{ ...written, at: '<', rest }]
  }
  const prefix: Pattern = {
    type: 'choice',
    // White space is taken only around DSML's own letters and bars, and around a dash.
    of: [
      set(`^\\s${outside}`, 0, 50),
      pattern.sequence(set(`\\s${bars}`, 0, 4), 'DS', set(`^${outside}`, 0, 40)),
      pattern.sequence(set('\\w.', 1, 24), set('\\s', 1, 1), '-', set('\\s', 1, 1)),
    ],
  }
  const beginning = pattern.sequence(prefix, set(bars, 1, 1), pattern.choice(...nameBeginnings(tag.names)))
  const slash = isClose ? set('/\uff0f', 1, 1) : patternOf('')
  return [
    {
      ...written,
      at: vendorBracket,
      rest: pattern.sequence(slash, pattern.choice(pattern.sequence(prefix, name), beginning)),
    },
  ]
}

function set(of: string, min: number, max: number): Pattern {
  return { type: 'chars', set: of, min, max, as: '', lazy: false }
}

/** A pattern's first characters, each with the text that may follow it; a single literal is returned as such. */
function breakPattern(whole: Pattern): (BrokenMark | { text: string })[] {
  const plain = plainText(whole)
  if (plain !== undefined) return [{ text: plain }]
  switch (whole.type) {
    case 'choice':
      return whole.of.flatMap(breakPattern)
    case 'capture':
    case 'ahead':
      return breakPattern(whole.of)
    case 'sequence': {
      const [first, ...others] = whole.of
      if (!first) return []
      const rest = pattern.sequence(...others)
      switch (first.type) {
        case 'literal': {
          const [char] = first.text
          if (char === undefined) return breakPattern(rest)
          const key = char.toLowerCase()
          const after = pattern.sequence(first.text.slice(char.length), rest)
          return [{ key, at: escapePattern(char), before: '', rest: after }]
        }
        // White space before a mark is not part of it.
        case 'chars':
          return first.min === 0 ? breakPattern(rest) : []
        case 'optional':
          return [...breakPattern(pattern.sequence(first.of, rest)), ...breakPattern(rest)]
        case 'choice':
          return first.of.flatMap((one) => breakPattern(pattern.sequence(one, rest)))
        case 'sequence':
          return breakPattern(pattern.sequence(...first.of, ...others))
        case 'capture':
          return breakPattern(pattern.sequence(first.of, ...others))
        case 'ahead':
          return others.length === 0 ? breakPattern(first.of) : breakPattern(rest)
        default:
          return []
      }
    }
    default:
      return []
  }
}

/** The text of a pattern that is nothing but literals. */
function plainText(pattern: Pattern): string | undefined {
  if (pattern.type === 'literal') return pattern.text
  if (pattern.type !== 'sequence') return undefined
  const texts = pattern.of.map(plainText)
  return texts.every((text) => text !== undefined) ? texts.join('') : undefined
}

/** Sources of regular expressions for a pattern: for a whole match, and for a beginning of one at the end of a text. */
export interface Sources {
  whole: string
  begun: string
}

const never = '(?!)'

/**
 * The sources for the rest of a mark that match whether or not it contains joiners: these may come after each character
 * of `keys`, where other marks are broken, and after each character of a set.
 */
export function sourcesOf(pattern: Pattern, keys: ReadonlySet<string>): Sources {
  switch (pattern.type) {
    case 'literal': {
      const chars = [...pattern.text].map((char) => {
        const gap = keys.has(char.toLowerCase()) ? `${joiner}*` : ''
        return `${escapePattern(char)}${gap}`
      })
      return {
        whole: chars.join(''),
        begun: chars.reduceRight((rest, char) => `(?:$|${char}${rest})`, never),
      }
    }
    case 'chars': {
      const one = `(?:(?!${joiner})[${pattern.set}]${joiner}*)`
      const whole = `${one}{${pattern.min},${pattern.max}}${pattern.lazy ? '?' : ''}`
      return { whole, begun: pattern.max === 0 ? never : `${one}{0,${pattern.max - 1}}$` }
    }
    case 'sequence': {
      const parts = pattern.of.map((part) => sourcesOf(part, keys))
      return {
        whole: parts.map(({ whole }) => whole).join(''),
        begun: parts.reduceRight((rest, { whole, begun }) => `(?:${begun}|${whole}${rest})`, never),
      }
    }
    case 'choice': {
      const parts = pattern.of.map((part) => sourcesOf(part, keys))
      return {
        whole: `(?:${parts.map(({ whole }) => whole).join('|')})`,
        begun: `(?:${parts.map(({ begun }) => begun).join('|')})`,
      }
    }
    case 'optional': {
      const { whole, begun } = sourcesOf(pattern.of, keys)
      return { whole: `(?:${whole})?`, begun }
    }
    case 'capture':
      return sourcesOf(pattern.of, keys)
    case 'captured':
      return sourcesOf(set('^\\s<>', 1, longestName), keys)
    case 'ahead': {
      const { whole, begun } = sourcesOf(pattern.of, keys)
      return { whole: `(?=${whole})`, begun }
    }
    case 'not': {
      const { whole, begun } = sourcesOf(pattern.of, keys)
      return { whole: `(?!${whole})`, begun: `(?:$|${begun})` }
    }
  }
}
