import type { JsonValue } from '../../conversation/index.ts'
import type { JsonSigns, JsonStyle } from '../../json/index.ts'
import * as pattern from './pattern.ts'
import { type Pattern, type PatternLike, patternOf } from './pattern.ts'
import type { Tag } from './tag.ts'

/**
 * A format of calls as one tree of plain data: compiled to a program for the machine that reads it, and written out
 * again with a call's name and arguments in their places.
 */
export type Expression =
  | { type: 'token'; pattern: Pattern }
  | Tag
  | { type: 'sequence'; of: readonly Expression[] }
  /** Readers take the first that matches; writers use the first. */
  | { type: 'choice'; of: readonly Expression[] }
  | { type: 'optional'; of: Expression; isWritten: boolean }
  /** Repeated calls or arguments, with `separator` between two. */
  | { type: 'repeat'; of: Expression; separator: Pattern | undefined; isOptional: boolean }
  /** One call: from the search for its name to its end. */
  | Call
  /**
   * The end of a call or of a section. Models leave it out: the call still counts if it is complete otherwise. With
   * `before`, only that text, or the end of the text, shows that it was left out: any other text belongs to the call.
   * With `mayBeMissing`, the form without it is valid and gives no notice. `others` begin further calls that may follow
   * too.
   */
  | { type: 'close'; of: TokenOrTag; before?: Pattern; mayBeMissing?: boolean; others?: readonly TokenOrTag[] }
  | Json
  | Value

export interface Call {
  type: 'call'
  of: Expression
  /** True if it counts only with all required arguments of the tool: its beginning is no proof of a call. */
  isStrict?: boolean
}

export type TokenOrTag = Extract<Expression, { type: 'token' | 'tag' }>
export type Token = Extract<Expression, { type: 'token' }>

/** A JSON value. */
export interface Json {
  type: 'json'
  /**
   * The content: the arguments as an object; one argument's value; one call with its name; calls in any envelope; the
   * arguments of a call without a name (their keys identify the tool), after a captured id; or a message of a
   * transcript, which contains no new calls.
   */
  holds: 'arguments' | 'value' | 'call' | 'calls' | 'unnamed' | 'message'
  style: JsonStyle
  /** The keys under which a call is written; readers accept all keys that models use. */
  keys: EnvelopeKeys
  /** True if no marker identifies this as a call: the object itself must. */
  isBare: boolean
  /** The object's beginning shows that it contains calls: its other members have no meaning. */
  isAround?: boolean
  /** The arguments may be in one member of the object, with a key that calls use: `{"input": {"city": "Paris"}}`. */
  isWrapped: boolean
  /** XML's five entities are decoded in strings. */
  entities?: boolean
}

/** The members of a call's object. */
export interface EnvelopeKeys {
  /** Undefined if the tool's name is itself the key of its arguments. */
  name: string | undefined
  arguments: string
  /** The key of the call's id, if one is written. */
  id?: string
  /** The arguments are written as a JSON string. */
  isEncoded?: boolean
  /** The key of an object in the call's that holds name and arguments: OpenAI's `function`. */
  inside?: string
  /** Members without information, such as OpenAI's `"type": "function"`. */
  constants?: Readonly<Record<string, JsonValue>>
  /** The call's number among the calls of a reply, as a number or as text. */
  index?: { key: string; from: 0 | 1; isText?: boolean }
  /**
   * The keys in the order in which they are written. Missing ones come last: `name`, `arguments`, `id`, the constants,
   * `index`. If the name is a key, `arguments` represents it.
   */
  order?: readonly string[]
  /** The order in the object inside. Keys in this list are members of it, like name and arguments. */
  insideOrder?: readonly string[]
  /** The text between all of these. */
  signs?: JsonSigns
}

/** The value of one argument as text between markers, in the type that the tool's schema wants. */
export interface Value {
  type: 'value'
  close: TokenOrTag
  /**
   * One line break after the opening marker, and one before the closing marker, belong to the markers. They are written
   * if `lines` is set.
   */
  trim: 'line' | 'none'
  lines: boolean
  /**
   * `text`: strings are written literally, other types as JSON; `json`: always JSON; `markup`: objects and lists are
   * elements; `arguments`: all arguments as one JSON object.
   */
  encoding: 'text' | 'json' | 'markup' | 'arguments'
  /** The text before each tag inside a value of markup. */
  tagPrefix: string
  /** The names of types in the opening marker. `other` is for all types without a word. */
  typeWords: TypeWords
  /** XML's five entities are decoded. */
  entities: boolean
  /** A string is literal: quotes around it are part of it. */
  keepsQuotes?: boolean
  /** Booleans, null, lists and objects are as Python prints them, and templates with it: models write either. */
  pythonWords?: boolean
  /** The end of a text that was not cut ends it as well; so any text may follow its closing marker. */
  mayEnd?: boolean
  /** Any text may follow its closing marker. Without this, a closing marker of the block or the end of the text must follow. */
  endsAlone?: boolean
  /** The name of an argument without a key. If the tool does not have it, the first required argument. */
  unnamed?: string
  /** It is the only argument that the tool has or requires; for other tools it is none. */
  isOnlyArgument?: boolean
}

