import { isJsonObject, type JsonObject } from '../../conversation/index.ts'
import type { Block } from '../../dialects/index.ts'
import { bareCalls, blank, calls, fenced, objectStart, oneCall, turnEnd } from '../../dialects/index.ts'
import {
  call,
  close,
  type Expression,
  jsonArguments,
  jsonCalls,
  oneOrMore,
  optional,
  type Pattern,
  pattern,
  sequence,
  token,
  writePattern,
} from '../../grammar/index.ts'
import { inlineArguments, jsonStyle, lineArguments } from './arguments.ts'
import { anchored, type Delimiter, isEmpty, markerPattern } from './marker.ts'
import { joined } from './pattern.ts'
import { type CallSources, callShape } from './shape.ts'

/** A field of a response template, with its delimiters taken apart. */
export interface Field {
  open: Delimiter
  close: Delimiter
  /** All its other members. */
  data: JsonObject
}

/** The block of calls that a field describes; or the reason why there is none. */
export function callBlock(field: Field, unread: string[]): Block | string {
  const { data } = field
  const shape = callShape(data.transform, data.transform_each === true)
  if (typeof shape === 'string') return shape
  if (!field.open) return 'nothing opens it'
  if (field.open.type === 'error') return field.open.why
  const written = markerPattern(field.open.node, shape.names)
  if (written.type === 'error') return `what opens it cannot be used: ${written.why}`
  const bare = bareBlock(written, data)
  if (bare) return bare
  const { marker, others } = splitOpener(written)
  const open = marker && anchored(marker)
  if (!open || isEmpty(open)) return 'what opens it does not begin with a marker'
  const end = closing(field.close, unread)
  const tree = others ? listTree(open, others, end, data, unread) : callTree(open, end, shape, data, unread)
  return typeof tree === 'string' ? tree : { tree, place: isToken(open) ? 'anywhere' : 'line' }
}

function callTree(
  open: Pattern,
  end: Pattern | undefined,
  shape: CallSources,
  data: JsonObject,
  unread: string[],
): Expression | string {
  const args = isJsonObject(data.content_args) ? data.content_args : {}
  const kind = data.content ?? 'text'
  const ends = [...leftOpen(open, end), blank, end ? closer(open, end, kind === 'json') : turnEnd]
  if (shape.keys) {
    if (kind !== 'json') return `its calls are ${JSON.stringify(kind)}, not JSON`
    const body = shape.isList ? sequence(calls, fenced(jsonCalls(shape.keys))) : oneCall(shape.keys)
    jsonStyle(args, unread)
    return sequence(token(open, pattern.space()), body, ...ends)
  }
  if (!holdsName(open)) return 'its transform wants a name that no marker holds'
  switch (kind) {
    case 'json':
      return sequence(
        call(
          token(open, pattern.space(), pattern.ahead(objectStart)),
          fenced(jsonArguments(jsonStyle(args, unread))),
          ...ends.slice(0, -1),
        ),
        ...ends.slice(-1),
      )
    case 'xml-inline':
    case 'kv-lines': {
      const found = kind === 'kv-lines' ? lineArguments(args, end) : inlineArguments(args, unread)
      if (typeof found === 'string') return found
      // A name at the end of the marker extends to the text that may follow it.
      const next = [found.start, ...leftOpenMarkers(open, end), ...(end ? [end] : [])]
      const head = endsOpen(open)
        ? token(open, pattern.ahead(pattern.sequence(pattern.space(), pattern.choice(...next))))
        : token(open)
      return call(head, found.tree, ...ends)
    }
    default:
      return `its arguments are ${JSON.stringify(kind)}`
  }
}

/**
 * `(?:<|start|>[|,\s*)(?P<name>\w+)\(`: an alternative that is no marker opens the calls after the first, `, g(`, and
 * is common in text; `others` is the rest after either.
 */
interface Opener {
  marker: Pattern | undefined
  others?: { separator: Pattern; head: Pattern }
}

function splitOpener(opener: Pattern): Opener {
  const [head, ...rest] = opener.type === 'sequence' ? opener.of : [opener]
  if (head?.type !== 'choice') return { marker: opener }
  const markers = head.of.filter(isToken)
  if (markers.length === head.of.length) return { marker: opener }
  const marker = markers.length === 1 && markers[0] ? markers[0] : pattern.choice(...markers)
  if (markers.length === 0) return { marker: undefined }
  const [separator] = head.of.filter((one) => !isToken(one))
  return separator ? { marker, others: { separator, head: joined(rest) } } : { marker }
}

