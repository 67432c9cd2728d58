import { isJsonObject, type JsonObject } from '../conversation/index.ts'
import { formatFault } from './formats.ts'
import { resolveReference } from './references.ts'

/** What is wrong at a place of a value: `days/0`, or '' for the value itself. */
export interface Fault {
  place: string
  /** For the one who wrote the value: `is a number, not a string`. */
  message: string
}

/** `unjudged`: the bounds were reached, so that nothing can be said of the value. `steps`: how many were taken. */
export type Verdict = { steps: number } & (
  | { type: 'valid' }
  | { type: 'invalid'; faults: readonly Fault[] }
  | { type: 'unjudged'; why: 'steps' | 'depth' }
)

export interface ValidationBounds {
  /** How many schemas, members and values are looked at, in all. */
  steps: number
  /** How many schemas are looked at within each other. */
  depth: number
  /** After so many faults no more are looked for. */
  faults: number
}

/** A hundred thousand steps take some 20 to 60 ms of CPU. */
export const defaultBounds: Readonly<ValidationBounds> = { steps: 100_000, depth: 500, faults: 5 }

/**
 * Judges a JSON value by a JSON schema (2020-12, with OpenAPI's `nullable`), in a bounded number of steps, whatever the schema: two references to the definition
 * before, forty times over, are 2^40 schemas in 3 kB.
 *
 * What a schema says in a form that cannot be used says nothing, and a value is only invalid if that is certain. Patterns are not run, as those from outside can take
 * for ever; so `patternProperties` say nothing, and beside them nor do `additionalProperties`. Nor do `$dynamicRef`, `unevaluatedProperties`, `unevaluatedItems`, references
 * to other documents, and formats that are not in formats.ts.
 *
 * @example
 * validate({ properties: { days: { type: 'integer' } } }, { days: 'two' })
 * // { type: 'invalid', faults: [{ place: 'days', message: 'is a string, not an integer' }], steps: 2 }
 */
export function validate(schema: JsonObject, value: unknown, bounds: ValidationBounds = defaultBounds): Verdict {
  const validation = new Validation(schema, bounds)
  try {
    const faults = validation.faultsOf(schema, value, '')
    const { steps } = validation
    return faults.length === 0 ? { type: 'valid', steps } : { type: 'invalid', faults, steps }
  } catch (error) {
    if (error instanceof OutOfBounds) return { type: 'unjudged', why: error.bound, steps: validation.steps }
    throw error
  }
}

/** A value judged by one schema among others. */
interface Trial {
  faults: readonly Fault[]
  fits: boolean
  /** False where it fits only as far as the schema is looked at. */
  isSure: boolean
}

/** Keywords that are not looked at. */
const passedOver = [
  'pattern',
  'patternProperties',
  '$dynamicRef',
  '$recursiveRef',
  'unevaluatedProperties',
  'unevaluatedItems',
] as const

class OutOfBounds extends Error {
  readonly bound: 'steps' | 'depth'

  constructor(bound: 'steps' | 'depth') {
    super(bound)
    this.bound = bound
  }
}

/** A list and an object have members; what is said of them is looked at only where the value is one. */
type Check = (schema: JsonObject, value: unknown, place: string) => void

class Validation {
  readonly #root: JsonObject
  readonly #bounds: ValidationBounds
  steps = 0
  #depth = 0
  #faults: Fault[] = []
  /** False from where on a schema said something that is not looked at: then what seems to fit may yet not. */
  #isSure = true

  constructor(root: JsonObject, bounds: ValidationBounds) {
    this.#root = root
    this.#bounds = bounds
  }

  /** The faults of a value by one schema, apart from those found so far. */
  faultsOf(schema: unknown, value: unknown, place: string): readonly Fault[] {
    return this.#trial(schema, value, place).faults
  }

