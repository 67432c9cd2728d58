import { isJsonObject, type JsonValue } from '../../../conversation/index.ts'
import type { JsonSigns } from '../../../json/index.ts'

/** A value that is written in a text as JSON. */
export interface JsonInText {
  start: number
  end: number
  value: JsonValue
}

/** Limits of the JSON around a call: a template may write anything. */
const longestJson = 5000
const deepestJson = 50

/** The outermost JSON object or list that holds a place of a text, and reaches to another. */
export function jsonAround(text: string, place: number, reach: number): JsonInText | undefined {
  for (let start = Math.max(0, place - longestJson); start <= place; start++) {
    if (text[start] !== '{' && text[start] !== '[') continue
    const end = bracketEnd(text, start)
    if (end === undefined || end <= reach) continue
    const value = parsed(text.slice(start, end))
    if (value !== undefined) return { start, end, value }
  }
  return undefined
}

/** After the bracket that closes the one at a place; brackets in strings do not count. */
export function bracketEnd(text: string, start: number): number | undefined {
  let depth = 0
  let isString = false
  const last = Math.min(text.length, start + longestJson)
  for (let at = start; at < last; at++) {
    const char = text[at]
    if (isString) {
      if (char === '\\') at++
      else if (char === '"') isString = false
    } else if (char === '"') isString = true
    else if (char === '{' || char === '[') {
      if (++depth > deepestJson) return undefined
    } else if (char === '}' || char === ']') {
      depth--
      if (depth === 0) return at + 1
    }
  }
  return undefined
}

/**
 * The text between the members of an object, or of the first in a list, and between the calls of `pair`; undefined if
 * all of it is Python's usual JSON.
 */
export function signsIn(json: string, pair: string = json): JsonSigns | undefined {
  const { edge = '', colon = ': ' } = /^\[?\s*\{(?<edge>\s*)"(?:[^"\\]|\\.)*"(?<colon>\s*:\s*)/.exec(json)?.groups ?? {}
  const comma = firstComma(json) ?? ', '
  const items = json.startsWith('[') ? (firstComma(pair, '[') ?? ', ') : ', '
  const all = edge + colon + comma + items
  // Lines and their indents are free wherever they may be.
  return all === ': , , ' || all.includes('\n') ? undefined : { edge, colon, comma, items }
}

/**
 * The first comma between members, those of an inner object if there is only one, with the white space around it:
 * commas in values do not count.
 */
function firstComma(json: string, bracket: '{' | '[' = '{'): string | undefined {
  const start = json.indexOf(bracket)
  if (start < 0) return undefined
  let flat = json.slice(start + 1).replace(/"(?:[^"\\]|\\.)*"/g, 's')
  for (let last = ''; last !== flat; ) {
    last = flat
    flat = flat.replace(/\{[^{}[\]]*\}|\[[^{}[\]]*\]/g, 'v')
  }
  const found = /^(?:[^{}[\],]*[^{}[\],\s])?(\s*,\s*)/.exec(flat)?.[1]
  return found ?? (bracket === '{' ? firstComma(json.slice(start + 1)) : undefined)
}

/** A text as JSON; undefined if it is not JSON. */
export function parsed(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text)
    return value
  } catch {
    // The text is not JSON.
    return undefined
  }
}

export function isObject(value: JsonValue | undefined): value is Record<string, JsonValue> {
  return isJsonObject(value)
}
