import { type SchemaTypes, types } from '../../../json/index.ts'
import { CharSet } from '../../regex/chars.ts'
import type { SchemaVariants, Variant } from '../../schema/variants.ts'
import { charsOf, choice, empty, type Gbnf, repeat, sequence, text } from '../gbnf.ts'
import type { GbnfRules } from '../rules.ts'
import { membersOf } from './object.ts'
import { objectParts } from './object-parts.ts'
import { stringContent } from './string.ts'
import type { ValueGrammar } from './values.ts'

const maxDepth = 6
/** The name of a list's elements. */
const itemName = 'item'
const elementName = /^[A-Za-z_][\w.-]*$/
/** Nothing that would need an entity. */
const plainChars = CharSet.all.without(CharSet.of('<>&'))

/** The settings that the elements of one value share. */
export interface Markup {
  /** The text before each tag. */
  prefix: string
  /** No element may have a name that would end the value. */
  marks: readonly string[]
  schemas: SchemaVariants
  /** Created when it is first needed. */
  json: () => ValueGrammar
  rules: GbnfRules
}

/**
 * An object or a list as elements. Undefined if the elements would be ambiguous: names that are not in the schema,
 * values of several types. `shape` has all types that the value may have.
 */
export function elementsOf(
  variant: Variant,
  shape: SchemaTypes,
  label: string,
  markup: Markup,
  depth: number = 0,
): Gbnf | undefined {
  if (depth > maxDepth || markup.rules.isFull) return undefined
  if (variant.type === 'array') {
    if (variant.schema.prefixItems !== undefined || !variant.schema.items) return undefined
    const item = leafOrElements(markup.schemas.of(variant.schema.items), shape.item, `${label}-item`, markup, depth)
    const { minItems, maxItems } = variant.schema
    if (!item || minItems !== undefined || maxItems !== undefined) {
      // An array with bounds on its length is written as JSON, unless the bound is one item.
      if (!item || maxItems !== undefined || minItems !== 1) return undefined
    }
    return repeat(sequence(tag(itemName, markup), item, tag(`/${itemName}`, markup)), 1)
  }
  if (variant.type !== 'object') return undefined
  const parts = objectParts(variant.schema, markup.rules)
  if (parts.others.length > 0 || parts.members.length === 0) return undefined
  const members = []
  for (const { key, schema, isRequired } of parts.members) {
    const isMark = markup.marks.some((mark) => mark.toLowerCase().includes(`</${key.toLowerCase()}`))
    const inner = leafOrElements(markup.schemas.of(schema), shape.property(key), key, markup, depth)
    // If a list fits as well, elements that are all named `item` are read as a list.
    const isItem = key === itemName && shape.allows(types.array)
    if (isMark || isItem || !inner || !elementName.test(key)) return undefined
    const gbnf = sequence(tag(key, markup), inner, tag(`/${key}`, markup))
    members.push({ key, isRequired, isOnce: true, gbnf: markup.rules.add(`${key}-element`, gbnf) })
  }
  return membersOf(members, { separator: empty, extra: undefined, isNonEmpty: true }, markup.rules)
}

/** An empty list or object is written as empty text, unless the value may be a string. */
export function emptyOf(variant: Variant, shape: SchemaTypes, rules: GbnfRules): Gbnf | undefined {
  if (shape.allows(types.string)) return undefined
  if (variant.type === 'array') {
    const { minItems, prefixItems } = variant.schema
    return (typeof minItems === 'number' && minItems > 0) || prefixItems !== undefined ? undefined : empty
  }
  if (variant.type !== 'object' || shape.allows(types.array)) return undefined
  const { members, least } = objectParts(variant.schema, rules)
  return least > 0 || members.some(({ isRequired }) => isRequired) ? undefined : empty
}

function tag(name: string, { prefix }: Markup): Gbnf {
  return text(`${prefix}<${name}>`)
}

/** The content of an element: a plain value, or elements. */
function leafOrElements(
  variants: readonly Variant[],
  shape: SchemaTypes,
  label: string,
  markup: Markup,
  depth: number,
): Gbnf | undefined {
  const found = variants.map((variant) => {
    const isStructure = variant.type === 'object' || variant.type === 'array'
    if (!isStructure) return leafOf(variant, shape, label, markup)
    if (variants.length !== 1) return undefined
    const elements = elementsOf(variant, shape, label, markup, depth + 1)
    return elements && choice([elements, emptyOf(variant, shape, markup.rules)])
  })
  return found.every((one) => one !== undefined) ? choice(found) : undefined
}

function leafOf(variant: Variant, shape: SchemaTypes, label: string, markup: Markup): Gbnf | undefined {
  switch (variant.type) {
    case 'string': {
      if (!shape.isString) return undefined
      const content = stringContent(variant.schema, markup.rules)
      return content ? undefined : repeat(charsOf(plainChars), 0)
    }
    case 'const':
      return /^["[{]/.test(variant.json) ? constantText(variant.json, shape) : text(variant.json)
    case 'integer':
    case 'number':
    case 'boolean':
    case 'null':
      return shape.allows(types.string) ? undefined : markup.json().ofVariant(variant, label)
    default:
      return undefined
  }
}

function constantText(json: string, shape: SchemaTypes): Gbnf | undefined {
  if (!shape.isString || !json.startsWith('"')) return undefined
  const value = String(JSON.parse(json))
  return /[<>&]/.test(value) || value === '' ? undefined : text(value)
}