  #trial(schema: unknown, value: unknown, place: string): Trial {
    const [outer, wasSure] = [this.#faults, this.#isSure]
    const faults: Fault[] = []
    this.#faults = faults
    this.#isSure = true
    this.#check(schema, value, place)
    const trial = { faults, fits: faults.length === 0, isSure: this.#isSure }
    this.#faults = outer
    this.#isSure &&= wasSure
    return trial
  }

  #check(schema: unknown, value: unknown, place: string): void {
    this.#spend(1)
    if (schema === false) this.#fault(place, 'is not allowed')
    if (!isJsonObject(schema) || this.#isEnough) return
    if (++this.#depth > this.#bounds.depth) throw new OutOfBounds('depth')
    if (passedOver.some((keyword) => keyword in schema)) this.#isSure = false
    for (const check of this.#checks) {
      check(schema, value, place)
      if (this.#isEnough) break
    }
    this.#depth--
  }

  readonly #checks: readonly Check[] = [
    (schema, value, place) => this.#checkOwn(schema, value, place),
    (schema, value, place) => this.#checkCombined(schema, value, place),
    (schema, value, place) => this.#checkCondition(schema, value, place),
    (schema, value, place) => {
      if (isJsonObject(value)) this.#checkObject(schema, value, place)
      else if (Array.isArray(value)) this.#checkArray(schema, value, place)
    },
  ]

  /** The type, and what a value may be by itself. */
  #checkOwn(schema: JsonObject, value: unknown, place: string): void {
    if (value === null && schema.nullable === true) return
    const named = listOf(schema.type)
    this.#spend(named.length)
    const types = named.filter((type) => typeof type === 'string' && type in nouns)
    if (types.length < named.length && schema.type !== undefined) this.#isSure = false
    else if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
      const wanted = types.map((type) => nouns[String(type)] ?? '').join(' or ')
      this.#fault(place, `is ${nouns[typeNameOf(value)]}, not ${wanted}`)
    }
    if ('const' in schema && !this.#areSame(value, schema.const)) {
      this.#fault(place, `is not ${shown(schema.const)}`)
    }
    if (Array.isArray(schema.enum) && !schema.enum.some((one) => this.#areSame(value, one))) {
      this.#fault(place, `is none of ${shownList(schema.enum)}`)
    }
    if (typeof value === 'number') this.#checkNumber(schema, value, place)
    if (typeof value === 'string') this.#checkString(schema, value, place)
  }

  #checkNumber(schema: JsonObject, value: number, place: string): void {
    const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below, multipleOf } = schema
    if (typeof minimum === 'number' && value < minimum) this.#fault(place, `is less than ${minimum}`)
    if (typeof maximum === 'number' && value > maximum) this.#fault(place, `is more than ${maximum}`)
    // Before draft 6 these said whether the bound itself is excluded.
    const over = above === true ? minimum : above
    const under = below === true ? maximum : below
    if (typeof over === 'number' && value <= over) this.#fault(place, `is not more than ${over}`)
    if (typeof under === 'number' && value >= under) this.#fault(place, `is not less than ${under}`)
    if (typeof multipleOf === 'number' && multipleOf > 0 && !isMultiple(value, multipleOf)) {
      this.#fault(place, `is no multiple of ${multipleOf}`)
    }
  }

  #checkString(schema: JsonObject, value: string, place: string): void {
    const { minLength, maxLength, format } = schema
    if (typeof minLength === 'number' || typeof maxLength === 'number') {
      this.#spend(value.length / 50)
      this.#checkCount(characters(value), [minLength, maxLength], 'characters', place)
    }
    if (typeof format !== 'string') return
    const fault = formatFault(format, value)
    if (fault === 'unknown') this.#isSure = false
    else if (fault !== undefined) this.#fault(place, fault.message)
  }

  #checkCount(count: number, [min, max]: readonly unknown[], what: string, place: string): void {
    if (typeof min === 'number' && count < min) this.#fault(place, `has ${count} ${what}, at least ${min} are needed`)
    if (typeof max === 'number' && count > max) this.#fault(place, `has ${count} ${what}, at most ${max} are allowed`)
  }

  #checkCombined(schema: JsonObject, value: unknown, place: string): void {
    if (typeof schema.$ref === 'string') this.#checkReference(schema.$ref, value, place)
    for (const part of asList(schema.allOf)) {
      if (this.#isEnough) return
      this.#check(part, value, place)
    }
    this.#checkAlternatives(asList(schema.anyOf), value, place)
    const fitting = asList(schema.oneOf)
      .map((one) => this.#trial(one, value, place))
      .filter(({ fits }) => fits)
    if (fitting.filter(({ isSure }) => isSure).length > 1) {
      this.#fault(place, `fits ${fitting.length} of the alternatives, and may fit only one`)
    } else if (fitting.length === 0) this.#checkAlternatives(asList(schema.oneOf), value, place)
    if (!isSchema(schema.not)) return
    const { fits, isSure } = this.#trial(schema.not, value, place)
    if (fits && isSure) this.#fault(place, 'is what it may not be')
  }

  #checkReference(reference: string, value: unknown, place: string): void {
    const target = resolveReference(reference, this.#root)
    if (target === undefined) this.#isSure = false
    else this.#check(target, value, place)
  }

  #checkAlternatives(alternatives: readonly unknown[], value: unknown, place: string): void {
    if (alternatives.length === 0) return
    const inner: Fault[] = []
    for (const one of alternatives) {
      const faults = this.faultsOf(one, value, place)
      if (faults.length === 0) return
      if (inner.length < this.#bounds.faults) inner.push(...faults)
    }
    this.#fault(place, 'fits none of the alternatives')
    for (const fault of inner) this.#fault(fault.place, fault.message)
  }

  #checkCondition(schema: JsonObject, value: unknown, place: string): void {
    if (!isSchema(schema.if)) return
    const { fits, isSure } = this.#trial(schema.if, value, place)
    const branch = !fits ? schema.else : isSure ? schema.then : undefined
    if (branch !== undefined) this.#check(branch, value, place)
  }

  #checkObject(schema: JsonObject, value: JsonObject, place: string): void {
    const { properties, additionalProperties: others, minProperties, maxProperties } = schema
    const named = isJsonObject(properties) ? properties : {}
    const hasPatterns = isJsonObject(schema.patternProperties)
    const keys = Object.keys(value)
    this.#spend(keys.length)
    this.#checkCount(keys.length, [minProperties, maxProperties], 'members', place)
    for (const key of asList(schema.required)) {
      this.#spend(1)
      if (typeof key === 'string' && !Object.hasOwn(value, key))
        this.#fault(place, `lacks the required property ${shown(key)}`)
    }
    for (const key of keys) {
      if (this.#isEnough) return
      if (isSchema(schema.propertyNames)) this.#check(schema.propertyNames, key, join(place, key))
      if (Object.hasOwn(named, key)) this.#check(named[key], value[key], join(place, key))
      else if (others !== undefined && !hasPatterns) this.#check(others, value[key], join(place, key))
    }
    this.#checkDependents(schema, value, place)
  }

  #checkDependents(schema: JsonObject, value: JsonObject, place: string): void {
    for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
      const dependents = schema[keyword]
      if (!isJsonObject(dependents)) continue
      for (const [key, needed] of Object.entries(dependents)) {
        this.#spend(1)
        if (!Object.hasOwn(value, key)) continue
        if (Array.isArray(needed)) this.#checkObject({ required: needed }, value, place)
        else this.#check(needed, value, place)
      }
    }
  }

  #checkArray(schema: JsonObject, value: readonly unknown[], place: string): void {
    const { minItems, maxItems, items, contains, minContains = 1, maxContains } = schema
    this.#checkCount(value.length, [minItems, maxItems], 'elements', place)
    // In drafts before 2020-12 a tuple is a list of `items`.
    const tuple = Array.isArray(items) ? items : asList(schema.prefixItems)
    const rest = Array.isArray(items) ? schema.additionalItems : items
    for (let index = 0; index < value.length && !this.#isEnough; index++) {
      const own = index < tuple.length ? tuple[index] : rest
      if (own !== undefined) this.#check(own, value[index], join(place, String(index)))
    }
    if (schema.uniqueItems === true && this.#hasRepetition(value)) this.#fault(place, 'has the same element twice')
    if (!isSchema(contains)) return
    const found = value.map((one) => this.#trial(contains, one, place)).filter(({ fits }) => fits)
    const what = 'elements of the kind that it must contain'
    this.#checkCount(found.length, [minContains, undefined], what, place)
    this.#checkCount(found.filter(({ isSure }) => isSure).length, [undefined, maxContains], what, place)
  }

  #hasRepetition(value: readonly unknown[]): boolean {
    const plain = value.filter((one) => typeof one !== 'object' || one === null)
    const others = value.filter((one) => typeof one === 'object' && one !== null)
    this.#spend(value.length)
    if (new Set(plain).size < plain.length) return true
    return others.some((one, at) => others.slice(at + 1).some((other) => this.#areSame(one, other)))
  }

  #areSame(one: unknown, other: unknown, depth: number = 0): boolean {
    this.#spend(1)
    if (one === other || typeof one !== 'object' || typeof other !== 'object') return one === other
    if (one === null || other === null || Array.isArray(one) !== Array.isArray(other)) return false
    if (depth > this.#bounds.depth) throw new OutOfBounds('depth')
    const [first, second] = [Object.entries(one), new Map<string, unknown>(Object.entries(other))]
    this.#spend(first.length + second.size)
    return (
      first.length === second.size &&
      first.every(([key, value]) => second.has(key) && this.#areSame(value, second.get(key), depth + 1))
    )
  }

  get #isEnough(): boolean {
    return this.#faults.length >= this.#bounds.faults
  }

  #fault(place: string, message: string): void {
    if (!this.#isEnough) this.#faults.push({ place, message })
  }

  #spend(steps: number): void {
    this.steps += steps
    if (this.steps > this.#bounds.steps) throw new OutOfBounds('steps')
  }
}

const nouns: Readonly<Record<string, string>> = {
  ...{ string: 'a string', number: 'a number', integer: 'an integer', boolean: 'a boolean', null: 'null' },
  ...{ object: 'an object', array: 'an array' },
}

function typeNameOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function isOfType(value: unknown, type: unknown): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeNameOf(value) === type
}

