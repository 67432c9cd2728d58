import { jsonNumber, literalWords } from '../literals.ts'
import { readWhole, repairJson } from '../read/whole.ts'
import { compact } from '../text.ts'
import { type Element, readMarkup } from './markup.ts'
import { type SchemaTypes, typeOf, types } from './schema-types.ts'

/** The beginning of a list of quoted strings or of numbers without brackets. */
const looseList = /^(?:"(?:[^"\\]|\\.){0,1000}"|-?[0-9][0-9.eE+-]{0,40})\s{0,100},\s{0,100}["0-9-]/

/** The other types that these words may have. */
const otherThanBoolean = types.string | types.number | types.integer

/** Words for a boolean that are no JSON literals: those of YAML and forms. */
const truthWords: ReadonlyMap<string, string> = new Map([
  ['yes', 'true'],
  ['on', 'true'],
  ['1', 'true'],
  ['no', 'false'],
  ['off', 'false'],
  ['0', 'false'],
])

/** A value written as text, in the type that its schema wants. */
export interface TypedText {
  /** The value as JSON text. */
  json: string
  /** The deviation that was repaired. Absent if there was none. */
  problem?: string
}

/**
 * Converts bare text, as in `<parameter name="n">5</parameter>`, to a value of the type that its schema wants. If only
 * a string fits, the text is unchanged, even if it looks like JSON. Big integers keep all digits. If a string is one of
 * several types, JSON is read as JSON, and a JSON string loses its quotes. Without a schema, white space around the
 * text is removed. `isPrinted`: lists and objects may be as Python prints them, without being a problem.
 */
