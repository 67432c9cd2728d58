import { isJsonObject, type JsonObject } from '../../conversation/index.ts'
import type { Block } from '../../dialects/index.ts'
import { type ReasoningForm, thinkTags } from '../../dialects/index.ts'
import { type Pattern, type PatternLike, pattern, writePattern } from '../../grammar/index.ts'
import { callBlock, type Field, isToken } from './calls.ts'
import { anchored, branchesOf, type Delimiter, isEmpty, markerPattern, readDelimiter } from './marker.ts'
import { joined } from './pattern.ts'
import { readSchema } from './schema.ts'

/**
 * Reads the format of replies from a tokenizer config of Hugging Face: a `response_template`, version 1.
 *
 * The format, as Transformers (docs/source/en/chat_response_parsing.md, tests/utils/test_chat_parsing.py) and vLLM
 * (vllm/parser/chat_parsing) have it: `fields` are regions of the reply, each with `open` or `open_pattern` and `close` or
 * `close_pattern`, literals (one or a list) or Python expressions with named groups; a field that nothing opens takes what
 * no other has; one that nothing closes goes on to the end. `content` names the parser of what is inside, `text` where
 * nothing is said, with `content_args`: `json` (`unquoted_keys`, `string_delims`, `allow_non_json`), `xml-inline`
 * (`tag_pattern` with the groups `key` and `value`, `value_parser`, `merge_duplicates`), `kv-lines` (`line_sep`, `kv_sep`,
 * `value_parser`), `int`, `float`, `bool`. `transform` builds the result out of `{content}` and the named groups,
 * `transform_each` of each element of a list. `start_anchor` or `start_anchor_pattern` is where a reply begins in the
 * prompt. `repeats`, `join`, `optional` and `defaults` say how the result is put together, which readers know themselves.
 * The field for reasoning is `thinking`, or `reasoning_content` in TRL's templates and the newer ones on the hub.
 */
export interface ResponseFormat {
  type: 'format'
  /** Literal after which a reply begins. */
  header?: string
  reasoning: ReasoningForm[]
  /** The markers around text. */
  markers: PatternLike[]
  blocks: Block[]
  /** The parts of the source that are not in the format, in words. */
  unread: string[]
}

export type ResponseFormatResult = ResponseFormat | { type: 'none'; why: string }

const reasoningFields: readonly string[] = ['thinking', 'reasoning_content', 'reasoning']

/**
 * Returns the format of a `response_template`, or of the older `response_schema`, or the reason why there is none.
 * Never throws, for any value.
 *
 * @example
 * const found = parseResponseTemplate({ version: 1, fields: { content: { close: '<|end|>' } } })
 * if (found.type === 'none') console.error(found.why)
 */
export function parseResponseTemplate(spec: JsonObject): ResponseFormatResult {
  const { version = 1, fields } = spec
  if (version !== 1) return { type: 'none', why: `it is of version ${JSON.stringify(version)}` }
  const unread: string[] = []
  if (isJsonObject(fields)) {
    const found = Object.entries(fields).flatMap(([name, data]): [string, Field][] => {
      if (isJsonObject(data)) {
        return [[name, { open: readDelimiter(data, 'open'), close: readDelimiter(data, 'close'), data }]]
      }
      unread.push(`${name}: it is not an object`)
      return []
    })
    return formatOfFields(new Map(found), headerOf(spec, unread), unread)
  }
  const schema = readSchema(spec, unread)
  return schema ? formatOfFields(schema, undefined, unread) : { type: 'none', why: 'it has no fields' }
}

function formatOfFields(
  fields: ReadonlyMap<string, Field>,
  header: string | undefined,
  unread: string[],
): ResponseFormatResult {
  const format: ResponseFormat = { type: 'format', reasoning: [], markers: [], blocks: [], unread }
  if (header !== undefined) {
    format.header = header
    // gpt-oss begins each of its messages so.
    const marker = header.trim()
    if (isToken({ type: 'literal', text: marker })) format.markers.push(marker)
  }
  let hasRest = false
  for (const [name, field] of fields) {
    if (name === 'tool_calls') readCalls(field, format)
    else if (reasoningFields.includes(name)) readReasoning(name, field, format)
    else if (name === 'content') readContent(field, format)
    else if (name !== 'role') unread.push(`${name}: a reply has no such part`)
    hasRest ||= field.open === undefined
  }
  if (format.blocks.length + format.reasoning.length + format.markers.length === 0) {
    return { type: 'none', why: unread.join('; ') || 'it says nothing of reasoning, text or calls' }
  }
  format.markers = distinct(format.markers)
  if (!hasRest && fields.has('content')) unread.push('text outside of all fields is dropped there; here it stays text')
  return format
}

