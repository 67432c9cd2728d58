import {
  escapeText,
  JsonReader,
  type JsonSink,
  type JsonStyle,
  JsonText,
  nestsDeeper,
  repairJson,
  SchemaTypes,
  sidesOf,
  spaced,
  typeMarkup,
  unescapeJson,
} from '../../json/index.ts'
import { isNullableString, isReadAsItIs } from '../read/values/tagged-value.ts'
import type { Value } from '../tree/expression.ts'

const stringShape: SchemaTypes = SchemaTypes.of({ type: 'string' })

/** A member of an object, its value as JSON text. Of a string its text is there too if it is known: to decode 15 MB again takes 60 ms. */
export type WrittenMember = readonly [key: string, json: string, text?: string]

export function memberObject(members: readonly WrittenMember[]): string {
  return `{${members.map(([key, json]) => `${JSON.stringify(key)}: ${json}`).join(', ')}}`
}

/** The type of a value that is given as JSON text, as JSON schema names it. */
export function jsonTypeOf(json: string): 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'object' | 'array' {
  switch (json[0]) {
    case '"':
      return 'string'
    case '{':
      return 'object'
    case '[':
      return 'array'
    case 't':
    case 'f':
      return 'boolean'
    case 'n':
      return 'null'
    default:
      return /^-?[0-9]+$/.test(json) ? 'integer' : 'number'
  }
}

/** JSON text in the style of a format; with `hasEntities` its strings are such that decoding entities gives them back. */
export function writeJson(json: string, style: JsonStyle, hasEntities: boolean = false): string {
  const [delimiter] = style.delimiters ?? []
  const isPlain = !style.python && !style.singleQuotes && delimiter === undefined
  if (isPlain && !(hasEntities && json.includes('&'))) return json
  const sink = new StyledText(style, hasEntities)
  new JsonReader(sink).read(json, 0, true)
  return sink.text
}

/** The beginning of an entity that would be decoded. */
const anyEntity = /&(?=(?:lt|gt|amp|quot|apos);)/g

export const pythonLiterals: ReadonlyMap<string, string> = new Map([
  ['true', 'True'],
  ['false', 'False'],
  ['null', 'None'],
])
/** A key that may be written without quotes. */
const plainKey = /^[A-Za-z_]\w*$/

/** Writes JSON events in a format's notation. */
class StyledText implements JsonSink {
  text = ''
  readonly #style: JsonStyle
  readonly #hasEntities: boolean
  readonly #delimiter: readonly [open: string, close: string] | undefined
  readonly #out: JsonText
  #string = ''
  /** The key that is being written, as JSON and in the style. */
  #key: { json: string; written: string } | undefined

  constructor(style: JsonStyle, hasEntities: boolean) {
    this.#style = style
    this.#hasEntities = hasEntities
    const [delimiter] = style.delimiters ?? []
    this.#delimiter = delimiter === undefined ? undefined : sidesOf(delimiter)
    const spacing = this.#delimiter === undefined ? spaced : { comma: ',', colon: ':' }
    this.#out = new JsonText((piece) => {
      this.text += this.#key ? piece.replace(this.#key.json, () => this.#key?.written ?? '') : piece
    }, spacing)
  }

  openObject(): void {
    this.#out.openObject()
  }

  closeObject(): void {
    this.#out.closeObject()
  }

  openArray(): void {
    this.#out.openArray()
  }

  closeArray(): void {
    this.#out.closeArray()
  }

  key(key: string): void {
    const json = JSON.stringify(key)
    // Between delimiters, keys are written without quotes if possible.
    const isPlain = this.#delimiter !== undefined && plainKey.test(key)
    this.#key = { json, written: isPlain ? key : this.#quote(json.slice(1, -1)) }
    this.#out.key(key)
    this.#key = undefined
  }

  openString(): void {
    this.#string = ''
  }

  stringPiece(json: string): void {
    this.#string += json
  }

  closeString(): void {
    this.#out.literal(this.#quote(this.#hasEntities ? this.#string.replace(anyEntity, '&amp;') : this.#string))
  }

  literal(json: string): void {
    this.#out.literal((this.#style.python ? pythonLiterals.get(json) : undefined) ?? json)
  }

  repaired(): void {}

  /** A string, given as the content of a JSON string. */
  #quote(content: string): string {
    const delimiter = this.#delimiter
    if (delimiter !== undefined) {
      // Text between delimiters has no escapes: text that contains a delimiter, or would form one, is written in
      // quotes.
      const text = unescapeJson(content)
      const [open, close] = delimiter
      const isHeld = `${text}${close}`.indexOf(close) < text.length
      return isHeld ? `"${content}"` : `${open}${text}${close}`
    }
    if (!this.#style.singleQuotes || content.includes("'")) return `"${content}"`
    return `'${content.replace(/\\(.)/g, (pair, char) => (char === '"' ? '"' : pair))}'`
  }
}

