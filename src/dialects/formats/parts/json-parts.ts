import {
  choice,
  type Expression,
  jsonCall,
  type Pattern,
  type PatternLike,
  pattern,
  repeat,
  sequence,
  token,
  tolerated,
  turnEnds,
} from '../../../grammar/index.ts'
import { bareCallStart } from './bare-call-start.ts'

/** Parts that formats with JSON bodies share, beyond the JSON itself. */

type Keys = NonNullable<Parameters<typeof jsonCall>[0]>

/** A line break when written; any white space when read. */
export const line: Expression = token(pattern.space('\n'))
/** White space that may be there. */
export const blank: Expression = token(pattern.space())

const fence = pattern.sequence(
  '```',
  pattern.tolerated(pattern.choice('json', 'jsonc', 'json5', 'javascript', 'tool_call')),
  pattern.space(),
)

/** Some models fence the JSON although it is between markers. */
export function fenced(...json: Expression[]): Expression {
  // The written form comes first, and does not match at a fence.
  return choice(sequence(token(pattern.notAhead('```')), ...json), sequence(token(fence), ...json, fenceClose))
}
export const fenceClose: Expression = tolerated(token(pattern.space(), '```'))

const emptyList = pattern.sequence('[', pattern.space(), ']')

/** An empty list of calls between its markers: the model calls nothing. */
export function noCalls(open: string, close?: string): Pattern {
  return pattern.sequence(open, pattern.space(), emptyList, ...(close === undefined ? [] : [pattern.space(), close]))
}

/** A section of calls without any, or with an empty list, between special tokens: text has no such tokens. */
export function emptySection(open: PatternLike, close: PatternLike): Pattern {
  return pattern.sequence(open, pattern.space(), pattern.optional(emptyList), pattern.space(), close)
}

/** The beginnings of arguments as JSON: an object, or a string that contains one. */
export const objectStart: Pattern = pattern.choice('{', '\uff5b', '"{')

/** The texts that models write in place of an object for a call without arguments. */
export const nullArguments: Pattern = pattern.choice(
  pattern.sequence('null', pattern.notAhead(pattern.chars('\\w', 1, 1))),
  '""',
)
/** The beginnings of arguments, those of a call without any included. */
export const argumentsStart: Pattern = pattern.choice(objectStart, nullArguments)

/** The beginnings of calls as JSON. Formats that share an opening marker are distinguished by the text after it. */
const callStart: Pattern = pattern.sequence(
  pattern.tolerated(fence),
  pattern.choice(
    '{',
    '\uff5b',
    pattern.sequence(pattern.choice('[', '\uff3b'), pattern.space(), pattern.choice('{', '\uff5b', ']')),
  ),
)
export const calls: Expression = token(pattern.ahead(callStart))

/**
 * The text between calls if the format defines none. After markers that were not closed, an answer that is JSON as well
 * may follow.
 */
export const between: Pattern = pattern.sequence(
  pattern.space(),
  pattern.tolerated(pattern.choice(',', ';')),
  pattern.space(),
  pattern.ahead(bareCallStart),
)

/** The place of one call: an object, or the forms that models write in its place: a list, several objects, a fence. */
export function oneCall(keys?: Keys): Expression {
  const others = repeat(sequence(token(between), jsonCall(keys)))
  return sequence(calls, fenced(jsonCall(keys), tolerated(others)))
}

/** The markers with which a server ends a turn. */
export const turnEnd: Expression = tolerated(token(pattern.space(), turnEnds))

/** The arguments of the call that every example shows. */
export const parisArguments: string = '{"city": "Paris", "days": 3}'

/** The call that every example shows, as an object. */
export function parisCall(name: string = 'name', args: string = 'arguments'): string {
  return `{"${name}": "get_weather", "${args}": ${parisArguments}}`
}
