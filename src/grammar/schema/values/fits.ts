import { isJsonObject, type JsonObject, type JsonValue } from '../../../conversation/index.ts'
import { constantsOf } from './constants.ts'
import { asList } from './lists.ts'
import { fitsFacets } from './strings.ts'

/** False for a constant of a schema that the schema's bounds on size exclude; its other constraints are not checked. */
export function fitsSize(value: JsonValue, schema: JsonObject): boolean {
  const within = (size: number, least: string, most: string) =>
    size >= boundOf(schema[least], Number.NEGATIVE_INFINITY) && size <= boundOf(schema[most], Number.POSITIVE_INFINITY)
  if (typeof value === 'number') {
    return (
      within(value, 'minimum', 'maximum') &&
      asList(schema.multipleOf).every((factor) => typeof factor !== 'number' || isMultiple(value, factor)) &&
      !asList(schema.not).some((not) => isJsonObject(not) && isNumberOf(value, not)) &&
      value > boundOf(schema.exclusiveMinimum, Number.NEGATIVE_INFINITY) &&
      value < boundOf(schema.exclusiveMaximum, Number.POSITIVE_INFINITY)
    )
  }
  if (typeof value === 'string') return within([...value].length, 'minLength', 'maxLength')
  if (Array.isArray(value)) return within(value.length, 'minItems', 'maxItems')
  if (!isJsonObject(value)) return true
  const required = Array.isArray(schema.required) ? schema.required : []
  return (
    within(Object.keys(value).length, 'minProperties', 'maxProperties') &&
    required.every((key) => typeof key !== 'string' || Object.hasOwn(value, key))
  )
}

function isMultiple(value: number, factor: number): boolean {
  const ratio = value / factor
  return Math.abs(ratio - Math.round(ratio)) < 1e-9
}

/** True for a number that a schema of constants or of multiples admits. */
function isNumberOf(value: number, schema: JsonObject): boolean {
  const isNamed = constantsOf(schema)?.includes(value) ?? true
  return isNamed && asList(schema.multipleOf).every((one) => typeof one !== 'number' || isMultiple(value, one))
}

/** Keywords beside a constant of a schema that are not checked: they may exclude the constant. */
export function unlookedAt(value: JsonValue, schema: JsonObject): string[] {
  const keywords =
    typeof value === 'string'
      ? fitsFacets(value, schema) === undefined
        ? ['pattern', 'format', 'not']
        : []
      : Array.isArray(value)
        ? ['items', 'prefixItems']
        : isJsonObject(value)
          ? ['properties', 'additionalProperties', 'patternProperties']
          : []
  return keywords.filter((keyword) => keyword in schema)
}

function boundOf(bound: JsonValue | undefined, otherwise: number): number {
  return typeof bound === 'number' ? bound : otherwise
}
