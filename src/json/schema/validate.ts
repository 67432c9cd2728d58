import { isJsonObject, type JsonObject } from '../../conversation/index.ts'
import { resolveReference } from './references.ts'
import {
  defaultBounds,
  type Fault,
  OutOfBounds,
  type Trial,
  type ValidationBounds,
  ValidationState,
} from './validation-state.ts'
import { checkCount, checkValue, hasRepetition, shown } from './value-checks.ts'

/** `unjudged`: the bounds were reached, so that nothing can be said of the value. `steps`: how many were taken. */
export type Verdict = { steps: number } & (
  | { type: 'valid' }
  | { type: 'invalid'; faults: readonly Fault[] }
  | { type: 'unjudged'; why: 'steps' | 'depth' }
)

/**
 * Validates a JSON value by a JSON schema (2020-12, with OpenAPI's `nullable`), in a bounded number of steps, whatever
 * the schema: two references to the definition before, forty times over, are 2^40 schemas in 3 kB.
 *
 * A keyword in an unusable form is ignored, and a value is only invalid if that is certain. Patterns are not run,
 * because those from outside can take for ever; so `patternProperties` is ignored, and `additionalProperties` beside
 * it. `$dynamicRef`, `unevaluatedProperties`, `unevaluatedItems`, references to other documents, and formats that are
 * not in formats.ts are ignored too.
 *
 * @example
 * validate({ properties: { days: { type: 'integer' } } }, { days: 'two' })
 * // { type: 'invalid', faults: [{ place: 'days', message: 'is a string, not an integer' }], steps: 2 }
 */
export function validate(schema: JsonObject, value: unknown, bounds: ValidationBounds = defaultBounds): Verdict {
  const state = new ValidationState(bounds)
  try {
    const { faults } = new Validation(schema, state).trial(schema, value, '')
    const { steps } = state
    return faults.length === 0 ? { type: 'valid', steps } : { type: 'invalid', faults, steps }
  } catch (error) {
    if (error instanceof OutOfBounds) return { type: 'unjudged', why: error.bound, steps: state.steps }
    throw error
  }
}

/** Keywords that are not looked at. */
const passedOver = ['pattern', 'patternProperties', 'unevaluatedProperties', 'unevaluatedItems'] as const

/** Within one schema a dynamic reference is one like others. */
const references = ['$ref', '$dynamicRef', '$recursiveRef'] as const

/** Checks of lists and objects by their members; they apply only to a value of that type. */
type Check = (schema: JsonObject, value: unknown, place: string) => void

class Validation {
  readonly #root: JsonObject
  readonly #state: ValidationState

  constructor(root: JsonObject, state: ValidationState) {
    this.#root = root
    this.#state = state
  }

  trial(schema: unknown, value: unknown, place: string): Trial {
    return this.#state.trial(() => this.#check(schema, value, place))
  }

