import {
  type ArgumentWriter,
  isTypedAsItself,
  SchemaTypes,
  type TypedText,
  typeMarkup,
  types,
  typeText,
  unquote,
  writeEscaped,
} from '../../../json/index.ts'
import { LiteralScan } from '../../scan/literal-scan.ts'
import { decodeEntities, EntityDecoder } from '../../tree/entities.ts'
import type { TypeWords, Value } from '../../tree/expression.ts'

/** The types that models declare for a value, regardless of the prompt. */
const declaredTypes: ReadonlyMap<string, SchemaTypes> = new Map([
  ...['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'].map(
    (type) => [type, SchemaTypes.of({ type })] as const,
  ),
  // `string="true"`
  ['true', SchemaTypes.of({ type: 'string' })],
])
/** Words for null, if the schema allows null beside a string. */
const nullWords: readonly string[] = ['null', 'None']

/** The notation of the value. */
type Written = Pick<Value, 'encoding' | 'entities' | 'tagPrefix' | 'typeWords' | 'keepsQuotes' | 'pythonWords'>

/** The text before the value. */
interface Opening {
  /** The type that the marker declares. It counts if the schema names no type. */
  type: string | undefined
  /** True in a CDATA section: all characters belong to the value, without entities. */
  isVerbatim: boolean
}

/**
 * One value between tags, written into the arguments in the type of the schema. A string streams; a value that must be
 * complete before its type is known is held.
 */
export class TaggedValue {
  readonly #schemaTypes: SchemaTypes
  readonly #writer: ArgumentWriter
  readonly #written: Written
  readonly #isVerbatim: boolean
  readonly #hasEntities: boolean
  readonly #problem: (message: string) => void
  readonly #scan: LiteralScan
  readonly #entities: EntityDecoder | undefined
  /** Quotes belong to a string, unless the marker before it names another type than string. */
  readonly #keepsQuotes: boolean
  #mode: 'streaming' | 'undecided' | 'held'
  #held: string[] = []

  constructor(
    writer: ArgumentWriter,
    written: Written,
    { type, isVerbatim }: Opening,
    problem: (message: string) => void,
  ) {
    const declared = type === undefined ? undefined : declaredShape(type, written.typeWords)
    this.#schemaTypes = writer.schemaTypes.untyped && declared ? declared : writer.schemaTypes
    this.#writer = writer
    const { other } = written.typeWords
    this.#keepsQuotes = written.keepsQuotes === true && (other === undefined || type?.toLowerCase() !== other)
    this.#written = written
    this.#isVerbatim = isVerbatim
    this.#hasEntities = written.entities && !isVerbatim
    this.#problem = problem
    this.#scan = new LiteralScan(isNullableString(this.#schemaTypes) ? nullWords : [])
    const isString = this.#schemaTypes.isString || isNullableString(this.#schemaTypes)
    this.#mode = isString ? 'undecided' : 'held'
    // Elements are decoded one by one, when the held text is complete.
    this.#entities = this.#hasEntities && this.#mode !== 'held' ? new EntityDecoder() : undefined
  }

  push(piece: string): void {
    this.#push(this.#entities ? this.#entities.push(piece) : piece)
  }

