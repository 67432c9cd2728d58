import { isJsonObject, type JsonObject, type JsonValue } from '../../../conversation/index.ts'
import { Language } from '../../language/language.ts'
import { envelopeKeys } from '../../read/values/arguments-object.ts'
import { CharSet } from '../../regex/chars.ts'
import { schemaKey } from '../../schema/key.ts'
import type { SchemaVariants, Variant } from '../../schema/variants.ts'
import { objectId } from '../../tree/object-id.ts'
import { canEnd } from '../endless.ts'
import { charsOf, choice, empty, type Gbnf, repeat, sequence, text } from '../gbnf.ts'
import type { Notation } from '../made-once.ts'
import type { GbnfRules } from '../rules.ts'
import { arrayParts, itemsOf } from './array.ts'
import { anyInteger, anyNumber, numberOf } from './number.ts'
import { mayBeList, membersOf } from './object.ts'
import { objectParts } from './object-parts.ts'
import { stringContent } from './string.ts'

/** No text fits: a rule that admits nothing, for schemas that only refer to themselves. */
const nothing: Gbnf = charsOf(CharSet.none)
/** Schemas in each other; deeper ones admit any value. */
const maxDepth = 30
/** A tuple may end before each of its items, which takes as many texts of all before it. */
const longestTuple = 32

const leftOut = 'schemas that are too large or too deep: what is left of them may be anything'

interface ObjectOptions {
  /** `some`: not empty. `none`: empty only. */
  argumentCount: 'any' | 'some' | 'none'
  /** All arguments of a call. */
  isTop: boolean
}

/** Values of JSON schemas in a notation. */
export class ValueGrammar {
  readonly #inOrder: boolean
  readonly #isOpen: boolean
  /** Identifies everything except the schema that its rules depend on. */
  readonly #id: string
  readonly #notation: Notation
  readonly #variants: SchemaVariants
  readonly #rules: GbnfRules
  readonly #open = new Map<string, { name: string; isUsed: boolean }>()
  #depth = 0

  /**
   * `inOrder`: the members of large objects come as the schema has them. `isOpen`: objects have members that the schema has no names for
   * unless it rules them out.
   */
  constructor(
    notation: Notation,
    variants: SchemaVariants,
    rules: GbnfRules,
    { inOrder = false, isOpen = false }: { inOrder?: boolean; isOpen?: boolean } = {},
  ) {
    this.#inOrder = inOrder
    this.#isOpen = isOpen
    this.#id = `${notation.id}${inOrder ? ' in order' : ''}${isOpen ? ' open' : ''}`
    this.#notation = notation
    this.#variants = variants
    this.#rules = rules
  }

  /** Undefined if the schema admits no value. */
  of(schema: unknown, label: string): Gbnf | undefined {
    return this.#ofKey(schemaKey(schema), schema, label)
  }

