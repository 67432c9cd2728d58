/**
 * What a pattern may find: the tool's name, an argument's key, the call's id, the type of the value that follows. Two
 * are only written: the call's number among the reply's calls, and its name once more, where another place tells it.
 * `joined` is a name and a key with no mark between them: the tools say where one ends.
 */
export type Capture = 'name' | 'key' | 'id' | 'type' | 'index' | 'title' | 'joined'
export type Captures = Partial<Record<Capture, string>>

/**
 * The regular part of a format, as plain data: markers with what stands in them. A pattern is read as a whole or not at
 * all, so it is short; what it finds is captured by name. Where text may differ from what is written, `as` says what to
 * write.
 */
export type Pattern =
  | { type: 'literal'; text: string }
  /** `min` to `max` characters of a set, which is the inside of a bracket expression: `\w.-`, `^<`. */
  | { type: 'chars'; set: string; min: number; max: number; as: string; lazy: boolean }
  | { type: 'sequence'; of: readonly Pattern[] }
  /** The first is the one that is written. */
  | { type: 'choice'; of: readonly Pattern[]; isFree?: true }
  | { type: 'optional'; of: Pattern; isWritten: boolean; isFree?: true }
  | { type: 'capture'; as: Capture; of: Pattern }
  /** What was captured before, once more: `</city>` behind `<city>`. Where it is not known yet, any name will do. */
  | { type: 'captured'; of: Capture }
  /** What must come next, and is not taken. */
  | { type: 'ahead'; of: Pattern }
  /** What must not come next. */
  | { type: 'not'; of: Pattern }

/** A pattern, or a literal. */
export type PatternLike = Pattern | string

/** White space beyond this is no part of a marker. */
const longestSpace = 64
/** Names and keys are shorter. */
export const longestName = 256
/** What a name that is not known yet may be. */
export const anyName: Pattern = { type: 'chars', set: '^\\s<>', min: 1, max: longestName, as: '', lazy: false }

export function literal(text: string): Pattern {
  return { type: 'literal', text }
}

export function patternOf(pattern: PatternLike): Pattern {
  return typeof pattern === 'string' ? literal(pattern) : pattern
}

export function sequence(...of: PatternLike[]): Pattern {
  return of.length === 1 ? patternOf(of[0] ?? '') : { type: 'sequence', of: of.map(patternOf) }
}

export function oneOf(...of: PatternLike[]): Pattern {
  return { type: 'choice', of: of.map(patternOf) }
}

/** White space or none; `as` is what is written. */
export function space(as: string = ''): Pattern {
  return { type: 'chars', set: '\\s', min: 0, max: longestSpace, as, lazy: false }
}

export function chars(set: string, min: number, max: number, as: string = ''): Pattern {
  return { type: 'chars', set, min, max, as, lazy: false }
}

/** What may be there; it is written only where `isWritten`. */
export function maybe(of: PatternLike, isWritten: boolean = false): Pattern {
  return { type: 'optional', of: patternOf(of), isWritten }
}

/** A choice or an option that the family's models write either way: a grammar admits both, where it has what is written elsewhere. */
export function free(of: PatternLike): Pattern {
  const pattern = patternOf(of)
  return pattern.type === 'choice' || pattern.type === 'optional' ? { ...pattern, isFree: true } : pattern
}

export function ahead(of: PatternLike): Pattern {
  return { type: 'ahead', of: patternOf(of) }
}

export function notAhead(of: PatternLike): Pattern {
  return { type: 'not', of: patternOf(of) }
}

/** The end of the text, cut or not. */
export const textEnd: Pattern = notAhead(chars('\\s\\S', 1, 1))

/** Characters of a set, as few as will do, under a name. */
export function capture(as: Capture, set: string, max: number = longestName): Pattern {
  return { type: 'capture', as, of: { type: 'chars', set, min: 1, max, as: '', lazy: true } }
}

/** What was captured before, once more. */
export function captured(of: Capture): Pattern {
  return { type: 'captured', of }
}

/** Whether what was captured comes again in the pattern. */
export function refersBack(pattern: Pattern): boolean {
  switch (pattern.type) {
    case 'captured':
      return true
    case 'sequence':
    case 'choice':
      return pattern.of.some(refersBack)
    case 'optional':
    case 'capture':
    case 'ahead':
      return refersBack(pattern.of)
    default:
      return false
  }
}

