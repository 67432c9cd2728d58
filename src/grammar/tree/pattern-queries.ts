import { type Capture, type Captures, literal, type Pattern } from './pattern.ts'

/** Returns true if captured text is repeated in the pattern. */
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

/** The pattern with the captured texts in the places that repeat them. */
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
export function searchableHead(pattern: Pattern): Pattern {
  if (pattern.type !== 'sequence') return pattern
  const end = pattern.of.findIndex((part) => holdsCapture(part))
  const of = end < 0 ? pattern.of : pattern.of.slice(0, end)
  // A name alone cannot be searched for, so the pattern is used as a whole.
  return of.length === 0 ? pattern : { type: 'sequence', of }
}

/** Returns true if text is captured in the pattern, or text that is captured as this. */
export function holdsCapture(pattern: Pattern, as?: Capture): boolean {
  switch (pattern.type) {
    case 'capture':
      return as === undefined || pattern.as === as || holdsCapture(pattern.of, as)
    case 'sequence':
    case 'choice':
      return pattern.of.some((part) => holdsCapture(part, as))
    case 'optional':
    case 'ahead':
    case 'not':
      return holdsCapture(pattern.of, as)
    default:
      return false
  }
}

/** The literal that every match begins with, in any case; empty if there is none. */
export function leadingLiteral(pattern: Pattern): string {
  switch (pattern.type) {
    case 'literal':
      return pattern.text
    case 'sequence': {
      const [first, ...rest] = pattern.of
      if (!first) return ''
      const literal = leadingLiteral(first)
      return isLiteral(first) ? literal + leadingLiteral({ type: 'sequence', of: rest }) : literal
    }
    case 'choice':
      return commonBeginning(pattern.of.map(leadingLiteral))
    case 'capture':
      return leadingLiteral(pattern.of)
    default:
      return ''
  }
}

/** The text with which all of them begin, in any case. */
export function commonBeginning([first = '', ...others]: readonly string[]): string {
  let end = 0
  while (end < first.length && others.every((other) => isSameLetter(first.charAt(end), other.charAt(end)))) end++
  return first.slice(0, end)
}

function isSameLetter(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function isLiteral(pattern: Pattern): boolean {
  return pattern.type === 'literal' || (pattern.type === 'sequence' && pattern.of.every(isLiteral))
}

/** The pattern in its written form, with the captured texts in their places. */
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
      return all.every((first) => first !== undefined) ? [...new Set(all.flat())] : undefined
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