  #push(text: string): void {
    if (text === '') return
    if (this.#mode === 'streaming') {
      writeEscaped(text, this.#writer)
      return
    }
    this.#held.push(text)
    if (this.#mode === 'undecided' && !this.#scan.push(text)) this.#stream()
  }

  end(): void {
    if (this.#entities) this.#push(this.#entities.end())
    if (this.#mode === 'streaming') {
      this.#writer.closeString()
      return
    }
    const text = this.#held.join('')
    if (this.#mode === 'held') {
      const typed = this.#typeHeld(text)
      if (typed.problem !== undefined) this.#problem(typed.problem)
      this.#writer.typedValue(typed.json)
      return
    }
    this.#endUnstreamed(text)
  }

  /** Writes a string, or null if that is allowed. Models that have seen much JSON quote a string between tags as well. */
  #endUnstreamed(text: string): void {
    const trimmed = text.trim()
    const isNull = isNullableString(this.#schemaTypes) && nullWords.includes(trimmed)
    const inner = unquote(trimmed)
    const isQuoted = inner !== undefined && !(this.#keepsQuotes && isReadAsItIs(inner, this.#schemaTypes, true))
    if (isQuoted && this.#written.encoding !== 'json')
      this.#problem('a quoted string between tags, taken without its quotes')
    this.#writer.typedValue(isNull ? 'null' : JSON.stringify(isQuoted ? inner : text))
  }

  #typeHeld(text: string): TypedText {
    const { encoding, tagPrefix, pythonWords } = this.#written
    const schemaTypes = this.#schemaTypes
    const trimmed = (tagPrefix === '' ? text : text.replaceAll(tagPrefix, '')).trim()
    if (encoding === 'markup') {
      // A list or an object of nothing is written as nothing.
      if (trimmed === '' && !schemaTypes.allows(types.string)) {
        if (schemaTypes.allows(types.array)) return { json: '[]' }
        if (schemaTypes.allows(types.object)) return { json: '{}' }
      }
      const typed = trimmed.startsWith('<') ? this.#typeElements(text, trimmed) : undefined
      if (typed) return typed
    }
    const isMarkup = trimmed.startsWith('<')
    const typed = typeText(this.#hasEntities && !isMarkup ? decodeEntities(text) : text, schemaTypes, pythonWords)
    return this.#isVerbatim && typed.json === JSON.stringify(text.trim())
      ? { ...typed, json: JSON.stringify(text) }
      : typed
  }

  /** `plain` is the text without the part before its tags. */
  #typeElements(text: string, plain: string): TypedText | undefined {
    const { tagPrefix } = this.#written
    if (tagPrefix === '') return typeMarkup(plain, this.#schemaTypes)
    // Tags without the prefix are text, unless the schema has elements and the model left the prefix out.
    if (!text.includes(tagPrefix)) return this.#schemaTypes.untyped ? undefined : typeMarkup(plain, this.#schemaTypes)
    return typeMarkup(markupOf(text, tagPrefix).trim(), this.#schemaTypes) ?? typeMarkup(plain, this.#schemaTypes)
  }

  #stream(): void {
    this.#mode = 'streaming'
    const text = this.#held.join('')
    this.#held = []
    this.#writer.openString()
    writeEscaped(text, this.#writer)
  }
}

/** Returns the markup with only those tags that have the prefix. Other tags become text. */
function markupOf(text: string, tagPrefix: string): string {
  const [before = '', ...tags] = text.split(tagPrefix)
  const escaped = tags.map((tag) => tag.slice(0, 1) + tag.slice(1).replaceAll('<', '&lt;'))
  return before.replaceAll('<', '&lt;') + escaped.join('')
}

/** Returns the types of a value with a type in its marker. Undefined if the marker names no type. */
function declaredShape(type: string, words: TypeWords): SchemaTypes | undefined {
  const word = type.toLowerCase()
  const meant = Object.entries(words).find(([, written]) => written === word)?.[0]
  return declaredTypes.get(word) ?? declaredTypes.get(meant ?? '')
}

/**
 * Returns true if a string that is written unchanged between tags would be read as that string. If quotes are kept, only
 * those are removed that hide a string which would not be.
 */
export function isReadAsItIs(value: string, schemaTypes: SchemaTypes, keepsQuotes: boolean = false): boolean {
  const isNullable = isNullableString(schemaTypes)
  if (!schemaTypes.isString && !isNullable) return isTypedAsItself(value, schemaTypes)
  const trimmed = value.trim()
  if (isNullable && nullWords.includes(trimmed)) return false
  if (keepsQuotes && trimmed.startsWith('<![CDATA[')) return false
  const unquoted = unquote(trimmed)
  return unquoted === undefined || (keepsQuotes && isReadAsItIs(unquoted, schemaTypes, true))
}

/** Returns true for a schema of strings or null alone. */
export function isNullableString(schemaTypes: SchemaTypes): boolean {
  return schemaTypes.types === (types.string | types.null)
}