function readCalls(field: Field, format: ResponseFormat): void {
  const block = callBlock(field, format.unread)
  if (typeof block === 'string') format.unread.push(`tool_calls: ${block}`)
  else format.blocks.push(block)
}

function readReasoning(name: string, field: Field, format: ResponseFormat): void {
  const { unread } = format
  checkText(name, field, unread)
  const close = literalsOf(name, field.close, unread)
  const opened = patternsOf(name, field.open, unread).flatMap((opener): string[] => {
    const [before, literal] = splitEnd(opener)
    if (literal === '') {
      unread.push(`${name}: its beginning is not a literal`)
      return []
    }
    // The beginning of a message comes before the word for its kind.
    const marker = before && anchored(before)
    if (marker && isToken(marker)) format.markers.push(joined([marker, pattern.ahead(literal)]))
    return [literal]
  })
  const open = opened.length > 0 ? opened : close.flatMap(openerOf)
  if (open.length === 0) unread.push(`${name}: no field says where it begins`)
  for (const one of new Set(open)) format.reasoning.push(formOf(one, close))
}

function formOf(open: string, close: readonly string[]): ReasoningForm {
  const known = thinkTags.find((form) => form.open === open && close.length === 1 && form.close[0] === close[0])
  return known ?? { open, close, kind: /^<[A-Za-z][\w:.-]*>$/.test(open) ? 'tag' : 'special' }
}

/** Returns the opening tag that matches the closing tag of reasoning that the prompt has opened. */
function openerOf(close: string): string[] {
  const name = /^([<[])\/([\w:.|-]+[>\]])$/.exec(close)
  return name ? [`${name[1]}${name[2]}`] : []
}

function readContent(field: Field, format: ResponseFormat): void {
  checkText('content', field, format.unread)
  for (const pattern of [
    ...patternsOf('content', field.open, format.unread),
    ...patternsOf('content', field.close, format.unread),
  ]) {
    const marker = anchored(pattern)
    if (marker && isToken(marker)) format.markers.push(marker.type === 'literal' ? marker.text : marker)
    else format.unread.push(`content: ${JSON.stringify(writePattern(pattern, {}))} around it is not a marker`)
  }
}

function checkText(name: string, { data }: Field, unread: string[]): void {
  const kind = data.content ?? 'text'
  if (kind !== 'text') unread.push(`${name}: it is ${JSON.stringify(kind)}; here it is text`)
  if (data.transform !== undefined && data.transform !== null) unread.push(`${name}: its transform`)
}

/** The alternatives of a delimiter that hold something. */
function patternsOf(name: string, delimiter: Delimiter, unread: string[]): readonly Pattern[] {
  if (!delimiter) return []
  const pattern = delimiter.type === 'error' ? delimiter : markerPattern(delimiter.node)
  if (pattern.type !== 'error') return branchesOf(pattern).filter((one) => !isEmpty(one))
  unread.push(`${name}: ${pattern.why}`)
  return []
}

function literalsOf(name: string, delimiter: Delimiter, unread: string[]): string[] {
  return patternsOf(name, delimiter, unread).flatMap((pattern) => {
    const [, literal] = splitEnd(pattern)
    if (literal === '') unread.push(`${name}: its end is not a literal`)
    return literal === '' ? [] : [literal]
  })
}

/** A pattern up to the literal at its end, and that. */
function splitEnd(pattern: Pattern): [before: Pattern | undefined, literal: string] {
  if (pattern.type === 'literal') return [undefined, pattern.text]
  if (pattern.type !== 'sequence') return [pattern, '']
  const last = pattern.of.at(-1)
  const before = pattern.of.slice(0, -1)
  return last?.type === 'literal'
    ? [before.length > 0 ? required(joined(before)) : undefined, last.text]
    : [pattern, '']
}

/** An optional pattern, as its own marker. */
function required(pattern: Pattern): Pattern {
  if (pattern.type === 'optional') return pattern.of
  if (pattern.type !== 'sequence') return pattern
  const [first, ...rest] = pattern.of
  return first ? joined([required(first), ...rest]) : pattern
}

function headerOf(spec: JsonObject, unread: string[]): string | undefined {
  const anchor = spec.start_anchor
  const literal = Array.isArray(anchor) ? anchor[0] : anchor
  if (typeof literal === 'string' && literal !== '') return literal
  const delimiter = readDelimiter(spec, 'start_anchor')
  if (!delimiter) return undefined
  const pattern = delimiter.type === 'error' ? delimiter : markerPattern(delimiter.node)
  if (pattern.type !== 'error') return writePattern(pattern, {}) || undefined
  unread.push(`start_anchor: ${pattern.why}`)
  return undefined
}

function distinct(markers: readonly PatternLike[]): PatternLike[] {
  return [...new Map(markers.map((marker) => [JSON.stringify(marker), marker])).values()]
}
