import {
  ahead,
  call,
  capture,
  choice,
  close,
  type Expression,
  jsonArguments,
  jsonCalls,
  maybe,
  oneOf,
  type Pattern,
  seq,
  sequence,
  some,
  space,
  token,
  tolerated,
} from '../../grammar/index.ts'
import type { FormatData } from '../format.ts'
import type { ReasoningForm } from '../reasoning-forms.ts'
import { objectStart } from './json-parts.ts'

/** Names as tools have them, and the dots that models put between a namespace and a name. */
const name: Pattern = capture('name', '\\w.-')
const between: Pattern = sequence(space(), maybe(oneOf(',', ';')))

/**
 * `call:f{city:<|"|>Paris<|"|>,n:3}` between two markers. Strings stand between delimiters, keys stand bare; models fall
 * back into JSON's quotes, or Python's, for single values, for the whole object, or for the whole call.
 */
function delimitedCalls(start: string, end: string, delimiter: string): Expression {
  const one = call(
    token(space(), maybe(':'), maybe(sequence('call', space(), ':', space()), true), name, space(), ahead(objectStart)),
    jsonArguments({ delimiters: [delimiter] }),
  )
  // A second call between the same markers is a slip.
  const others = tolerated(token(between), some(one, between))
  return seq(start, choice(seq(one, others), seq(token(space()), jsonCalls())), close(end))
}

/** Without reasoning Gemma 4 closes the channel at once, and the line break behind its name is then left out. */
const thought: ReasoningForm = { open: '<|channel>thought', close: ['<channel|>'], kind: 'special' }

export const gemma4: FormatData = {
  name: 'gemma4',
  families: 'Gemma 4',
  source: "Google's Gemma 4 chat template",
  example: '<|tool_call>call:get_weather{city:<|"|>Paris<|"|>,days:3}<tool_call|>',
  blocks: [{ tree: delimitedCalls('<|tool_call>', '<tool_call|>', '<|"|>'), place: 'anywhere' }],
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
  blocks: [{ tree: delimitedCalls('<start_function_call>', '<end_function_call>', '<escape>'), place: 'anywhere' }],
  markers: ['<end_of_turn>', '<start_function_response>'],
  separator: '',
}