  #ofKey(key: string | undefined, schema: unknown, label: string): Gbnf | undefined {
    return this.#rules.perSchema(key && `${this.#id} ${key}`, () => {
      if (this.#rules.isFull) return this.#left()
      return choice(this.#variants.of(schema).map((variant) => this.ofVariant(variant, label)))
    })
  }

  /** The value that is admitted once the grammar has reached its largest size. */
  #left(): Gbnf {
    this.#rules.notice(leftOut)
    return this.#any()
  }

  ofVariant(variant: Variant, label: string): Gbnf | undefined {
    const { constant, string } = this.#notation
    switch (variant.type) {
      case 'const':
        return this.#isOpen ? this.#constant(JSON.parse(variant.json), label) : constant(variant.json)
      case 'any':
        return this.#any()
      case 'null':
        return constant('null')
      case 'boolean':
        return choice([constant('true'), constant('false')])
      case 'string': {
        const content = stringContent(variant.schema, this.#rules)
        return content ? this.#rules.addFixed(`${label}-string`, string(content)) : string(undefined)
      }
      case 'number':
        return numberOf(variant.schema, false, this.#rules)
      case 'integer':
        return numberOf(variant.schema, true, this.#rules)
      case 'array':
      case 'object':
        return this.#structure(variant.type, variant.schema, label)
    }
  }

  /** Lists and objects with white space as they have it otherwise, and with their members in any order. */
  #constant(value: JsonValue, label: string): Gbnf {
    const { constant, comma, inside, key, colon } = this.#notation
    const isList = Array.isArray(value)
    if (!isList && !isJsonObject(value)) return constant(JSON.stringify(value))
    if (isList) {
      const items = value.flatMap((one, at) => [at === 0 ? empty : comma, this.#constant(one, label)])
      return items.length === 0 ? text('[]') : sequence('[', inside, ...items, inside, ']')
    }
    const members = Object.entries(value).map(([name, one]) => {
      const gbnf = this.#rules.add(`${name}-kv`, sequence(key(name), colon, this.#constant(one ?? null, name)))
      return { key: name, isRequired: true, gbnf }
    })
    const format = { separator: comma, extra: undefined, isNonEmpty: true, inOrder: true }
    const all = members.length > 0 ? membersOf(members, format, this.#rules) : undefined
    return all ? sequence('{', inside, all, inside, '}') : text('{}')
  }

  /** A list or an object: a separate rule, to which its content may refer. */
  #structure(type: 'array' | 'object', schema: JsonObject, label: string): Gbnf | undefined {
    const key = `${type} ${objectId(schema)} ${this.#id}`
    const open = this.#open.get(key)
    if (open) {
      open.isUsed = true
      return { type: 'rule', name: open.name }
    }
    return this.#rules.once(key, () => {
      if (this.#rules.isFull || this.#depth >= maxDepth) {
        this.#rules.notice(leftOut)
        return type === 'array' ? this.#anyArray() : this.#anyObject()
      }
      const self = { name: this.#rules.reserve(label), isUsed: false }
      this.#open.set(key, self)
      this.#depth++
      const body =
        type === 'array'
          ? this.#array(schema, label)
          : this.object(schema, label, { argumentCount: 'any', isTop: false })
      this.#depth--
      this.#open.delete(key)
      if (!body && !self.isUsed) {
        this.#rules.drop(self.name)
        return undefined
      }
      this.#rules.define(self.name, body ?? nothing)
      // The expression that refers to it remains, and admits nothing.
      if (self.isUsed && !canEnd(self.name, this.#rules.all)) {
        this.#rules.define(self.name, nothing)
        return undefined
      }
      return { type: 'rule', name: self.name }
    })
  }

  object(schema: JsonObject, label: string, { argumentCount, isTop }: ObjectOptions): Gbnf | undefined {
    const { otherKey, keyIn, colon, comma, inside } = this.#notation
    const parts = objectParts(schema, this.#rules, this.#isOpen)
    if (argumentCount === 'none') return parts.members.some(({ isRequired }) => isRequired) ? undefined : text('{}')
    const members = []
    const isLarge = parts.members.length > this.#rules.mostCounted
    for (const member of parts.members) {
      const { key, isRequired, schema: one } = member
      const gbnf = this.#member(member)
      if (!gbnf && isRequired) return undefined
      if (gbnf) members.push({ key, isRequired, gbnf, isOnce: isLarge && isTop && mayBeList(this.#variants.of(one)) })
    }
    const named = [...parts.members.map((member) => member.key), ...(isTop ? envelopeKeys : [])]
    const others = parts.others.map(({ names, schema: one }) => {
      const value = this.of(one, `${label}-extra`)
      const key =
        value && (names ? keyIn(isTop ? names.without(Language.of([...envelopeKeys])) : names) : otherKey(named))
      return key && value && sequence(key, colon, value)
    })
    const anyOf = choice(others)
    if (anyOf && isTop) this.#rules.notice('arguments that the schema does not name may come twice')
    const extra = anyOf && this.#rules.add(`${label}-other`, anyOf)
    const { least, most } = parts
    const bounds = { ...(least > 0 && { least }), ...(most < Number.POSITIVE_INFINITY && { most }) }
    const format = { separator: comma, extra, isNonEmpty: true, inOrder: this.#inOrder, ...bounds }
    const all = most > 0 ? membersOf(members, format, this.#rules) : undefined
    const isNonEmpty = least > 0 || argumentCount === 'some'
    const canBeEmpty = !isNonEmpty && !members.some(({ isRequired }) => isRequired)
    return choice([all && sequence('{', inside, all, inside, '}'), canBeEmpty ? text('{}') : undefined])
  }

  /** A key with its value: the same for all tools that have one of that name and schema. */
  #member({ key, schema }: { key: string; schema: unknown }): Gbnf | undefined {
    const { key: keyOf, colon } = this.#notation
    const ofSchema = schemaKey(schema)
    return this.#rules.perSchema(ofSchema && `${this.#id} ${JSON.stringify(key)} ${ofSchema}`, () => {
      const value = this.#ofKey(ofSchema, schema, key)
      return value && this.#rules.add(`${key}-kv`, sequence(keyOf(key), colon, value))
    })
  }

  #array(schema: JsonObject, label: string): Gbnf | undefined {
    const parts = arrayParts(schema)
    if (parts.tuple.length > longestTuple) {
      this.#rules.notice(`tuples of more than ${longestTuple} items may be any list`)
      return this.#anyArray()
    }
    const { comma, inside } = this.#notation
    const format = {
      comma,
      label,
      of: (one: JsonValue, name: string) => this.of(one, name),
      variants: (one: JsonValue) => this.#variants.of(one),
    }
    const filled = itemsOf(parts, format, this.#rules)
    const canBeEmpty = parts.min === 0 && parts.contains.length === 0
    return choice([filled && sequence('[', inside, filled, inside, ']'), canBeEmpty ? text('[]') : undefined])
  }

  #any(): Gbnf {
    const key = `any ${this.#notation.id}`
    const open = this.#open.get(key)
    if (open) return { type: 'rule', name: open.name }
    const made = this.#rules.once(key, () => {
      const name = this.#rules.reserve('value')
      this.#open.set(key, { name, isUsed: true })
      const { constant, string } = this.#notation
      const literals = ['true', 'false', 'null'].map((json) => constant(json))
      const all = [string(undefined), anyNumber(this.#rules), ...literals, this.#anyObject(), this.#anyArray()]
      this.#rules.define(name, choice(all) ?? empty)
      this.#open.delete(key)
      return { type: 'rule', name }
    })
    return made ?? empty
  }

  #anyObject(): Gbnf {
    const { otherKey, colon, comma, inside } = this.#notation
    const member = sequence(otherKey([]), colon, this.#any())
    const body = sequence('{', inside, member, repeat(sequence(comma, member), 0), inside, '}')
    return this.#rules.add('object', choice([body, text('{}')]) ?? body)
  }

  #anyArray(): Gbnf {
    const { comma, inside } = this.#notation
    const item = this.#any()
    const body = sequence('[', inside, item, repeat(sequence(comma, item), 0), inside, ']')
    return this.#rules.add('array', choice([body, text('[]')]) ?? body)
  }

  anyInteger(): Gbnf {
    return anyInteger(this.#rules)
  }
}
