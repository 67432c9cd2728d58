import { isJsonObject, type JsonObject, type JsonValue } from '../../conversation/index.ts'
import { allOf } from './members/names.ts'
import { opened } from './members/open.ts'
import { isNumber, typesOf } from './types.ts'
import { asList } from './values/lists.ts'

/** Each key on which others depend doubles the ways that an object may be. */
const mostDependents = 5

/** Rewrites the conditions of schemas as combinations: `if`, `not`, and keywords that depend on a member. */
export class ConditionRewriter {
  readonly #negated: (schema: JsonValue) => JsonValue | undefined
  readonly #notice: (what: string) => void

  constructor(negated: (schema: JsonValue) => JsonValue | undefined, notice: (what: string) => void) {
    this.#negated = negated
    this.#notice = notice
  }

  /** The same schema if it has no condition. */
  rewrite(schema: JsonObject): JsonObject {
    const isConditional = hasCondition(schema)
    if (schema.not === undefined && !isConditional) return schema
    const kept = asList(schema.not).filter((one) => isLeafNegation(one, schema))
    if (kept.length === asList(schema.not).length && !isConditional) return schema
    const { if: _, then: __, else: ___, dependencies: ____, dependentRequired: _____, ...rest } = schema
    const { dependentSchemas: ______, not: _______, ...others } = rest
    const parts = [...this.#choices(schema), ...this.#dependents(schema), ...this.#negations(schema)]
    return {
      ...others,
      ...(kept.length > 0 && { not: kept }),
      ...(parts.length > 0 && { allOf: [...asList(schema.allOf), ...parts] }),
    }
  }

  #choices({ if: condition, then = true, else: otherwise = true }: JsonObject): readonly JsonValue[] {
    if (condition === undefined || (then === true && otherwise === true)) return []
    const not = this.#negated(condition)
    if (not === undefined) this.#notice('"if" is not expressed')
    return not === undefined ? [] : [{ anyOf: [allOf([condition, then]), allOf([not, otherwise])] }]
  }

  #dependents(schema: JsonObject): readonly JsonValue[] {
    const all = [schema.dependencies, schema.dependentRequired, schema.dependentSchemas].flatMap((one) =>
      isJsonObject(one) ? Object.entries(one) : [],
    )
    if (all.length > mostDependents) this.#notice('"dependencies" of many members are not expressed')
    return all.slice(0, mostDependents).map(([key, needed = true]): JsonValue => {
      const others: JsonValue = Array.isArray(needed) ? opened({ required: needed }) : needed
      return { anyOf: [{ properties: { [key]: false } }, allOf([opened({ required: [key] }), others])] }
    })
  }

  #negations(schema: JsonObject): readonly JsonValue[] {
    return asList(schema.not).flatMap((one) => {
      if (isLeafNegation(one, schema)) return []
      const not = this.#negated(one)
      if (not === undefined) this.#notice('"not" is not expressed')
      return not === undefined ? [] : [not]
    })
  }
}

const conditions = ['if', 'then', 'else', 'dependencies', 'dependentRequired', 'dependentSchemas'] as const

function hasCondition(schema: JsonObject): boolean {
  for (const keyword of conditions) if (keyword in schema) return true
  return false
}

const ofStrings: ReadonlySet<string> = new Set(['pattern', 'format', 'enum', 'const'])
const ofNumbers: ReadonlySet<string> = new Set(['multipleOf', 'enum', 'const'])

/** True for a negation of strings or numbers, which is expressed when the value is written. */
function isLeafNegation(not: JsonValue, schema: JsonObject): boolean {
  const [type, ...others] = typesOf(schema)
  if (type === undefined || others.length > 0 || !isJsonObject(not)) return false
  const own = type === 'string' ? ofStrings : isNumber(type) ? ofNumbers : undefined
  const keywords = Object.keys(not)
  return own !== undefined && keywords.length > 0 && keywords.every((key) => own.has(key))
}
