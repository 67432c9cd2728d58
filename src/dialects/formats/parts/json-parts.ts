import {
  choice,
  type Expression,
  jsonCall,
  type Pattern,
  pattern,
  repeat,
  sequence,
  token,
  tolerated,
  turnEnds,
} from '../../../grammar/index.ts'
import { bareCallStart } from './bare-call-start.ts'

/** What formats with JSON bodies share, beyond the JSON itself. */

type Keys = NonNullable<Parameters<typeof jsonCall>[0]>

/** A line break as it is written; whatever white space there is when it is read. */
export const line: Expression = token(pattern.space('\n'))
/** White space that may be there. */
export const blank: Expression = token(pattern.space())

const fence = pattern.sequence(
  '```',
  pattern.tolerated(pattern.choice('json', 'jsonc', 'json5', 'javascript', 'tool_call')),
  pattern.space(),
)

/** Some models fence the JSON although markers stand around it. */
export function fenced(...json: Expression[]): Expression {
  // What is written comes first, and does not fit where a fence stands.
  return choice(sequence(token(pattern.notAhead('```')), ...json), sequence(token(fence), ...json, fenceClose))
}
export const fenceClose: Expression = tolerated(token(pattern.space(), '```'))

/** A list of no calls between its markers: the model says that it calls nothing. */
export function noCalls(open: string, close?: string): Pattern {
  return pattern.sequence(
    open,
    pattern.space(),
    '[',
    pattern.space(),
    ']',
    ...(close === undefined ? [] : [pattern.space(), close]),
  )
}

/** With what arguments as JSON begin: an object, or a string that holds one. */
export const objectStart: Pattern = pattern.choice('{', '\uff5b', '"{')

/** With what calls as JSON begin. Formats that share an opening marker are told apart by what follows it. */
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
 * What stands between calls where the format has no word on it. Behind markers that were not closed an answer may
 * follow that is JSON as well.
 */
export const between: Pattern = pattern.sequence(
  pattern.space(),
  pattern.tolerated(pattern.choice(',', ';')),
  pattern.space(),
  pattern.ahead(bareCallStart),
)

/** Where one call is written: an object, and whatever models put in its place: a list, several objects, a fence. */
export function oneCall(keys?: Keys): Expression {
  const others = repeat(sequence(token(between), jsonCall(keys)))
  return sequence(calls, fenced(jsonCall(keys), tolerated(others)))
}

/** What a server ends a turn with. */
export const turnEnd: Expression = tolerated(token(pattern.space(), turnEnds))

/** The arguments of the call that every example shows. */
export const parisArguments: string = '{"city": "Paris", "days": 3}'

/** The call that every example shows, as an object. */
export function parisCall(name: string = 'name', args: string = 'arguments'): string {
  return `{"${name}": "get_weather", "${args}": ${parisArguments}}`
}
