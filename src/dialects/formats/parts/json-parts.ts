import {
  ahead,
  choice,
  type Expression,
  jsonCall,
  maybe,
  notAhead,
  oneOf,
  type Pattern,
  repeat,
  seq,
  sequence,
  space,
  token,
  tolerated,
} from '../../../grammar/index.ts'
import { bareCallStart } from './bare-call-start.ts'

/** What formats with JSON bodies share, beyond the JSON itself. */

type Keys = NonNullable<Parameters<typeof jsonCall>[0]>

/** A line break as it is written; whatever white space there is when it is read. */
export const line: Expression = token(space('\n'))
/** White space that may be there. */
export const blank: Expression = token(space())

const fence = sequence('```', maybe(oneOf('json', 'jsonc', 'json5', 'javascript', 'tool_call')), space())

/** Some models fence the JSON although markers stand around it. */
export function fenced(...json: Expression[]): Expression {
  // What is written comes first, and does not fit where a fence stands.
  return choice(seq(token(notAhead('```')), ...json), seq(token(fence), ...json, fenceClose))
}
export const fenceClose: Expression = tolerated(token(space(), '```'))

/** A list of no calls between its markers: the model says that it calls nothing. */
export function noCalls(open: string, close?: string): Pattern {
  return sequence(open, space(), '[', space(), ']', ...(close === undefined ? [] : [space(), close]))
}

/** With what arguments as JSON begin: an object, or a string that holds one. */
export const objectStart: Pattern = oneOf('{', '\uff5b', '"{')

/** With what calls as JSON begin. Formats that share an opening marker are told apart by what follows it. */
const callStart: Pattern = sequence(
  maybe(fence),
  oneOf('{', '\uff5b', sequence(oneOf('[', '\uff3b'), space(), oneOf('{', '\uff5b', ']'))),
)
export const calls: Expression = token(ahead(callStart))

/**
 * What stands between calls where the format has no word on it. Behind markers that were not closed an answer may
 * follow that is JSON as well.
 */
export const between: Pattern = sequence(space(), maybe(oneOf(',', ';')), space(), ahead(bareCallStart))

/** Where one call is written: an object, and whatever models put in its place: a list, several objects, a fence. */
export function oneCall(keys?: Keys): Expression {
  const others = repeat(seq(token(between), jsonCall(keys)))
  return seq(calls, fenced(jsonCall(keys), tolerated(others)))
}

/** With what a server ends a turn: where it was not cut off, it proves that nothing more was to come. */
export const turnEnd: Expression = tolerated(
  token(
    space(),
    oneOf(
      '<|eot_id|>',
      '<|eom_id|>',
      '<|im_end|>',
      '<|end|>',
      '<|end_of_text|>',
      '<|endoftext|>',
      '<|eot|>',
      '<|eom|>',
      '</s>',
    ),
  ),
)

/** The arguments of the call that every example shows. */
export const parisArguments: string = '{"city": "Paris", "days": 3}'

/** The call that every example shows, as an object. */
export function parisCall(name: string = 'name', args: string = 'arguments'): string {
  return `{"${name}": "get_weather", "${args}": ${parisArguments}}`
}
