import type { JsonObject, JsonValue } from '../../../conversation/index.ts'
import { allOf } from '../../schema/members/names.ts'
import { asList, listOf } from '../../schema/values/lists.ts'
import type { Variant } from '../../schema/variants.ts'
import { counted } from '../counted.ts'
import { choice, type Gbnf, sequence } from '../gbnf.ts'
import type { GbnfRules } from '../rules.ts'
import { CountedItems, type ItemKind } from './counted-items.ts'

/** The constraints that a list's schema sets on its items. */
export interface ArrayParts {
  tuple: readonly JsonValue[]
  /** The schema of the items after the tuple. */
  rest: JsonValue
  min: number
  max: number
  /** Schemas that at least one item each must match. */
  contains: readonly JsonValue[]
  isUnique: boolean
  /** Keywords that are not expressed. */
  missing: readonly string[]
}

export function arrayParts(schema: JsonObject): ArrayParts {
  const tuple = listOf(schema.prefixItems ?? (Array.isArray(schema.items) ? schema.items : undefined))
  const rest = tuple.length === 0 ? schema.items : Array.isArray(schema.items) ? schema.additionalItems : schema.items
  const { minContains = 1, maxContains } = schema
  const isCounted = minContains !== 1 || maxContains !== undefined
  return {
    tuple: tuple.map((one) => one as JsonValue),
    rest: Array.isArray(rest) ? true : (rest ?? true),
    min: countOf(schema.minItems, 0),
    max: countOf(schema.maxItems, Number.POSITIVE_INFINITY),
    contains: minContains === 0 ? [] : asList(schema.contains),
    isUnique: schema.uniqueItems === true,
    missing: schema.contains !== undefined && isCounted ? ['minContains', 'maxContains'] : [],
  }
}

function countOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' && value >= 0 ? Math.floor(value) : otherwise
}

export interface ItemsFormat {
  comma: Gbnf
  label: string
  /** Prints the values of a schema; undefined if there are none. */
  of: (schema: JsonValue, label: string) => Gbnf | undefined
  variants: (schema: JsonValue) => readonly Variant[]
}

/** The maximum number of constants that may come in any order, each once: it takes a rule for each set of them. */
const mostUnique = 8

/** One item or more; undefined if no item is possible. */
export function itemsOf(parts: ArrayParts, format: ItemsFormat, rules: GbnfRules): Gbnf | undefined {
  const { tuple, min, contains, isUnique, missing } = parts
  for (const keyword of missing) rules.notice(`"${keyword}" is not expressed`)
  const named = isUnique && parts.max > 1 ? constantsOf(parts, format) : undefined
  if (isUnique && parts.max > 1 && !named) rules.notice('"uniqueItems" is not expressed')
  if (named && contains.length === 0) {
    const kinds = named.map((gbnf): ItemKind => ({ gbnf, isOnce: true, fulfils: 0 }))
    return new CountedItems({ ...parts, demands: 0, kindsAt: () => kinds }, format.comma, rules).build()
  }
  if (contains.length > 0) {
    const found = containing(parts, format, rules)
    if (found) return found.gbnf
    rules.notice('"contains" is not expressed: the list may have too many items')
  }
  return listed(tuple, { ...parts, min: Math.max(min, contains.length > 0 ? 1 : 0) }, format, rules)
}

/** The items of a list whose items are a few constants; undefined otherwise. */
function constantsOf({ tuple, rest }: ArrayParts, { of, variants, label }: ItemsFormat): Gbnf[] | undefined {
  const found = tuple.length === 0 ? variants(rest) : []
  const isNamed = found.every(({ type }) => type === 'const' || type === 'boolean' || type === 'null')
  const jsons = found.flatMap((variant) =>
    variant.type === 'const' ? [variant.json] : variant.type === 'boolean' ? ['true', 'false'] : ['null'],
  )
  const values = [...new Set(jsons)]
  if (!isNamed || values.length === 0 || values.length > mostUnique) return undefined
  return values.flatMap((json) => of({ const: JSON.parse(json) }, label) ?? [])
}

/** A list that must contain certain items; undefined if it needs too many rules. */
function containing(parts: ArrayParts, format: ItemsFormat, rules: GbnfRules): { gbnf: Gbnf | undefined } | undefined {
  const { tuple, rest, contains, min, max } = parts
  const demands = contains.length
  const cap = max === Number.POSITIVE_INFINITY ? Math.max(min, tuple.length) : max
  if (demands > 3 || cap * 2 ** demands > 400) return undefined
  const made = new Map<number, ItemKind[]>()
  const kindsAt = (index: number): readonly ItemKind[] => {
    const place = Math.min(index, tuple.length)
    const known = made.get(place)
    if (known) return known
    const own = place < tuple.length ? (tuple[place] ?? true) : rest
    const kinds = Array.from({ length: 2 ** demands }, (_, fulfils): ItemKind[] => {
      const fulfilled = contains.filter((__, at) => fulfils & (1 << at))
      const gbnf = format.of(allOf([own, ...fulfilled]), `${format.label}-item`)
      return gbnf ? [{ gbnf, isOnce: false, fulfils }] : []
    }).flat()
    made.set(place, kinds)
    return kinds
  }
  return { gbnf: new CountedItems({ tuple, min, max, demands, kindsAt }, format.comma, rules).build() }
}

function listed(
  tuple: readonly JsonValue[],
  { rest, min, max }: ArrayParts,
  { comma, of, label }: ItemsFormat,
  rules: GbnfRules,
): Gbnf | undefined {
  if (max < min) return undefined
  const item = max > tuple.length ? of(rest, `${label}-item`) : undefined
  const firsts: Gbnf[] = []
  for (const [index, one] of tuple.slice(0, max).entries()) {
    const first = of(one, `${label}-${index}`)
    if (!first) break
    firsts.push(first)
  }
  const isCut = firsts.length < Math.min(tuple.length, max)
  const lists: (Gbnf | undefined)[] = []
  // A tuple may end before its last item.
  for (let length = Math.max(1, Math.min(min, firsts.length)); length < firsts.length; length++) {
    if (length >= min) lists.push(joined(firsts.slice(0, length), comma))
  }
  if (firsts.length > 0 && firsts.length >= min) lists.push(joined(firsts, comma))
  const more = item && !isCut ? repeated(item, min - firsts.length, max - firsts.length, comma, rules) : undefined
  if (more) lists.push(firsts.length > 0 ? sequence(joined(firsts, comma), comma, more) : more)
  return choice(lists)
}

/** One item or more. */
function repeated(item: Gbnf, min: number, max: number, comma: Gbnf, rules: GbnfRules): Gbnf | undefined {
  if (max < 1) return undefined
  const one = rules.add('item', item)
  const most = max === Number.POSITIVE_INFINITY ? undefined : max - 1
  return sequence(one, counted(sequence(comma, one), Math.max(0, min - 1), most, rules))
}

function joined(of: readonly Gbnf[], comma: Gbnf): Gbnf {
  return sequence(...of.flatMap((one, index) => (index === 0 ? [one] : [comma, one])))
}