/** JSON's types, or those that a format distinguishes, with its word for each. */
export type TypeWords = Readonly<
  Partial<Record<'string' | 'number' | 'integer' | 'boolean' | 'null' | 'object' | 'array' | 'other', string>>
>

/**
 * A marker of the text. Several parts are one after another.
 *
 * @example
 * sequence(token('<call id=', pattern.capture('id', '\\w'), '>'), jsonCall(), close('</call>'))
 */
export function token(...of: PatternLike[]): TokenOrTag {
  return { type: 'token', pattern: pattern.sequence(...of) }
}

/** A part of a tree. Texts and patterns next to each other are one token. */
export type Part = Expression | PatternLike

const treeTypes: ReadonlySet<string> = new Set(['token', 'tag', 'repeat', 'call', 'close', 'json', 'value'])

/**
 * Returns true for an expression. Sequences, choices and optional parts exist both as expressions and as patterns: the parts in
 * them decide.
 */
export function isExpression(part: Pattern | Expression): part is Expression {
  if (treeTypes.has(part.type)) return true
  if (part.type === 'sequence' || part.type === 'choice') return part.of.length === 0 || part.of.some(isExpression)
  return part.type === 'optional' && isExpression(part.of)
}

function expressionsOf(parts: readonly Part[]): Expression[] {
  const found: Expression[] = []
  let run: PatternLike[] = []
  const endRun = () => {
    // Plain texts are separate tokens; the text next to a pattern bounds what it captures.
    if (run.every((one) => typeof one === 'string')) found.push(...run.map((one) => token(one)))
    else found.push(token(...run))
    run = []
  }
  for (const part of parts) {
    if (typeof part === 'string' || !isExpression(part)) {
      run.push(part)
      continue
    }
    endRun()
    found.push(part)
  }
  endRun()
  return found
}

function expressionOf(...parts: Part[]): Expression {
  const found = expressionsOf(parts)
  return found.length === 1 && found[0] ? found[0] : { type: 'sequence', of: found }
}

/**
 * Returns parts one after another.
 *
 * @example
 * const section = sequence('<calls>', oneOrMore(sequence('\n', invoke)), '\n', close('</calls>'))
 */
export function sequence(...of: Part[]): Expression {
  return { type: 'sequence', of: expressionsOf(of) }
}

/**
 * Returns one of several parts. The first that matches is read; calls are written with the first.
 *
 * @example
 * const body = choice(jsonArguments(), oneOrMore(argument))
 */
export function choice(...of: Part[]): Expression {
  return { type: 'choice', of: of.map((part) => expressionOf(part)) }
}

/**
 * Returns a part that may be missing in a text, and that is written.
 *
 * @example
 * const opener = optional('<calls>')
 */
export function optional(...of: Part[]): Expression {
  return { type: 'optional', of: expressionOf(...of), isWritten: true }
}

/**
 * Returns a part that is read if it is there, and that is never written.
 *
 * @example
 * const end = sequence(close('</call>'), tolerated('</call>'))
 */
export function tolerated(...of: Part[]): Expression {
  return { type: 'optional', of: expressionOf(...of), isWritten: false }
}

/**
 * Any number of calls or arguments, possibly none, with `separator` between two.
 *
 * @example
 * repeat(sequence('<in:', pattern.capture('key', '\\w.-'), '>', value('</in>')))
 */
export function repeat(of: Part, separator?: PatternLike): Expression {
  return {
    type: 'repeat',
    of: expressionOf(of),
    separator: separator === undefined ? undefined : patternOf(separator),
    isOptional: true,
  }
}

/**
 * One or more calls or arguments, with `separator` between two.
 *
 * @example
 * sequence('<calls>', oneOrMore(jsonCall(), '\n'), close('</calls>'))
 */
export function oneOrMore(of: Part, separator?: PatternLike): Expression {
  const repeated = repeat(of, separator)
  return repeated.type === 'repeat' ? { ...repeated, isOptional: false } : repeated
}

/**
 * One call, from its name to its end.
 *
 * @example
 * call('<do:', pattern.capture('name', '\\w.-'), '>', jsonArguments(), close('</do>'))
 */
export function call(...of: Part[]): Call {
  return { type: 'call', of: sequence(...of) }
}

/**
 * The end of a call or section. A model may leave it out; with `before`, only if that pattern follows.
 *
 * @example
 * call('<do:', pattern.capture('name', '\\w.-'), '>', jsonArguments(), close('</do>', '<do:'))
 */
