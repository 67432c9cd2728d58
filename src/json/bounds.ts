/** Limits for JSON text from outside. */
export interface JsonBounds {
  /** Members and elements in all: ten million empty objects are 30 MB of text, a gigabyte of memory and 16 seconds of parsing. */
  values: number
  /** Lists and objects in each other: much that works on JSON, such as `JSON.stringify`, recurses. */
  depth: number
}

export type JsonExcess = keyof JsonBounds

const quote = 0x22
const comma = 0x2c
const openList = 0x5b
const backslash = 0x5c
const closeList = 0x5d
const openObject = 0x7b
const closeObject = 0x7d

/**
 * The first bound that a JSON text is past; undefined if it is within all. Looks at the text only if it is long enough to be past one, and then takes a millisecond for a
 * megabyte. Each member and element counts, and an empty list or object once more. Of a text that is no JSON any answer is right.
 *
 * @example
 * jsonExcess('[1,2,3]', { values: 2, depth: 9 }) // 'values'
 */
export function jsonExcess(text: string, { values, depth }: JsonBounds): JsonExcess | undefined {
  // A value takes two characters, such as `1,`, and a level as many: its brackets.
  if (text.length <= 2 * Math.min(values, depth)) return undefined
  let count = 0
  let level = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (isInString) {
      if (char === backslash) at++
      else if (char === quote) isInString = false
    } else if (char === quote) isInString = true
    else if (char === comma) count++
    else if (char === openList || char === openObject) {
      count++
      if (++level > depth) return 'depth'
    } else if (char === closeList || char === closeObject) level--
    if (count > values) return 'values'
  }
  return undefined
}

/** Returns true if lists and objects are nested more than `depth` deep. Uses at most that many levels of the stack. */
export function nestsDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth === 0) return true
  if (Array.isArray(value)) return value.some((one) => nestsDeeper(one, depth - 1))
  for (const key in value) {
    if (nestsDeeper((value as Record<string, unknown>)[key], depth - 1)) return true
  }
  return false
}