/**
 * A value as the text between its markers, without the closing one. If a marker before it names the type string, it is
 * a string, even if the schema names no type.
 */
export function writeText(format: Value, member: WrittenMember, shape: SchemaTypes, saysType: boolean): string {
  const [key, json] = member
  const elements = format.encoding === 'markup' ? writeElements(json, key, shape, format) : undefined
  const plain = format.encoding !== 'json' && json.startsWith('"') ? writeString(format, member, shape, saysType) : json
  const text = elements ?? (format.entities ? escapeEntities(plain) : plain)
  if (format.trim === 'none') return text
  return format.lines ? `\n${text}${text.endsWith('\r') ? '\r' : ''}\n` : guarded(text)
}

function escapeEntities(text: string): string {
  return text.replace(/[&<>]/g, (char) => entities.get(char) ?? char)
}

const entities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
])

/** Doubles line breaks at the ends of a value: those next to the markers belong to the markers. */
function guarded(text: string): string {
  return /^\r?\n/.test(text) ? `\n${text}${text.endsWith('\n') ? '\n' : ''}` : text
}

function writeString(format: Value, [, json, known]: WrittenMember, shape: SchemaTypes, saysType: boolean): string {
  const text = known ?? unescapeJson(json.slice(1, -1))
  const isText = shape.untyped && saysType
  // A string that begins like a CDATA section would be read as one; entities hide it.
  const mayBeMarkup = format.encoding === 'markup' && !shape.isString && !isNullableString(shape)
  const isMarkup = mayBeMarkup && /^\s*</.test(text)
  if (!format.entities && (isMarkup || /^\s*<!\[CDATA\[/.test(text))) return `"${escapeText(text)}"`
  return isReadAsItIs(text, isText ? stringShape : shape, format.keepsQuotes) ? text : JSON.stringify(text)
}

const elementName = /^[A-Za-z_][\w.-]*$/

const deepestElements = 200

/** An object or a list as elements; undefined for other values, and if elements would be read as another value. */
function writeElements(
  json: string,
  key: string,
  shape: SchemaTypes,
  { tagPrefix, entities: isEscaped }: Value,
): string | undefined {
  if (!/^[[{]/.test(json)) return undefined
  const value: unknown = JSON.parse(json)
  const written = nestsDeeper(value, deepestElements) ? undefined : elementsOf(value)
  const read = written === undefined || written === '' ? undefined : typeMarkup(written, shape)
  // An element that is named like the argument would end it.
  if (written?.toLowerCase().includes(`</${key.toLowerCase()}>`)) return undefined
  // Large integers lose digits, and then the value that is read differs.
  if (written === undefined || read?.json !== repairJson(json) || read?.problem !== undefined) return undefined
  const prefixed = tagPrefix === '' ? written : written.replace(/<(?=\/?[A-Za-z_])/g, () => `${tagPrefix}<`)
  return isEscaped || !json.includes(tagPrefix) || tagPrefix === '' ? prefixed : undefined
}

/**
 * Returns the elements for the content of a list or an object. Undefined if a name is not valid, or text would need an
 * escape.
 */
function elementsOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return joined(value.map((item) => elementOf('item', item)))
  if (typeof value === 'object' && value !== null) {
    return joined(Object.entries(value).map(([key, member]) => elementOf(key, member)))
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /[<>&]/.test(text) ? undefined : text
}

function elementOf(name: string, value: unknown): string | undefined {
  const inner = elementsOf(value)
  return inner === undefined || !elementName.test(name) ? undefined : `<${name}>${inner}</${name}>`
}

function joined(parts: readonly (string | undefined)[]): string | undefined {
  return parts.every((part) => part !== undefined) ? parts.join('') : undefined
}
