/**
 * The captures of a pattern: the tool's name, an argument's key, its value if it is in an attribute, the call's id, the
 * type of the value that follows. Two are only written: the call's number among the reply's calls, and the name a second
 * time if it is read elsewhere. `joined` is a name and a key without a mark between them: the tools determine the end of the name.
 */
export type Capture = 'name' | 'key' | 'value' | 'id' | 'type' | 'index' | 'title' | 'joined'
export type Captures = Partial<Record<Capture, string>>
/** The captures of a match that captures nothing. */
export const noCaptures: Captures = Object.freeze({})

/**
 * The regular part of a format as plain data: markers with captured parts. A pattern is read as a whole or not at all,
 * so it is short. If text may differ from what is written, `as` is the written form.
 */
export type Pattern =
  | { type: 'literal'; text: string }
  /** `min` to `max` characters of a set, which is the inside of a bracket expression: `\w.-`, `^<`. */
  | { type: 'chars'; set: string; min: number; max: number; as: string; lazy: boolean }
  | { type: 'sequence'; of: readonly Pattern[] }
  /** Writers use the first. */
  | { type: 'choice'; of: readonly Pattern[]; isFree?: true }
  | { type: 'optional'; of: Pattern; isWritten: boolean; isFree?: true }
  | { type: 'capture'; as: Capture; of: Pattern }
  /** Captured text, repeated: `</city>` after `<city>`. If it is not known yet, any name matches. */
  | { type: 'captured'; of: Capture }
  /** Text that must follow and is not consumed. */
  | { type: 'ahead'; of: Pattern }
  /** Text that must not follow. */
  | { type: 'not'; of: Pattern }

/** A pattern, or a literal. */
export type PatternLike = Pattern | string

/** White space beyond this is no part of a marker. */
const longestSpace = 64
/** Names and keys are shorter. */
export const longestName = 256
/** A character of tools' names. */
export const nameChar: RegExp = /[\w.-]/
/** A name that is not known yet. */
export const anyName: Pattern = { type: 'chars', set: '^\\s<>', min: 1, max: longestName, as: '', lazy: false }

/** A text as it is. */
export function literal(text: string): Pattern {
  return { type: 'literal', text }
}

/** Returns the pattern, or that of a literal. */
export function patternOf(pattern: PatternLike): Pattern {
  return typeof pattern === 'string' ? literal(pattern) : pattern
}

/** Patterns one after another. */
export function sequence(...of: PatternLike[]): Pattern {
  return of.length === 1 ? patternOf(of[0] ?? '') : { type: 'sequence', of: of.map(patternOf) }
}

/** One of several; the first is written. */
export function choice(...of: PatternLike[]): Pattern {
  return { type: 'choice', of: of.map(patternOf) }
}

/** Optional white space; `as` is written. */
export function space(as: string = ''): Pattern {
  return { type: 'chars', set: '\\s', min: 0, max: longestSpace, as, lazy: false }
}

/** `min` to `max` characters of a set; `as` is written. */
export function chars(set: string, min: number, max: number, as: string = ''): Pattern {
  return { type: 'chars', set, min, max, as, lazy: false }
}

/** A part that may be missing, and is written. */
export function optional(of: PatternLike): Pattern {
  return { type: 'optional', of: patternOf(of), isWritten: true }
}

/** A part that is read if it is there, but never written. */
export function tolerated(of: PatternLike): Pattern {
  return { type: 'optional', of: patternOf(of), isWritten: false }
}

/** A choice or an option that the family's models write either way: a grammar admits both. */
export function free(of: PatternLike): Pattern {
  const pattern = patternOf(of)
  return pattern.type === 'choice' || pattern.type === 'optional' ? { ...pattern, isFree: true } : pattern
}

/** A pattern that must come next, and is not taken. */
export function ahead(of: PatternLike): Pattern {
  return { type: 'ahead', of: patternOf(of) }
}

/** A pattern that must not come next. */
export function notAhead(of: PatternLike): Pattern {
  return { type: 'not', of: patternOf(of) }
}

/** The end of the text, cut or not. */
export const textEnd: Pattern = notAhead(chars('\\s\\S', 1, 1))

/** Characters of a set, as few as will do, under a name. */
export function capture(as: Capture, set: string, max: number = longestName): Pattern {
  return { type: 'capture', as, of: { type: 'chars', set, min: 1, max, as: '', lazy: true } }
}

/** Returns a pattern for captured text, repeated. */
export function captured(of: Capture): Pattern {
  return { type: 'captured', of }
}
