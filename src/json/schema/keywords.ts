/** Within one schema a dynamic reference is one like others. */
export const references = ['$ref', '$dynamicRef', '$recursiveRef'] as const

/** The name of a check. */
export type CheckName = 'passedOver' | 'value' | 'references' | 'combined' | 'condition' | 'members'

/** The keywords of each check. A schema has few of them: to look for all of them in each schema took twice as long. */
const checks: readonly [CheckName, readonly string[]][] = [
  ['passedOver', ['pattern', 'patternProperties', 'unevaluatedProperties', 'unevaluatedItems']],
  [
    'value',
    [
      ...['type', 'const', 'enum', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
      ...['minLength', 'maxLength', 'format'],
    ],
  ],
  ['references', references],
  ['combined', ['allOf', 'anyOf', 'oneOf', 'not']],
  ['condition', ['if']],
  [
    'members',
    [
      ...['properties', 'additionalProperties', 'minProperties', 'maxProperties', 'required', 'propertyNames'],
      ...['dependentRequired', 'dependentSchemas', 'dependencies'],
      ...['minItems', 'maxItems', 'items', 'prefixItems', 'uniqueItems', 'contains'],
    ],
  ],
]

/** The name of the check that each keyword belongs to; keywords that are ignored are missing. */
export const checksByKeyword: ReadonlyMap<string, CheckName> = new Map(
  checks.flatMap(([check, own]) => own.map((keyword): [string, CheckName] => [keyword, check])),
)

/** The checks in their order. */
export const checkNames: readonly CheckName[] = checks.map(([name]) => name)