  #check(schema: unknown, value: unknown, place: string): void {
    const state = this.#state
    state.spend(1)
    if (schema === false) state.fault(place, 'is not allowed')
    if (!isJsonObject(schema) || state.isEnough) return
    state.deepen()
    if (passedOver.some((keyword) => keyword in schema)) state.doubt()
    for (const check of this.#checks) {
      check(schema, value, place)
      if (state.isEnough) break
    }
    state.rise()
  }

  readonly #checks: readonly Check[] = [
    (schema, value, place) => checkValue(this.#state, schema, value, place),
    (schema, value, place) => this.#checkCombined(schema, value, place),
    (schema, value, place) => this.#checkCondition(schema, value, place),
    (schema, value, place) => {
      if (isJsonObject(value)) this.#checkObject(schema, value, place)
      else if (Array.isArray(value)) this.#checkArray(schema, value, place)
    },
  ]

  #checkCombined(schema: JsonObject, value: unknown, place: string): void {
    for (const keyword of references) {
      const reference = schema[keyword]
      if (typeof reference === 'string') this.#checkReference(reference, value, place)
    }
    for (const part of asList(schema.allOf)) {
      if (this.#state.isEnough) return
      this.#check(part, value, place)
    }
    this.#checkAlternatives(asList(schema.anyOf), value, place)
    const fitting = asList(schema.oneOf)
      .map((one) => this.trial(one, value, place))
      .filter(({ fits }) => fits)
    if (fitting.filter(({ isSure }) => isSure).length > 1) {
      this.#state.fault(place, `fits ${fitting.length} of the alternatives, and may fit only one`)
    } else if (fitting.length === 0) this.#checkAlternatives(asList(schema.oneOf), value, place)
    if (!isSchema(schema.not)) return
    const { fits, isSure } = this.trial(schema.not, value, place)
    if (fits && isSure) this.#state.fault(place, 'has a value that "not" excludes')
  }

  #checkReference(reference: string, value: unknown, place: string): void {
    const target = resolveReference(reference, this.#root)
    if (target === undefined) this.#state.doubt()
    else this.#check(target, value, place)
  }

  #checkAlternatives(alternatives: readonly unknown[], value: unknown, place: string): void {
    if (alternatives.length === 0) return
    const inner: Fault[] = []
    for (const one of alternatives) {
      const faults = this.trial(one, value, place).faults
      if (faults.length === 0) return
      if (inner.length < this.#state.bounds.faults) inner.push(...faults)
    }
    this.#state.fault(place, 'fits none of the alternatives')
    for (const fault of inner) this.#state.fault(fault.place, fault.message)
  }

  #checkCondition(schema: JsonObject, value: unknown, place: string): void {
    if (!isSchema(schema.if)) return
    const { fits, isSure } = this.trial(schema.if, value, place)
    const branch = !fits ? schema.else : isSure ? schema.then : undefined
    if (branch !== undefined) this.#check(branch, value, place)
  }

  #checkObject(schema: JsonObject, value: JsonObject, place: string): void {
    const { properties, additionalProperties: others, minProperties, maxProperties } = schema
    const named = isJsonObject(properties) ? properties : {}
    const hasPatterns = isJsonObject(schema.patternProperties)
    const keys = Object.keys(value)
    this.#state.spend(keys.length)
    checkCount(this.#state, keys.length, [minProperties, maxProperties], 'members', place)
    for (const key of asList(schema.required)) {
      this.#state.spend(1)
      if (typeof key === 'string' && !Object.hasOwn(value, key))
        this.#state.fault(place, `lacks the required property ${shown(key)}`)
    }
    for (const key of keys) {
      if (this.#state.isEnough) return
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
        this.#state.spend(1)
        if (!Object.hasOwn(value, key)) continue
        if (Array.isArray(needed)) this.#checkObject({ required: needed }, value, place)
        else this.#check(needed, value, place)
      }
    }
  }

  #checkArray(schema: JsonObject, value: readonly unknown[], place: string): void {
    const { minItems, maxItems, items, contains, minContains = 1, maxContains } = schema
    checkCount(this.#state, value.length, [minItems, maxItems], 'elements', place)
    // In drafts before 2020-12 a tuple is a list of `items`.
    const tuple = Array.isArray(items) ? items : asList(schema.prefixItems)
    const rest = Array.isArray(items) ? schema.additionalItems : items
    for (let index = 0; index < value.length && !this.#state.isEnough; index++) {
      const own = index < tuple.length ? tuple[index] : rest
      if (own !== undefined) this.#check(own, value[index], join(place, String(index)))
    }
    if (schema.uniqueItems === true && hasRepetition(this.#state, value))
      this.#state.fault(place, 'has the same element twice')
    if (!isSchema(contains)) return
    const found = value.map((one) => this.trial(contains, one, place)).filter(({ fits }) => fits)
    const what = 'elements of the kind that it must contain'
    checkCount(this.#state, found.length, [minContains, undefined], what, place)
    checkCount(this.#state, found.filter(({ isSure }) => isSure).length, [undefined, maxContains], what, place)
  }
}

function isSchema(value: unknown): boolean {
  return typeof value === 'boolean' || isJsonObject(value)
}

function join(place: string, key: string): string {
  const shortKey = key.length > 100 ? `${key.slice(0, 100)}…` : key
  return place === '' ? shortKey : `${place}/${shortKey}`
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
