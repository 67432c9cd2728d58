import { unescapeJson } from '../literals.ts'
import { type SchemaTypes, types } from '../typed/schema-types.ts'
import { typeText } from '../typed/typing.ts'

/** A member with a complete value that may be the first of several that form an array. */
export class WithheldMember {
  readonly key: string
  readonly schemaTypes: SchemaTypes
  /** The offset at which its value was read. */
  readonly offset: number
  /** The offset at which the same key was repeated, until its value comes. */
  again: number | undefined
  readonly #values: string[]

  constructor(key: string, schemaTypes: SchemaTypes, offset: number, value: string) {
    this.key = key
    this.schemaTypes = schemaTypes
    this.offset = offset
    this.#values = [value]
  }

  add(value: string): void {
    this.again = undefined
    this.#values.push(value)
  }

  get isList(): boolean {
    return this.#values.length > 1
  }

  /** The value as JSON text. If the schema has a list, each of several values may have been read as one already. */
  get json(): string {
    if (!this.isList) return this.#values.join('')
    const parts = this.schemaTypes.untyped
      ? this.#values
      : this.#values.map((value) => asItems(value, this.schemaTypes.item))
    return `[${parts.filter((part) => part !== '').join(',')}]`
  }
}

function asItems(json: string, item: SchemaTypes): string {
  // By itself it was no list, and so taken for a string.
  if (json.startsWith('"') && !item.allows(types.string)) return typeText(unescapeJson(json.slice(1, -1)), item).json
  return json.startsWith('[') ? json.slice(1, -1).trim() : json
}