export function typeText(text: string, schemaTypes: SchemaTypes, isPrinted: boolean = false): TypedText {
  if (schemaTypes.isString) return { json: JSON.stringify(text) }
  const trimmed = text.trim()
  const literal = typeLiteral(trimmed, schemaTypes)
  if (literal !== undefined) return { json: literal }
  const truth = schemaTypes.allows(otherThanBoolean) ? undefined : truthWords.get(trimmed.toLowerCase())
  if (truth !== undefined && schemaTypes.allows(types.boolean))
    return { json: truth, problem: 'another word for a boolean' }
  if (/^[[{]/.test(trimmed) && schemaTypes.allows(types.object | types.array)) {
    const structure = typeStructure(trimmed, schemaTypes, isPrinted)
    if (structure) return structure
  }
  if (!schemaTypes.allows(types.string)) {
    const list = schemaTypes.allows(types.array) ? typeLooseList(trimmed) : undefined
    if (list) return list
    const elements = trimmed.startsWith('<') ? typeMarkup(trimmed, schemaTypes) : undefined
    if (elements) return { ...elements, problem: elements.problem ?? 'elements, although the schema has JSON' }
  }
  const inner = unquote(trimmed)
  if (schemaTypes.allows(types.string)) return { json: JSON.stringify(inner ?? (schemaTypes.untyped ? trimmed : text)) }
  if (inner !== undefined) {
    const typed = typeText(inner, schemaTypes, isPrinted)
    return { ...typed, problem: 'a quoted value, although the schema has another type' }
  }
  // A missing value is closer to the model's intention than a text of that word.
  if (trimmed === 'null' || trimmed === 'None')
    return { json: 'null', problem: 'no value, although the schema requires one' }
  return { json: JSON.stringify(text), problem: 'text that does not fit the type in the schema' }
}

/** The first characters of a text that may be another value than a string, or a string in quotes. */
const otherStart = /^["[{0-9-]|^[tfnTFN]/

/**
 * Returns true if `typeText` returns the text itself, as a string. A text of megabytes is compared as it is, not as JSON.
 */
export function isTypedAsItself(text: string, schemaTypes: SchemaTypes): boolean {
  const trimmed = text.trim()
  const isString = schemaTypes.isString || (schemaTypes.allows(types.string) && !otherStart.test(trimmed))
  if (!isString) return typeText(text, schemaTypes).json === JSON.stringify(text)
  return !schemaTypes.untyped || trimmed.length === text.length
}

/** Returns a number, boolean or null that the schema allows, as JSON text. */
function typeLiteral(text: string, schemaTypes: SchemaTypes): string | undefined {
  // `month=07`: if no string fits, leading zeros mean nothing. LFM2 writes such numbers.
  const number = schemaTypes.allows(types.string) ? text : text.replace(/^(-?)0+(?=[0-9])/, '$1')
  if (jsonNumber.test(number)) {
    if (schemaTypes.allows(types.number)) return number
    if (!schemaTypes.allows(types.integer)) return undefined
    return isInteger(number) ? number : undefined
  }
  // If no string fits, `TRUE` is a literal too.
  const literal =
    literalWords.get(schemaTypes.allows(types.string) ? text : text.toLowerCase()) ?? literalWords.get(text)
  if (literal === undefined) return undefined
  // Without a schema, only JSON's spelling is a literal: `None` may be a word.
  if (schemaTypes.untyped) return literal === text ? literal : undefined
  return schemaTypes.allows(literal === 'null' ? types.null : types.boolean) ? literal : undefined
}

/** `5`, and also `5.0` and `5e2`, which JSON schema counts as integers. */
function isInteger(text: string): boolean {
  return /^-?[0-9]+$/.test(text) || Number.isInteger(Number(text))
}

function typeStructure(text: string, schemaTypes: SchemaTypes, isPrinted: boolean): TypedText | undefined {
  const parsed = parse(text)
  if (parsed !== undefined) return schemaTypes.allows(typeOf(parsed)) ? { json: text } : undefined
  // If a string fits as well, text that is not quite JSON is a string: `[INFO]` is not a list.
  if (schemaTypes.allows(types.string)) return undefined
  // Strings in single quotes are Python's, with its escapes.
  const read = readWhole(text, compact, isPrinted || /[[{,:]\s*'/.test(text) ? { python: true } : {})
  const repaired = read && parse(read.json)
  if (!read || repaired === undefined || !schemaTypes.allows(typeOf(repaired))) return undefined
  const { json, isRepaired } = read
  return isPrinted && !isRepaired ? { json } : { json, problem: 'JSON that had to be repaired' }
}

/**
 * A list without its brackets. Applies only to values with visible limits: objects, quoted strings and numbers, two or
 * more.
 */
function typeLooseList(text: string): TypedText | undefined {
  const isList = text.startsWith('{') || looseList.test(text)
  const json = isList ? repairJson(`[${text}]`) : undefined
  const values = json === undefined ? undefined : parse(json)
  if (json === undefined || !Array.isArray(values) || values.length < 2) return undefined
  const first = typeOf(values[0])
  const isUniform = values.every((value) => typeOf(value) === first)
  return isUniform ? { json, problem: 'a list without its brackets' } : undefined
}

/** Elements that only pages have: data has no such names. */
const html = /^(?:html|body|div|span|p|h[1-6]|[ou]l|li|table|t[rdh]|svg|br|script)$/i

/**
 * Gives a value that is written as elements, `<city>Paris</city><days>3</days>` or `<item>a</item><item>b</item>`, the
 * object or the array that its schema expects, at any depth. Elements that all have the same name are an array if one
 * fits; so are those named `item`. Undefined when the text is anything else, or the schema has no place for it.
 */
export function typeMarkup(text: string, schemaTypes: SchemaTypes): TypedText | undefined {
  const root = readMarkup(text)
  // Nothing is known of the argument: a page is a text, whatever could be made of its elements.
  if (schemaTypes.untyped && root?.children.some(({ name }) => html.test(name))) return undefined
  return root && schemaTypes.allows(types.object | types.array) ? typeElement(root, schemaTypes) : undefined
}

function typeElement(element: Element, schemaTypes: SchemaTypes): TypedText | undefined {
  const { children } = element
  if (schemaTypes.isString) return { json: JSON.stringify(children.length > 0 ? element.source : element.text) }
  if (children.length === 0) return typeLeaf(element.text, schemaTypes)
  if (element.text.trim() !== '') return undefined
  const isListAlone = schemaTypes.allows(types.array) && !schemaTypes.allows(types.object)
  if (isListAlone && isOneObject(children, schemaTypes.item)) {
    const only = typeMembers(children, schemaTypes.item)
    return only && { ...only, json: `[${only.json}]` }
  }
  if (schemaTypes.allows(types.array) && isListOf(children, schemaTypes)) return typeItems(children, schemaTypes.item)
  return schemaTypes.allows(types.object) ? typeMembers(children, schemaTypes) : undefined
}

function typeLeaf(text: string, schemaTypes: SchemaTypes): TypedText {
  // An element with nothing in it is the empty value of its type.
  if (text.trim() === '' && !schemaTypes.allows(types.string)) {
    if (schemaTypes.allows(types.array)) return { json: '[]' }
    if (schemaTypes.allows(types.object)) return { json: '{}' }
  }
  return typeText(text, schemaTypes)
}

function typeItems(elements: readonly Element[], schemaTypes: SchemaTypes): TypedText | undefined {
  const items: string[] = []
  let problem: string | undefined
  for (const element of elements) {
    const item = typeElement(element, schemaTypes)
    if (!item) return undefined
    problem ??= item.problem
    items.push(item.json)
  }
  const json = `[${items.join(',')}]`
  return problem === undefined ? { json } : { json, problem }
}

/** Returns true if elements are the items of a list: they have the common name for items, or only a list fits. */
function isListOf(children: readonly Element[], schemaTypes: SchemaTypes): boolean {
  const name = children[0]?.name
  if (children.some((child) => child.name !== name)) return false
  return name === 'item' || !schemaTypes.allows(types.object)
}

/**
 * Returns true if elements in place of a list are the members of its only object, `<file><path>a</path></file>`: their names differ, or one
 * has text where each item must be an object.
 */
function isOneObject(children: readonly Element[], item: SchemaTypes): boolean {
  if ((item.types & ~types.null) !== types.object) return false
  const name = children[0]?.name
  return children.some((child) => child.name !== name || (child.children.length === 0 && child.text.trim() !== ''))
}

function typeMembers(children: readonly Element[], schemaTypes: SchemaTypes): TypedText | undefined {
  const groups = new Map<string, Element[]>()
  for (const child of children) {
    const group = groups.get(child.name)
    if (group) group.push(child)
    else groups.set(child.name, [child])
  }
  const members: string[] = []
  let problem: string | undefined
  for (const [name, group] of groups) {
    const value = typeGroup(group, schemaTypes.property(name))
    if (!value) return undefined
    problem ??= value.problem
    members.push(`${JSON.stringify(name)}:${value.json}`)
  }
  const json = `{${members.join(',')}}`
  return problem === undefined ? { json } : { json, problem }
}

/** Elements of one name within an object: several are an array if one fits, otherwise the last counts. */
function typeGroup(group: readonly Element[], schemaTypes: SchemaTypes): TypedText | undefined {
  const last = group.at(-1)
  if (group.length > 1 && schemaTypes.allows(types.array)) return typeItems(group, schemaTypes.item)
  return last && typeElement(last, schemaTypes)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON: that is the answer, not a failure.
    return undefined
  }
}

/** The text of a JSON string literal that is the whole of `text`, on one line. */
export function unquote(text: string): string | undefined {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"') || text.includes('\n')) return undefined
  const value = parse(text)
  return typeof value === 'string' ? value : undefined
}
