import { isJsonObject, type JsonObject, type JsonValue } from '../../conversation/index.ts'
import { Language, orUndefined } from '../language/language.ts'
import { patternLanguage } from '../language/pattern.ts'
import { shown, stringsOf } from './strings.ts'

/** Members that a schema does not name. */
export interface OtherMembers {
  /** Their names; undefined if they are all names that the schema does not declare. */
  names: Language | undefined
  schema: JsonValue
}

/** Overlapping patterns sort names by the patterns that they match, into at most so many kinds. */
const mostKinds = 24

/** The constraints of `patternProperties` and `propertyNames` on the names of members. */
export class MemberNames {
  readonly #patterns: readonly { language: Language; schema: JsonValue }[]
  readonly #names: Language | undefined
  /** The schemas of patterns that no automaton expresses: they may apply to any member, or not. */
  readonly #untold: readonly JsonValue[]

  constructor(schema: JsonObject, notice: (what: string) => void) {
    const entries = isJsonObject(schema.patternProperties) ? Object.entries(schema.patternProperties) : []
    const told = entries.map(([pattern, one]) => ({ pattern, language: patternLanguage(pattern), schema: one ?? true }))
    this.#patterns = told.flatMap(({ language, schema: one }) => (language ? [{ language, schema: one }] : []))
    const untold = told.filter(({ language }) => !language)
    this.#untold = untold.map((one) => one.schema)
    for (const { pattern } of untold) notice(`of "patternProperties" the pattern ${shown(pattern)} is not expressed`)
    const { propertyNames = true } = schema
    this.#names = propertyNames === true ? undefined : orUndefined(() => stringsOf(propertyNames))
    if (propertyNames !== true && !this.#names) notice('"propertyNames" is not expressed')
  }

  /** The schema of a declared member, merged with that of the patterns that match its name. */
  named(name: string, schema: JsonValue): JsonValue {
    if (this.#names?.has(name) === false) return false
    const fitting = this.#patterns.filter(({ language }) => language.has(name)).map((one) => one.schema)
    return allOf([schema, ...fitting])
  }

  /** A member that the schema asks for and does not name. */
  unnamed(name: string, additional: JsonValue): JsonValue {
    const isFound = this.#patterns.some(({ language }) => language.has(name))
    if (this.#untold.length > 0) return this.named(name, isFound ? true : { anyOf: [additional, ...this.#untold] })
    return this.named(name, isFound ? true : additional)
  }

  /** All other members; `additional` is the schema of those that no pattern finds. */
  others(named: readonly string[], additional: JsonValue, notice: (what: string) => void): readonly OtherMembers[] {
    const free = this.#untold.length > 0 ? { anyOf: [additional, ...this.#untold] } : additional
    if (this.#patterns.length === 0 && !this.#names) return free === false ? [] : [{ names: undefined, schema: free }]
    const kinds = orUndefined(() => this.#kinds(named))
    if (!kinds) {
      notice('the patterns of "patternProperties" are not expressed: any name will do')
      return [{ names: undefined, schema: { anyOf: [free, ...this.#patterns.map(({ schema }) => schema)] } }]
    }
    return kinds.flatMap(({ language, schemas }): OtherMembers[] => {
      const schema = schemas.length > 0 ? allOf(schemas) : free
      return schema === false ? [] : [{ names: language, schema }]
    })
  }

  /** The names by which of the patterns they fit. */
  #kinds(named: readonly string[]): { language: Language; schemas: readonly JsonValue[] }[] | undefined {
    const all = (this.#names ?? Language.all).without(Language.of(named))
    let kinds: { language: Language; schemas: readonly JsonValue[] }[] = [{ language: all, schemas: [] }]
    for (const { language, schema } of this.#patterns) {
      kinds = kinds
        .flatMap((kind) => [
          { language: kind.language.and(language), schemas: [...kind.schemas, schema] },
          { language: kind.language.without(language), schemas: kind.schemas },
        ])
        .filter((kind) => !kind.language.isEmpty)
      if (kinds.length > mostKinds) return undefined
    }
    return kinds
  }
}

/** A schema for the values that all of them admit. */
export function allOf(schemas: readonly JsonValue[]): JsonValue {
  const saying = schemas.filter((one) => one !== true)
  if (saying.includes(false)) return false
  const [first = true] = saying
  return saying.length > 1 ? { allOf: [...saying] } : first
}
