import {
  call,
  choice,
  close,
  type Expression,
  jsonArguments,
  jsonCalls,
  jsonValue,
  oneOrMore,
  type Pattern,
  type PatternLike,
  pattern,
  sequence,
  token,
  tolerated,
} from '../../../grammar/index.ts'
import type { FormatData } from '../../format/format.ts'
import { reasoningForms } from '../../format/reasoning-forms.ts'
import { argumentsStart } from '../parts/json-parts.ts'

/** Names as tools have them, and the dots and colons that models put between a namespace and a name. */
const name: Pattern = pattern.capture('name', '\\w.:-')
const keyEnd: Pattern = pattern.sequence(
  pattern.tolerated('"'),
  pattern.space(),
  pattern.choice(':', '='),
  pattern.space(),
)
const keyed: Pattern = pattern.sequence(pattern.tolerated('"'), pattern.chars('\\w.-', 1, 128), keyEnd)
const comma: Pattern = pattern.sequence(pattern.space(), ',', pattern.space())
const between: Pattern = pattern.sequence(pattern.space(), pattern.tolerated(pattern.choice(',', ';')))

const head = [
  pattern.space(),
  pattern.tolerated(':'),
  pattern.optional(pattern.sequence('call', pattern.space(), ':', pattern.space())),
  name,
  pattern.space(),
]

/**
 * `call:f{city:<|"|>Paris<|"|>,n:3}` between two markers. Strings are between delimiters, keys are bare; models fall
 * back into JSON's quotes, or Python's, for single values, for the whole object, or for the whole call.
 */
function delimitedCalls(start: PatternLike, end: string, delimiter: string): Expression {
  const object = jsonArguments({ delimiters: [delimiter] })
  const one = choice(
    call(token(...head, pattern.ahead(pattern.choice(argumentsStart, end))), object),
    // The syntax of calls in other languages.
    call(token(...head, '(', pattern.space(), pattern.ahead(argumentsStart)), object, token(pattern.space(), ')')),
  )
  // A second call between the same markers is a slip.
  const others = tolerated(token(between), oneOrMore(one, between))
  return sequence(
    token(start),
    choice(sequence(one, others), sequence(token(pattern.space()), jsonCalls())),
    close(end),
  )
}

/** `call:f(city:<|"|>Paris<|"|>, n=3)`, as other languages call. */
function parenthesised(start: PatternLike, end: string, delimiter: string): Expression {
  const argument = sequence(
    token(pattern.tolerated('"'), pattern.capture('key', '\\w.-', 128), keyEnd),
    jsonValue({ delimiters: [delimiter], python: true }),
  )
  const opening = token(...head, '(', pattern.space(), pattern.ahead(keyed))
  return sequence(
    token(start),
    call(opening, oneOrMore(argument, comma), token(pattern.space()), close(')', end)),
    close(end),
  )
}

const end4 = '<tool_call|>'
const strings4 = { delimiters: ['<|"|>'] }
/** The marker in the form of other formats; after Granite's a list follows. */
const symmetric4: Pattern = pattern.sequence(
  '<|tool_call|>',
  pattern.ahead(pattern.sequence(pattern.space(), 'call', pattern.space(), ':')),
)
/** The remains of the marker and the word if the token was split, as after images. */
const split4: Pattern = pattern.sequence(
  '<call>',
  pattern.ahead(pattern.sequence(pattern.space(), pattern.chars('\\w.:-', 1, 64), '{')),
)
/** The opening marker as heavily quantised models write it: with the word after it, and one bracket. */
const collapsed4: Expression = sequence(
  call(token('<tool_call:', name, pattern.space(), pattern.ahead('{')), jsonArguments(strings4)),
  token(pattern.optional('>')),
  close(end4),
)
/**
 * After reasoning, models leave the opening marker out; only a string between delimiters distinguishes such a call from
 * prose.
 */
const unopened4: Expression = sequence(
  call(
    token(
      'call:',
      name,
      pattern.ahead(
        pattern.sequence(
          '{',
          pattern.space(),
          pattern.chars('\\w.-', 1, 64),
          pattern.space(),
          ':',
          pattern.space(),
          '<|"|>',
        ),
      ),
    ),
    jsonArguments(strings4),
  ),
  close(end4),
)

export const gemma4: FormatData = {
  name: 'gemma4',
  families: 'Gemma 4',
  source: "Google's Gemma 4 chat template",
  example: '<|tool_call>call:get_weather{city:<|"|>Paris<|"|>,days:3}<tool_call|>',
  blocks: [
    { tree: delimitedCalls(pattern.choice('<|tool_call>', symmetric4, split4), end4, '<|"|>'), place: 'anywhere' },
    { tree: parenthesised(pattern.choice('<|tool_call>', symmetric4), end4, '<|"|>'), place: 'anywhere' },
    { tree: collapsed4, place: 'anywhere' },
    { tree: unopened4, place: 'line' },
  ],
  // Without reasoning the model closes the channel at once, and leaves out the line break after its name.
  reasoning: [reasoningForms.gemma, reasoningForms.gemmaUnnamed],
  // After its calls the model opens the result that it waits for.
  markers: ['<channel|>', '<turn|>', '<|turn>model', '<|tool_response>', '<eos>'],
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
  markers: ['<end_of_turn>', '<start_function_response>', '<eos>'],
  separator: '',
}
