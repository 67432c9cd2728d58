import { isJsonObject, type JsonObject } from '../../conversation/index.ts'
import { type CheckName, checkNames, checksByKeyword, references } from './keywords.ts'
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

/** The trial of a value at its place. */
type Judgement = readonly [place: string, trial: Trial]

class Validation {
  readonly #root: JsonObject
  readonly #state: ValidationState
  readonly #needed = new Map<JsonObject, readonly CheckName[]>()
  readonly #targets = new Map<string, unknown>()
  /** The last judgement of each value by a schema that references lead to: two references to the definition before, twenty times over, are 20 schemas. */
  readonly #judged = new Map<unknown, Map<unknown, Judgement>>()

  constructor(root: JsonObject, state: ValidationState) {
    this.#root = root
    this.#state = state
  }

  trial(schema: unknown, value: unknown, place: string): Trial {
    const outer = this.#state.beginTrial()
    this.#check(schema, value, place)
    return this.#state.endTrial(outer)
  }

  /** Few functions call each other here: a schema may nest 500 levels, and each of them takes stack. */
  #check(schema: unknown, value: unknown, place: string): void {
    const state = this.#state
    state.spend(1)
    if (schema === false) state.fault(place, 'is not allowed')
    if (!isJsonObject(schema) || state.isEnough) return
    state.deepen()
    for (const check of this.#checksOf(schema)) {
      switch (check) {
        case 'passedOver':
          state.doubt()
          break
        case 'value':
          checkValue(state, schema, value, place)
          break
        case 'references':
          this.#checkReferences(schema, value, place)
          break
        case 'combined':
          this.#checkCombined(schema, value, place)
          break
        case 'condition':
          this.#checkCondition(schema, value, place)
          break
        case 'members':
          if (isJsonObject(value)) this.#checkObject(schema, value, place)
          else if (Array.isArray(value)) this.#checkArray(schema, value, place)
      }
      if (state.isEnough) break
    }
    state.rise()
  }

  /** Returns the checks that a schema needs. Elements of a list have the same schema. */
  #checksOf(schema: JsonObject): readonly CheckName[] {
    let needed = this.#needed.get(schema)
    if (!needed) {
      const names = new Set(Object.keys(schema).map((keyword) => checksByKeyword.get(keyword)))
      needed = checkNames.filter((name) => names.has(name))
      this.#needed.set(schema, needed)
    }
    return needed
  }

  #checkReferences(schema: JsonObject, value: unknown, place: string): void {
    for (const keyword of references) {
      const reference = schema[keyword]
      if (typeof reference !== 'string') continue
      const target = this.#targetOf(reference)
      if (target === undefined) {
        this.#state.doubt()
        continue
      }
      const known = this.#judged.get(target) ?? new Map<unknown, Judgement>()
      this.#judged.set(target, known)
      const [lastPlace, last] = known.get(value) ?? []
      // The same number or string may be at several places, which the faults name.
      const trial = lastPlace === place && last ? last : this.trial(target, value, place)
      this.#state.spend(1)
      known.set(value, [place, trial])
      this.#state.add(trial)
    }
  }

  #checkCombined({ allOf, anyOf, oneOf, not }: JsonObject, value: unknown, place: string): void {
    for (const part of asList(allOf)) {
      if (this.#state.isEnough) return
      this.#check(part, value, place)
    }
    this.#checkAlternatives(asList(anyOf), value, place)
    if (Array.isArray(oneOf)) this.#checkOne(oneOf, value, place)
    if (!isSchema(not)) return
    const { fits, isSure } = this.trial(not, value, place)
    if (fits && isSure) this.#state.fault(place, 'has a value that "not" excludes')
  }

  #checkOne(alternatives: readonly unknown[], value: unknown, place: string): void {
    const trials: Trial[] = []
    for (const one of alternatives) trials.push(this.trial(one, value, place))
    const fitting = trials.filter(({ fits }) => fits)
    if (fitting.filter(({ isSure }) => isSure).length > 1) {
      this.#state.fault(place, `fits ${fitting.length} of the alternatives, and may fit only one`)
    } else if (fitting.length === 0) this.#faultAlternatives(trials, place)
  }

  #targetOf(reference: string): unknown {
    if (!this.#targets.has(reference)) this.#targets.set(reference, resolveReference(reference, this.#root))
    return this.#targets.get(reference)
  }

  #checkAlternatives(alternatives: readonly unknown[], value: unknown, place: string): void {
    const trials: Trial[] = []
    for (const one of alternatives) {
      const trial = this.trial(one, value, place)
      if (trial.fits) return
      trials.push(trial)
    }
    this.#faultAlternatives(trials, place)
  }

  #faultAlternatives(trials: readonly Trial[], place: string): void {
    if (trials.length === 0) return
    this.#state.fault(place, 'fits none of the alternatives')
    for (const { faults } of trials) for (const fault of faults) this.#state.fault(fault.place, fault.message)
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
