import type { JsonStyle } from '../json/index.ts'
import { type Pattern, type PatternLike, patternOf, sequence as patternSequence } from './pattern.ts'
import type { Tag } from './tag.ts'

/**
 * A format of calls as one tree of plain data: compiled to a program for the machine that reads it, and written out
 * again with a call's name and arguments in their places.
 */
export type Expression =
  | { type: 'token'; pattern: Pattern }
  | Tag
  | { type: 'sequence'; of: readonly Expression[] }
  /** The first that fits is the one; the first is the one that is written. */
  | { type: 'choice'; of: readonly Expression[] }
  | { type: 'optional'; of: Expression; isWritten: boolean }
  /** Of a call: each call. Of an argument: each argument. `separator` stands between two. */
  | { type: 'repeat'; of: Expression; separator: Pattern | undefined; isOptional: boolean }
  /** One call: from where its name is sought to its end. */
  | { type: 'call'; of: Expression }
  /** The end of a call or of a section. Models leave it out: the call then counts where nothing else is missing. */
  | { type: 'close'; of: TokenOrTag }
  | Json
  | Value

export type TokenOrTag = Extract<Expression, { type: 'token' | 'tag' }>

/** A JSON value. */
export interface Json {
  type: 'json'
  /** The arguments as an object; one argument's value; one call with its name; or calls in whatever envelope. */
  holds: 'arguments' | 'value' | 'call' | 'calls'
  style: JsonStyle
  /** The keys under which a call is written; readers know all that models use. */
  keys: EnvelopeKeys
  /** No marker says that this is a call: the object itself must. */
  isBare: boolean
}

export interface EnvelopeKeys {
  /** Undefined where the tool's name is itself the key of its arguments. */
  name: string | undefined
  arguments: string
  /** The key of the call's id, where one is written. */
  id?: string
  /** The arguments are written as a JSON string. */
  isEncoded?: boolean
}

/** The value of one argument as text between markers, in the type that the tool's schema wants. */
export interface Value {
  type: 'value'
  close: TokenOrTag
  /** One line break behind the opening marker, and before the closing one, is the marker's; it is written where `lines`. */
  trim: 'line' | 'none'
  lines: boolean
  /** `text`: a string stands as it is, other types as JSON; `json`: always JSON. */
  encoding: 'text' | 'json'
  /** XML's five entities are decoded. */
  entities: boolean
}

export function token(...of: PatternLike[]): TokenOrTag {
  return { type: 'token', pattern: patternSequence(...of) }
}

type Part = Expression | string

function expressionOf(part: Part): Expression {
  return typeof part === 'string' ? token(part) : part
}

export function seq(...of: Part[]): Expression {
  return { type: 'sequence', of: of.map(expressionOf) }
}

export function choice(...of: Part[]): Expression {
  return { type: 'choice', of: of.map(expressionOf) }
}

/** What is written, and may be missing. */
export function optional(...of: Part[]): Expression {
  return { type: 'optional', of: of.length === 1 && of[0] ? expressionOf(of[0]) : seq(...of), isWritten: true }
}

/** What is not written, and may be there. */
export function tolerated(...of: Part[]): Expression {
  return { type: 'optional', of: of.length === 1 && of[0] ? expressionOf(of[0]) : seq(...of), isWritten: false }
}

export function repeat(of: Part, separator?: PatternLike): Expression {
  return {
    type: 'repeat',
    of: expressionOf(of),
    separator: separator === undefined ? undefined : patternOf(separator),
    isOptional: true,
  }
}

/** At least one. */
export function some(of: Part, separator?: PatternLike): Expression {
  const repeated = repeat(of, separator)
  return repeated.type === 'repeat' ? { ...repeated, isOptional: false } : repeated
}

export function call(...of: Part[]): Expression {
  return { type: 'call', of: seq(...of) }
}

export function close(of: Tag | string | Pattern): Expression {
  if (typeof of === 'string' || of.type !== 'tag')
    return { type: 'close', of: { type: 'token', pattern: patternOf(of) } }
  return { type: 'close', of }
}

const plainKeys: EnvelopeKeys = { name: 'name', arguments: 'arguments' }

export function jsonArguments(style: JsonStyle = {}): Expression {
  return { type: 'json', holds: 'arguments', style, keys: plainKeys, isBare: false }
}

export function jsonValue(style: JsonStyle): Expression {
  return { type: 'json', holds: 'value', style, keys: plainKeys, isBare: false }
}

export function jsonCall(keys: EnvelopeKeys = plainKeys, options: { isBare?: boolean } = {}): Expression {
  return { type: 'json', holds: 'call', style: {}, keys, isBare: options.isBare ?? false }
}

/** A list of calls, or an object around one. */
export function jsonCalls(keys: EnvelopeKeys = plainKeys, options: { isBare?: boolean } = {}): Expression {
  return { type: 'json', holds: 'calls', style: {}, keys, isBare: options.isBare ?? false }
}

interface ValueOptions {
  trim?: Value['trim']
  lines?: boolean
  encoding?: Value['encoding']
  entities?: boolean
}

export function value(close: Tag | string, options: ValueOptions = {}): Expression {
  return {
    type: 'value',
    close: typeof close === 'string' ? token(close) : close,
    trim: options.trim ?? 'line',
    lines: options.lines ?? false,
    encoding: options.encoding ?? 'text',
    entities: options.entities ?? false,
  }
}