/** The pattern with what was captured in the places where it comes again. */
export function bindPattern(pattern: Pattern, captures: Captures): Pattern {
  switch (pattern.type) {
    case 'captured':
      return captures[pattern.of] === undefined ? pattern : literal(captures[pattern.of] ?? '')
    case 'sequence':
    case 'choice':
      return { ...pattern, of: pattern.of.map((part) => bindPattern(part, captures)) }
    case 'optional':
    case 'capture':
    case 'ahead':
      return { ...pattern, of: bindPattern(pattern.of, captures) }
    default:
      return pattern
  }
}

/** A literal as an expression that matches it. */
export function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

/** The part of a pattern by which it is found in a text: up to the first capture. */
export function openerOf(pattern: Pattern): Pattern {
  if (pattern.type !== 'sequence') return pattern
  const end = pattern.of.findIndex(holdsCapture)
  const of = end < 0 ? pattern.of : pattern.of.slice(0, end)
  // A name by itself is no opener to look for, so the pattern stands for itself.
  return of.length === 0 ? pattern : { type: 'sequence', of }
}

function holdsCapture(pattern: Pattern): boolean {
  switch (pattern.type) {
    case 'capture':
      return true
    case 'sequence':
    case 'choice':
      return pattern.of.some(holdsCapture)
    case 'optional':
    case 'ahead':
    case 'not':
      return holdsCapture(pattern.of)
    default:
      return false
  }
}

/** The pattern as it is written, with what was captured in its place. */
export function writePattern(pattern: Pattern, captures: Captures): string {
  switch (pattern.type) {
    case 'literal':
      return pattern.text
    case 'chars':
      return pattern.as
    case 'sequence':
      return pattern.of.map((part) => writePattern(part, captures)).join('')
    case 'choice':
      return pattern.of[0] ? writePattern(pattern.of[0], captures) : ''
    case 'optional':
      return pattern.isWritten ? writePattern(pattern.of, captures) : ''
    case 'capture':
      // An id that is made of the name and the number is written as they are.
      if (pattern.as === 'id' && holdsCapture(pattern.of)) return writePattern(pattern.of, captures)
      return captures[pattern.as === 'title' ? 'name' : pattern.as] ?? writePattern(pattern.of, captures)
    case 'captured':
      return captures[pattern.of] ?? ''
    case 'ahead':
    case 'not':
      return ''
  }
}

/** The literals in a pattern that are long enough to be marks of the format. */
export function literalsOf(pattern: Pattern): string[] {
  switch (pattern.type) {
    case 'literal':
      return [pattern.text]
    case 'sequence':
    case 'choice':
      return pattern.of.flatMap(literalsOf)
    case 'optional':
      return literalsOf(pattern.of)
    default:
      return []
  }
}

/** The characters with which a match may begin; undefined when any may. */
export function firstChars(pattern: Pattern): string[] | undefined {
  switch (pattern.type) {
    case 'literal': {
      const [first] = pattern.text
      return first === undefined ? undefined : [...new Set([first, first.toLowerCase(), first.toUpperCase()])]
    }
    case 'sequence': {
      const found: string[] = []
      for (const part of pattern.of) {
        const first = firstChars(part)
        if (!first) return undefined
        found.push(...first)
        if (!isNullable(part)) return found
      }
      return undefined
    }
    case 'choice': {
      const all = pattern.of.map(firstChars)
      return all.every((first) => first !== undefined) ? all.flat() : undefined
    }
    case 'optional':
    case 'capture':
    case 'ahead':
      return firstChars(pattern.of)
    case 'chars':
      return pattern.set === '\\s' ? [' ', '\n', '\t'] : undefined
    case 'not':
      return undefined
    case 'captured':
      return undefined
  }
}

export function isNullable(pattern: Pattern): boolean {
  switch (pattern.type) {
    case 'literal':
      return pattern.text === ''
    case 'chars':
      return pattern.min === 0
    case 'captured':
      return false
    case 'sequence':
      return pattern.of.every(isNullable)
    case 'choice':
      return pattern.of.some(isNullable)
    case 'optional':
      return true
    case 'capture':
    case 'ahead':
      return isNullable(pattern.of)
    case 'not':
      return true
  }
}