export function close(of: Tag | string | Pattern, before?: PatternLike): Expression {
  const marker = typeof of === 'string' || of.type !== 'tag' ? token(of) : of
  return { type: 'close', of: marker, ...(before !== undefined && { before: patternOf(before) }) }
}

const plainKeys: EnvelopeKeys = { name: 'name', arguments: 'arguments' }

/**
 * All arguments of a call as one JSON object.
 *
 * @example
 * call('[', pattern.capture('name', '\\w.-'), '] ', jsonArguments(), close('\n'))
 */
export function jsonArguments(
  style: JsonStyle = {},
  options: { isWrapped?: boolean; entities?: boolean } = {},
): Expression {
  const { isWrapped = false, entities = false } = options
  return { type: 'json', holds: 'arguments', style, keys: plainKeys, isBare: false, isWrapped, entities }
}

/**
 * The value of one argument as JSON.
 *
 * @example
 * repeat(sequence('<in:', pattern.capture('key', '\\w.-'), '>', jsonValue({}), '</in>'))
 */
export function jsonValue(style: JsonStyle): Expression {
  return { type: 'json', holds: 'value', style, keys: plainKeys, isBare: false, isWrapped: false }
}

/**
 * One call as a JSON object with its name and its arguments, under the names of members that `keys` gives.
 *
 * @example
 * sequence('<call>', jsonCall({ name: 'tool', arguments: 'input' }), close('</call>'))
 */
export function jsonCall(
  keys: EnvelopeKeys = plainKeys,
  { isBare = false, isAround = false, style = {} }: CallOptions = {},
): Expression {
  return { type: 'json', holds: 'call', style, keys, isBare, isWrapped: false, ...(isAround && { isAround }) }
}

interface CallOptions {
  isBare?: boolean
  isAround?: boolean
  style?: JsonStyle
}

/**
 * Calls as a JSON list of objects, or one such object without a list.
 *
 * @example
 * sequence('[CALLS]', jsonCalls())
 */
export function jsonCalls(
  keys: EnvelopeKeys = plainKeys,
  { isBare = false, style = {} }: CallOptions = {},
): Expression {
  return { type: 'json', holds: 'calls', style, keys, isBare, isWrapped: false }
}

/**
 * A call that is its arguments and nothing else, after a captured `id`: the tool is found by their keys. It is never written.
 *
 * @example
 * sequence(token('<call id=', pattern.capture('id', '\\w'), '>'), unnamedCall(), close('</call>'))
 */
export function unnamedCall(): Expression {
  return { type: 'json', holds: 'unnamed', style: {}, keys: plainKeys, isBare: false, isWrapped: false }
}

/** A JSON message that is read to its end, so that no part of it is taken for a call. */
export function jsonMessage(): Expression {
  return { type: 'json', holds: 'message', style: {}, keys: plainKeys, isBare: true, isWrapped: false }
}

interface ValueOptions {
  trim?: Value['trim']
  lines?: boolean
  encoding?: Value['encoding']
  entities?: boolean
  tagPrefix?: string
  typeWords?: TypeWords
  keepsQuotes?: boolean
  pythonWords?: boolean
  mayEnd?: boolean
  endsAlone?: boolean
  unnamed?: string
  isOnlyArgument?: boolean
}

/**
 * The value of one argument as text, up to `close`. A string is written as it is, other types as JSON.
 *
 * @example
 * repeat(sequence('<in:', pattern.capture('key', '\\w.-'), '>', value('</in>')))
 */
export function value(close: Tag | PatternLike, options: ValueOptions = {}): Value {
  return {
    type: 'value',
    close: typeof close === 'string' || close.type !== 'tag' ? token(close) : close,
    trim: options.trim ?? 'line',
    lines: options.lines ?? false,
    encoding: options.encoding ?? 'text',
    entities: options.entities ?? false,
    tagPrefix: options.tagPrefix ?? '',
    typeWords: options.typeWords ?? {},
    ...(options.keepsQuotes && { keepsQuotes: true }),
    ...(options.pythonWords && { pythonWords: true }),
    ...(options.mayEnd && { mayEnd: true }),
    ...(options.endsAlone && { endsAlone: true }),
    ...(options.unnamed !== undefined && { unnamed: options.unnamed }),
    ...(options.isOnlyArgument && { isOnlyArgument: true }),
  }
}

/**
 * All arguments of a call as JSON in a text that a closing marker ends.
 *
 * @example
 * call('<do:', pattern.capture('name', '\\w.-'), '>', textArguments('</do>'))
 */
export function textArguments(close: Tag | PatternLike): Expression {
  return { ...value(close, { trim: 'none' }), encoding: 'arguments' }
}
