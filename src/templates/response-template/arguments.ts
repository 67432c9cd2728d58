import { isJsonObject, type JsonObject, type JsonValue } from '../../conversation/index.ts'
import {
  type Expression,
  jsonValue,
  type Pattern,
  pattern,
  repeat,
  sequence,
  token,
  value,
} from '../../grammar/index.ts'
import type { JsonStyle } from '../../json/index.ts'
import { isEmpty, trimmedPattern } from './marker.ts'
import { joined, translate } from './pattern.ts'
import { parseRegex, type RegexNode } from './regex.ts'

export interface ArgumentsTree {
  tree: Expression
  /** The beginning of an argument, without its key. */
  start: Pattern
}

/** The delimiters of strings: own ones, `<|"|>`, or in single quotes. */
export function jsonStyle(args: JsonValue | undefined, unread: string[]): JsonStyle {
  const pairs = isJsonObject(args) && Array.isArray(args.string_delims) ? args.string_delims : []
  const delimiters: string[] = []
  let singleQuotes = false
  for (const pair of pairs) {
    const [open, close] = Array.isArray(pair) ? pair : []
    if (typeof open !== 'string' || open === '' || open.length > 64) continue
    if (open === "'") singleQuotes = true
    else if (open !== close) unread.push(`strings between ${open} and ${JSON.stringify(close)}`)
    else if (open !== '"') delimiters.push(open)
  }
  return { ...(delimiters.length > 0 && { delimiters }), ...(singleQuotes && { singleQuotes }) }
}

/** Arguments as tags in a row, each found by `tag_pattern` with the groups `key` and `value`. */
export function inlineArguments(args: JsonObject, unread: string[]): ArgumentsTree | string {
  if (typeof args.tag_pattern !== 'string') return 'it has no tag_pattern'
  const parsed = parseRegex(args.tag_pattern)
  if (parsed.type === 'error') return `its tag_pattern cannot be read: ${parsed.why}`
  const parts = parsed.node.type === 'sequence' ? parsed.node.of : [parsed.node]
  const at = parts.findIndex((part) => part.type === 'group' && part.name === 'value')
  const held = parts[at]
  if (!held || !parts.slice(0, at).some((part) => part.type === 'group' && part.name === 'key'))
    return 'its tag_pattern has no key with a value after it'
  const names = new Map([['key', 'key' as const]])
  const [before, after] = [parts.slice(0, at), parts.slice(at + 1)].map((of) =>
    translate({ type: 'sequence', of }, names),
  )
  if (before?.type !== 'pattern') return `its tag_pattern cannot be used: ${before?.why}`
  if (after?.type !== 'pattern') return `its tag_pattern cannot be used: ${after?.why}`
  const open = trimmedPattern(before.pattern)
  const close = trimmedPattern(after.pattern)
  const parser = isJsonObject(args.value_parser) ? args.value_parser : {}
  const style = jsonStyle(parser.args, unread)
  if (args.merge_duplicates === true) unread.push('arguments that come several times are not made lists')
  const start = untilKey(open)
  if (isEmpty(close)) {
    // `city='Paris'`: the value itself has an end. The separator is not defined.
    const argument = sequence(token(open), jsonValue({ ...style, python: true }))
    return {
      tree: repeat(argument, pattern.sequence(pattern.space(), ',', pattern.space(' '))),
      start: start ?? pattern.capture('key', '\\w'),
    }
  }
  if (!start) return 'its tags do not begin with anything but the key'
  const own = value(close, {
    trim: isTrimmed(parts, at, parser) ? 'line' : 'none',
    lines: hasLines(parts, at),
    encoding: encodingOf(parser),
  })
  return { tree: repeat(sequence(token(pattern.space(), open), own)), start }
}

/** The part of a tag before its key; undefined if the tag begins with the key. */
function untilKey(open: Pattern): Pattern | undefined {
  if (open.type !== 'sequence') return undefined
  const of = open.of.slice(
    0,
    open.of.findIndex(({ type }) => type === 'capture'),
  )
  return of.some(({ type }) => type === 'literal') ? joined(of) : undefined
}

/** True if white space around values is removed by JSON's parser, or by the expression, outside of the group. */
function isTrimmed(parts: readonly RegexNode[], at: number, parser: JsonObject): boolean {
  const name = parser.name ?? 'raw'
  return name !== 'raw' || isSpace(parts[at - 1]) || isSpace(parts[at + 1])
}

function isSpace(node: RegexNode | undefined): boolean {
  if (node?.type === 'repeat') return isSpace(node.of)
  return (node?.type === 'literal' && node.text.trim() === '') || (node?.type === 'set' && node.set === '\\s')
}

function hasLines(parts: readonly RegexNode[], at: number): boolean {
  const isLine = (node: RegexNode | undefined): boolean =>
    node?.type === 'repeat' ? isLine(node.of) : node?.type === 'literal' && node.text === '\n'
  return isLine(parts[at - 1]) && isLine(parts[at + 1])
}

/** JSON that may be missing is text that is typed by the schema, as by default. */
function encodingOf({ name, args }: JsonObject): 'text' | 'json' {
  return name === 'json' && !(isJsonObject(args) && args.allow_non_json === true) ? 'json' : 'text'
}

/** Arguments as lines, `city: Paris`. */
export function lineArguments(args: JsonObject, end: Pattern | undefined): ArgumentsTree {
  const text = (of: JsonValue | undefined, otherwise: string) =>
    typeof of === 'string' && of.trim() + of !== '' && of.length <= 16 ? of : otherwise
  const between = text(args.line_sep, '\n')
  const colon = text(args.kv_sep, ':')
  const parser = isJsonObject(args.value_parser) ? args.value_parser : {}
  const lineEnd = end ? pattern.choice(between, pattern.ahead(pattern.sequence(pattern.space(), end))) : between
  const key = pattern.capture('key', '^\\s:=<>"')
  return {
    tree: repeat(
      sequence(
        token(pattern.space(), key, pattern.space(), colon, {
          type: 'chars',
          set: ' \\t',
          min: 0,
          max: 16,
          as: ' ',
          lazy: false,
        }),
        value(lineEnd, { trim: 'none', encoding: encodingOf(parser) }),
      ),
    ),
    start: pattern.sequence(key, pattern.space(), colon),
  }
}
