import { isJsonObject, type JsonObject, type JsonValue, RecentMap } from '../../../conversation/index.ts'
import { Language, orUndefined } from '../../language/language.ts'
import { patternLanguage } from '../../language/pattern.ts'
import { shown, stringsOf } from '../values/strings.ts'

/** Members that a schema does not name. */
export interface OtherMembers {
  /** Their names; undefined if they are all names that the schema does not declare. */
  names: Language | undefined
  schema: JsonValue
}

/** The maximum number of kinds into which overlapping patterns sort names: one for each set of patterns that a name matches. */
const mostKinds = 24

interface NamePattern {
  pattern: string
  language: Language
  schema: JsonValue
}

/** Most schemas have neither patterns nor names: they share these lists. */
const noPatterns: readonly NamePattern[] = []
const noSchemas: readonly JsonValue[] = []

/** The constraints of `patternProperties` and `propertyNames` on the names of members. */
export class MemberNames {
  readonly #patterns: readonly NamePattern[] = noPatterns
  readonly #names: Language | undefined
  readonly #namesKey: JsonValue
  /** The schemas of patterns that are not evaluated: each of them may or may not apply to a member. */
  readonly #unevaluated: readonly JsonValue[] = noSchemas

  constructor(schema: JsonObject, notice: (what: string) => void) {
    const { patternProperties, propertyNames = true } = schema
    this.#namesKey = propertyNames
    if (patternProperties === undefined && propertyNames === true) return
    const entries = isJsonObject(patternProperties) ? Object.entries(patternProperties) : []
    const read = entries.map(([pattern, one]) => ({ pattern, language: patternLanguage(pattern), schema: one ?? true }))
    this.#patterns = read.flatMap(({ pattern, language, schema: one }) =>
      language ? [{ pattern, language, schema: one }] : [],
    )
    const unevaluated = read.filter(({ language }) => !language)
    this.#unevaluated = unevaluated.map((one) => one.schema)
    for (const { pattern } of unevaluated)
      notice(`of "patternProperties" the pattern ${shown(pattern)} is not expressed`)
    this.#names = propertyNames === true ? undefined : orUndefined(() => stringsOf(propertyNames))
    if (propertyNames !== true && !this.#names) notice('"propertyNames" is not expressed')
  }

  /** The schema of a declared member, merged with that of the patterns that match its name. */
  named(name: string, schema: JsonValue): JsonValue {
    if (this.#patterns.length === 0 && !this.#names) return schema
    if (this.#names?.has(name) === false) return false
    const fitting = this.#patterns.filter(({ language }) => language.has(name)).map((one) => one.schema)
    return allOf([schema, ...fitting])
  }

  /** A member that the schema asks for and does not name. */
  unnamed(name: string, additional: JsonValue): JsonValue {
    const isFound = this.#patterns.some(({ language }) => language.has(name))
    if (this.#unevaluated.length > 0)
      return this.named(name, isFound ? true : { anyOf: [additional, ...this.#unevaluated] })
    return this.named(name, isFound ? true : additional)
  }

  /** All other members; `additional` is the schema of those that no pattern finds. */
  others(
    named: () => readonly string[],
    additional: JsonValue,
    notice: (what: string) => void,
  ): readonly OtherMembers[] {
    const free = this.#unevaluated.length > 0 ? { anyOf: [additional, ...this.#unevaluated] } : additional
    if (this.#patterns.length === 0 && !this.#names) return free === false ? [] : [{ names: undefined, schema: free }]
    const kinds = orUndefined(() => this.#kinds(named()))
    if (!kinds) {
      notice('the patterns of "patternProperties" are not expressed: any name is allowed')
      return [{ names: undefined, schema: { anyOf: [free, ...this.#patterns.map(({ schema }) => schema)] } }]
    }
    return kinds.flatMap(({ language, schemas }): OtherMembers[] => {
      const schema = schemas.length > 0 ? allOf(schemas) : free
      return schema === false ? [] : [{ names: language, schema }]
    })
  }

  /** The names by which of the patterns they fit. */
  #kinds(named: readonly string[]): { language: Language; schemas: readonly JsonValue[] }[] | undefined {
    const key = JSON.stringify([this.#patterns.map(({ pattern }) => pattern), this.#namesKey, named])
    const found = knownKinds.get(key) ?? this.#makeKinds(named)
    const states = found?.reduce((sum, { language }) => sum + language.states.length, 0) ?? 0
    if (found && key.length <= longestKey && states <= mostKnownStates) knownKinds.set(key, found)
    return found?.map(({ language, patterns }) => ({
      language,
      schemas: this.#patterns.filter((_, at) => patterns.includes(at)).map(({ schema }) => schema),
    }))
  }

  #makeKinds(named: readonly string[]): readonly NameKind[] | undefined {
    const all = (this.#names ?? Language.all).without(Language.of(named))
    let kinds: readonly NameKind[] = [{ language: all, patterns: [] }]
    for (const [at, { language }] of this.#patterns.entries()) {
      kinds = kinds
        .flatMap((kind) => [
          { language: kind.language.and(language), patterns: [...kind.patterns, at] },
          { language: kind.language.without(language), patterns: kind.patterns },
        ])
        .filter((kind) => !kind.language.isEmpty)
      if (kinds.length > mostKinds) return undefined
    }
    return kinds
  }
}

/** Names that fit the same patterns, which are given by their places. */
interface NameKind {
  language: Language
  patterns: readonly number[]
}

/** Results for names: the same names are requested in each combination of the schemas around them. */
const knownKinds = new RecentMap<string, readonly NameKind[]>(200)
const longestKey = 4000
const mostKnownStates = 1000

/** A schema for the values that all of them admit. */
export function allOf(schemas: readonly JsonValue[]): JsonValue {
  const saying = schemas.filter((one) => one !== true)
  if (saying.includes(false)) return false
  const [first = true] = saying
  return saying.length > 1 ? { allOf: [...saying] } : first
}
