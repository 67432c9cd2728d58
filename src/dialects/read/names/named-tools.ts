import { isJsonObject, type Tool } from '../../../conversation/index.ts'
import { longestName } from '../../../grammar/index.ts'
import type { NamedCalls } from '../../format/format.ts'

/**
 * The most characters of names that patterns are made of, for one list of tools: 128 tools with names of 32. A reply's reader has up
 * to ten expressions with all names in them; those for the beginning of a call have ten characters for each of a name, and take a
 * millisecond for each thousand to compile.
 */
const most = { names: 4096, required: 4096, elements: 8192 }
/** The characters that the check for one required argument adds to its name, about. */
const perRequired = 32
/** The maximum length of a call on one line, between its parentheses. */
export const longestLine = 512

const elementName = /^[\w.-]{1,64}$/
/** Two words or more, as no element of HTML has. */
const compoundName = /_|[a-z][A-Z]/

/** A tool, as far as patterns of calls that begin with its name depend on it. */
export interface NamedTool {
  name: string
  /** The arguments that its call on a separate line must have. Undefined if no such call is read. */
  required?: readonly string[]
  /** The arguments one of which begins its element; empty if any may. Undefined if no such element is read. */
  elements?: readonly string[]
  /** True if its element may be empty: it requires no arguments, and no markup has its name. */
  mayBeEmpty?: boolean
}

/**
 * Returns the tools whose calls are found by their names, in the order in which they are offered. Tools come from
 * clients and are of any size, so the result is bounded: tools past the bounds are found by the markers of their format
 * alone.
 */
export function namedTools(tools: readonly Tool[], wanted: NamedCalls): NamedTool[] {
  const left = { ...most }
  const takes = (kind: keyof typeof most, size: number): boolean => {
    if (size > left[kind]) return false
    left[kind] -= size
    return true
  }
  const named: NamedTool[] = []
  for (const tool of tools) {
    const { name } = tool
    if (name === '' || name.length > longestName || !takes('names', name.length)) continue
    const required = wanted.lastLines ? requiredOf(tool) : []
    // With more the line would be too long.
    const hasRequired = sizeOf(required) < longestLine && takes('required', sizeOf(required, perRequired))
    const keys = wanted.elements && elementName.test(name) ? elementKeys(tool) : []
    const known = takes('elements', sizeOf(keys)) ? keys : []
    // If nothing is known of the arguments, the name must be one that no markup has.
    const isElement = elementName.test(name) && (known.length > 0 || compoundName.test(name))
    const mayBeEmpty = isElement && compoundName.test(name) && requiredOf(tool).length === 0
    named.push({
      name,
      ...(hasRequired && { required }),
      ...(isElement && { elements: known }),
      ...(mayBeEmpty && { mayBeEmpty }),
    })
  }
  return named
}

function sizeOf(names: readonly string[], each = 1): number {
  return names.reduce((sum, name) => sum + name.length + each, 0)
}

function requiredOf({ schema }: Tool): string[] {
  const names = Array.isArray(schema.required) ? schema.required : []
  return [...new Set(names.filter((key) => typeof key === 'string'))]
}

function elementKeys({ schema }: Tool): string[] {
  return isJsonObject(schema.properties) ? Object.keys(schema.properties).filter((key) => elementName.test(key)) : []
}