function isSchema(value: unknown): boolean {
  return typeof value === 'boolean' || isJsonObject(value)
}

/** A quotient is rarely whole in binary: 0.3 is a multiple of 0.1. */
function isMultiple(value: number, of: number): boolean {
  const quotient = value / of
  return (
    !Number.isFinite(quotient) || Math.abs(quotient - Math.round(quotient)) <= 1e-9 * Math.max(1, Math.abs(quotient))
  )
}

/** Length as JSON Schema counts it: in code points. */
function characters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

function join(place: string, key: string): string {
  const shortKey = key.length > 100 ? `${key.slice(0, 100)}…` : key
  return place === '' ? shortKey : `${place}/${shortKey}`
}

const longestShown = 100
const mostShown = 20

function shown(value: unknown): string {
  // Only a string is sure to be short once it is cut: of what nests, text is made without end.
  if (typeof value === 'string')
    return JSON.stringify(value.length > longestShown ? `${value.slice(0, longestShown)}…` : value)
  return typeof value === 'object' && value !== null ? 'the value that the schema names' : String(value)
}

function shownList(values: readonly unknown[]): string {
  const more = values.length > mostShown ? `, and ${values.length - mostShown} others` : ''
  return values.slice(0, mostShown).map(shown).join(', ') + more
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}