/** Several calls between one pair of markers. The text that may come after the last one's end closes them all. */
function listTree(
  open: Pattern,
  { separator, head }: NonNullable<Opener['others']>,
  end: Pattern | undefined,
  data: JsonObject,
  unread: string[],
): Expression | string {
  const args = isJsonObject(data.content_args) ? data.content_args : {}
  if (data.content !== 'xml-inline' || !holdsName(head)) return 'what opens it does not begin with a marker'
  const found = inlineArguments(args, unread)
  if (typeof found === 'string') return found
  const parts = end?.type === 'sequence' ? end.of : end ? [end] : []
  const last = parts.at(-1)
  const [own, section] = last?.type === 'optional' ? [joined(parts.slice(0, -1)), last.of] : [end, undefined]
  if (!own || isEmpty(own)) return 'nothing closes one of its calls'
  const one = call(token(head, pattern.space()), found.tree, blank, section ? close(own, section) : close(own))
  return sequence(
    token(open, pattern.space()),
    oneOrMore(one, pattern.sequence(pattern.space(), separator)),
    ...(section ? [blank, close(section)] : []),
  )
}

/**
 * The delimiter that closes a field. Alternatives that only look ahead, `(?=<next>)`, or match the text's end, close
 * nothing.
 */
function closing(delimiter: Delimiter, unread: string[]): Pattern | undefined {
  if (!delimiter) return undefined
  const pattern = delimiter.type === 'error' ? delimiter : markerPattern(delimiter.node)
  if (pattern.type === 'error') {
    unread.push(`tool_calls: its end: ${pattern.why}`)
    return undefined
  }
  return isEmpty(pattern) ? undefined : pattern
}

/**
 * A closing marker without a word in common with the opener, `<|call|>`, ends the turn as well. Engines remove such
 * tokens, so if the JSON before it is complete nothing is missing.
 */
function closer(open: Pattern, end: Pattern, isJson: boolean): Expression {
  const words = (pattern: Pattern) =>
    plainText(pattern)
      .toLowerCase()
      .split(/[^a-z]+/)
  const known = new Set(words(open))
  const isTurnEnd =
    /^<(?:[|\uff5c]|\/s>|eos>)/.test(plainText(end)) && !words(end).some((word) => word !== '' && known.has(word))
  return isJson && isTurnEnd ? optional(token(end)) : close(end)
}

/** Plain text of a pattern, with `\0` for captures. */
function plainText(pattern: Pattern): string {
  return writePattern(pattern, { name: '\0', id: '\0' })
}

/**
 * Tags that the marker opens and the closing one does not close: templates skip closing tags that they do not define,
 * such as the `</function>` between `<tool_call><function=f>` and `</tool_call>`.
 */
function leftOpenMarkers(open: Pattern, end: Pattern | undefined): string[] {
  const names = (text: string, tag: RegExp) => [...text.matchAll(tag)].map(([, name = '']) => name)
  const closed = names(end ? plainText(end) : '', /<\/([A-Za-z][\w:.-]*)/g)
  const opened = names(plainText(open), /<([A-Za-z][\w:.-]*)[^<>]*>?/g)
  if (!end) return []
  return opened
    .filter((name) => !closed.includes(name))
    .map((name) => `</${name}>`)
    .reverse()
}

function leftOpen(open: Pattern, end: Pattern | undefined): Expression[] {
  return leftOpenMarkers(open, end).map((marker) => optional(token(pattern.space(), marker)))
}

function holdsName(pattern: Pattern): boolean {
  if (pattern.type === 'capture') return pattern.as === 'name'
  if (pattern.type === 'sequence' || pattern.type === 'choice') return pattern.of.some(holdsName)
  return pattern.type === 'optional' && holdsName(pattern.of)
}

/** True if only white space must follow the capture. */
function endsOpen(pattern: Pattern): boolean {
  if (pattern.type === 'choice') return pattern.of.some(endsOpen)
  if (pattern.type === 'sequence') {
    const last = pattern.of.at(-1)
    return last !== undefined && endsOpen(last)
  }
  return pattern.type === 'capture' || pattern.type === 'optional' || (pattern.type === 'chars' && pattern.min === 0)
}

/** True for a marker in brackets of some kind; words and punctuation may occur in prose. */
export function isToken(pattern: Pattern): boolean {
  const text = plainText(pattern)
  return /^(?:<[^\s<>]|\[[A-Z_/]{3,}|\S*[|｜\u2500-\u2bff])/.test(text)
}

/** `{"name": "f", "parameters": ` as an opening marker: a call that is JSON and nothing else. */
function bareBlock(open: Pattern, data: JsonObject): Block | undefined {
  const text = plainText(open)
  if (data.content !== 'json' || !text.startsWith('{')) return undefined
  const name = /"([^"]+)"\s*:\s*"?\0/.exec(text)?.[1]
  const args = /"([^"]+)"\s*:\s*$/.exec(text)?.[1]
  return name !== undefined && args !== undefined ? bareCalls({ name, arguments: args }) : undefined
}
