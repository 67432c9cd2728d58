import { jsonNumber, literalWords } from './literals.ts'
import { type Shape, typeOf, types } from './shape.ts'
import { mendJson } from './text.ts'

/** A value written as text, in the type that its schema wants. */
export interface TypedText {
  /** The value as JSON text. */
  json: string
  /** What was not as it should be; absent when all was plain. */
  problem?: string
}

/**
 * Gives a value that stands as bare text, as in `<parameter name="n">5</parameter>`, the type that its schema wants.
 * Where only a string fits, text stays as it is, whatever it looks like; big integers keep all their digits; where a
 * string is one of several types, what is JSON is JSON, and a JSON string loses its quotes. Without a schema text also
 * loses the white space around it.
 */
export function typeText(text: string, shape: Shape): TypedText {
  if (shape.isString) return { json: JSON.stringify(text) }
  const trimmed = text.trim()
  const literal = typeLiteral(trimmed, shape)
  if (literal !== undefined) return { json: literal }
  if (/^[[{]/.test(trimmed) && shape.allows(types.object | types.array)) {
    const structure = typeStructure(trimmed, shape)
    if (structure) return structure
  }
  const inner = unquote(trimmed)
  if (shape.allows(types.string)) return { json: JSON.stringify(inner ?? (shape.untyped ? trimmed : text)) }
  if (inner !== undefined) {
    const typed = typeText(inner, shape)
    return { ...typed, problem: 'a quoted value where the schema has another type' }
  }
  return { json: JSON.stringify(text), problem: 'text that does not fit the type in the schema' }
}

/** A number, boolean or null that the shape allows, as JSON text. */
function typeLiteral(text: string, shape: Shape): string | undefined {
  if (jsonNumber.test(text)) {
    if (shape.allows(types.number)) return text
    if (!shape.allows(types.integer)) return undefined
    return isInteger(text) ? text : undefined
  }
  const literal = literalWords.get(text)
  if (literal === undefined) return undefined
  // Without a schema only JSON's own spelling is a literal: `None` may well be a word.
  if (shape.untyped) return literal === text ? literal : undefined
  return shape.allows(literal === 'null' ? types.null : types.boolean) ? literal : undefined
}

/** `5`, and also `5.0` and `5e2`, which JSON schema counts as integers. */
function isInteger(text: string): boolean {
  return /^-?[0-9]+$/.test(text) || Number.isInteger(Number(text))
}

function typeStructure(text: string, shape: Shape): TypedText | undefined {
  const parsed = parse(text)
  if (parsed !== undefined) return shape.allows(typeOf(parsed)) ? { json: text } : undefined
  // Where a string fits as well, what is not quite JSON is one: `[INFO]` is no list.
  if (shape.allows(types.string)) return undefined
  const json = mendJson(text)
  const mended = json === undefined ? undefined : parse(json)
  if (json === undefined || mended === undefined || !shape.allows(typeOf(mended))) return undefined
  return { json, problem: 'JSON that had to be repaired' }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON: that is the answer, not a failure.
    return undefined
  }
}

/** The text of a JSON string literal that is the whole of `text`, on one line. */
export function unquote(text: string): string | undefined {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"') || text.includes('\n')) return undefined
  const value = parse(text)
  return typeof value === 'string' ? value : undefined
}
