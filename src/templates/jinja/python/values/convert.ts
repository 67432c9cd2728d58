import { ListMemo } from '../../../../conversation/index.ts'
import { perStep, type Steps } from '../../../../json/index.ts'
import { TemplateFault } from '../../parse/error.ts'
import { Dict, Float, type Value } from './values.ts'

const deepest = 500

/**
 * Converts a JavaScript value, as in JSON, to Python's: numbers without a fraction are whole, `undefined` members are
 * left out. Throws a TemplateFault for any other value, such as a function, and for values that contain themselves.
 */
export function fromJs(value: unknown, depth = 0): Value {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint')
    return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value || 0 : new Float(value)
  if (isPython(value)) return value
  if (depth > deepest) throw new TemplateFault('failed', `a variable nests more than ${deepest} deep`)
  if (Array.isArray(value)) return value.map((item) => fromJs(item ?? null, depth + 1))
  if (typeof value === 'object') {
    const dict = new Dict()
    for (const [key, item] of Object.entries(value)) if (item !== undefined) dict.set(key, fromJs(item, depth + 1))
    return dict
  }
  throw new TemplateFault('failed', `a variable is a ${typeof value}; a template takes JSON values only`)
}

/** The work of `fromJs` for a list in steps: the messages of a conversation are a large one. */
export function* listFromJs(list: readonly unknown[]): Steps<Value> {
  const made: Value[] = []
  for (const item of list) {
    made.push(fromJs(item ?? null, 1))
    if (made.length % perStep === 0) yield
  }
  return made
}

const constants = new ListMemo<Value>()

/**
 * Converts a list that neither its owner nor a template changes. A frozen one is converted once; its JSON texts are
 * kept with it.
 */
export function constant(list: readonly unknown[]): Value {
  return constants.of(list, () => {
    const made = fromJs(list)
    markConstant(made)
    return made
  })
}

function markConstant(value: Value): void {
  if (value instanceof Dict) {
    value.written = new Map()
    for (const item of value.values()) markConstant(item)
  } else if (Array.isArray(value)) for (const item of value) markConstant(item)
}

function isPython(value: unknown): value is Dict | Float {
  return value instanceof Dict || value instanceof Float
}
