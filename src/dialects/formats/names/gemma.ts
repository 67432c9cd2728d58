import {
  ahead,
  call,
  capture,
  chars,
  choice,
  close,
  type Expression,
  jsonArguments,
  jsonCalls,
  jsonValue,
  maybe,
  oneOf,
  type Pattern,
  type PatternLike,
  seq,
  sequence,
  some,
  space,
  token,
  tolerated,
} from '../../../grammar/index.ts'
import type { FormatData } from '../../format/format.ts'
import type { ReasoningForm } from '../../format/reasoning-forms.ts'
import { objectStart } from '../parts/json-parts.ts'

/** Names as tools have them, and the dots and colons that models put between a namespace and a name. */
const name: Pattern = capture('name', '\\w.:-')
const keyEnd: Pattern = sequence(maybe('"'), space(), oneOf(':', '='), space())
const keyed: Pattern = sequence(maybe('"'), chars('\\w.-', 1, 128), keyEnd)
const comma: Pattern = sequence(space(), ',', space())
const between: Pattern = sequence(space(), maybe(oneOf(',', ';')))

const head = [space(), maybe(':'), maybe(sequence('call', space(), ':', space()), true), name, space()]

/**
 * `call:f{city:<|"|>Paris<|"|>,n:3}` between two markers. Strings stand between delimiters, keys stand bare; models fall
 * back into JSON's quotes, or Python's, for single values, for the whole object, or for the whole call.
 */
function delimitedCalls(start: PatternLike, end: string, delimiter: string): Expression {
  const object = jsonArguments({ delimiters: [delimiter] })
  const one = choice(
    call(token(...head, ahead(oneOf(objectStart, end))), object),
    // As other languages call.
    call(token(...head, '(', space(), ahead(objectStart)), object, token(space(), ')')),
  )
  // A second call between the same markers is a slip.
  const others = tolerated(token(between), some(one, between))
  return seq(token(start), choice(seq(one, others), seq(token(space()), jsonCalls())), close(end))
}

/** `call:f(city:<|"|>Paris<|"|>, n=3)`, as other languages call. */
function parenthesised(start: PatternLike, end: string, delimiter: string): Expression {
  const argument = seq(
    token(maybe('"'), capture('key', '\\w.-', 128), keyEnd),
    jsonValue({ delimiters: [delimiter], python: true }),
  )
  const opening = token(...head, '(', space(), ahead(keyed))
  return seq(token(start), call(opening, some(argument, comma), token(space()), close(')', end)), close(end))
}

const end4 = '<tool_call|>'
const strings4 = { delimiters: ['<|"|>'] }
/** A marker like others'; behind Granite's there is a list. */
const symmetric4: Pattern = sequence('<|tool_call|>', ahead(sequence(space(), 'call', space(), ':')))
/** What is left of the marker and the word where the token was split, as behind images. */
const split4: Pattern = sequence('<call>', ahead(sequence(space(), chars('\\w.:-', 1, 64), '{')))
/** The opening marker as models have it that were quantised hard: with the word behind it, and one bracket. */
const collapsed4: Expression = seq(
  call(token('<tool_call:', name, space(), ahead('{')), jsonArguments(strings4)),
  token(maybe('>', true)),
  close(end4),
)
/** Behind a thought models leave the opening marker out; only a string between delimiters tells such a call from prose. */
const unopened4: Expression = seq(
  call(
    token('call:', name, ahead(sequence('{', space(), chars('\\w.-', 1, 64), space(), ':', space(), '<|"|>'))),
    jsonArguments(strings4),
  ),
  close(end4),
)

/** Without reasoning Gemma 4 closes the channel at once, and the line break behind its name is then left out. */
const thought: ReasoningForm = { open: '<|channel>thought', close: ['<channel|>'], kind: 'special' }

export const gemma4: FormatData = {
  name: 'gemma4',
  families: 'Gemma 4',
  source: "Google's Gemma 4 chat template",
  example: '<|tool_call>call:get_weather{city:<|"|>Paris<|"|>,days:3}<tool_call|>',
  blocks: [
    { tree: delimitedCalls(oneOf('<|tool_call>', symmetric4, split4), end4, '<|"|>'), place: 'anywhere' },
    { tree: parenthesised(oneOf('<|tool_call>', symmetric4), end4, '<|"|>'), place: 'anywhere' },
    { tree: collapsed4, place: 'anywhere' },
    { tree: unopened4, place: 'line' },
  ],
  reasoning: [thought],
  // Behind its calls the model opens the result that it waits for.
  markers: ['<channel|>', '<turn|>', '<|turn>model', '<|tool_response>'],
  separator: '',
}

export const functiongemma: FormatData = {
  name: 'functiongemma',
  families: 'FunctionGemma',
  source: "Google's FunctionGemma chat template",
  example: '<start_function_call>call:get_weather{city:<escape>Paris<escape>,days:3}<end_function_call>',
  blocks: [
    { tree: delimitedCalls('<start_function_call>', '<end_function_call>', '<escape>'), place: 'anywhere' },
    { tree: parenthesised('<start_function_call>', '<end_function_call>', '<escape>'), place: 'anywhere' },
  ],
  markers: ['<end_of_turn>', '<start_function_response>'],
  separator: '',
}
