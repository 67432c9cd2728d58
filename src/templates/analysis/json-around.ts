import { isJsonObject, type JsonValue } from '../../conversation/index.ts'

/** A value that stands in a text as JSON. */
export interface JsonInText {
  start: number
  end: number
  value: JsonValue
}

/** The outermost JSON object or list that holds a place of a text, and reaches to another. */
export function jsonAround(text: string, place: number, reach: number): JsonInText | undefined {
  for (let start = 0; start <= place; start++) {
    if (text[start] !== '{' && text[start] !== '[') continue
    const end = bracketEnd(text, start)
    if (end === undefined || end <= reach) continue
    const value = parsed(text.slice(start, end))
    if (value !== undefined) return { start, end, value }
  }
  return undefined
}

/** Behind the bracket that closes the one at a place; brackets in strings do not count. */
export function bracketEnd(text: string, start: number): number | undefined {
  let depth = 0
  let isString = false
  for (let at = start; at < text.length; at++) {
    const char = text[at]
    if (isString) {
      if (char === '\\') at++
      else if (char === '"') isString = false
    } else if (char === '"') isString = true
    else if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') {
      depth--
      if (depth === 0) return at + 1
    }
  }
  return undefined
}

/** A text as JSON; undefined where it is none. */
export function parsed(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text)
    return value
  } catch {
    // Asked whether it is JSON, and it is not.
    return undefined
  }
}

export function isObject(value: JsonValue | undefined): value is Record<string, JsonValue> {
  return isJsonObject(value)
}
