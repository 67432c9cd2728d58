import {
  ahead,
  call,
  capture,
  chars,
  choice,
  close,
  type Expression,
  jsonArguments,
  jsonCall,
  jsonCalls,
  jsonValue,
  maybe,
  notAhead,
  oneOf,
  optional,
  type Pattern,
  type PatternLike,
  seq,
  sequence,
  some,
  space,
  token,
  tolerated,
} from '../../../grammar/index.ts'
import type { JsonStyle } from '../../../json/index.ts'
import type { Block, FormatData } from '../../format/format.ts'
import { noCalls } from '../parts/json-parts.ts'

const python: JsonStyle = { python: true }
/** Names with dots are methods of a namespace, as LFM2's training has them: `Calendar.create_event`. */
const name: Pattern = capture('name', '\\w.-')
/** Python's words may be of any alphabet; JSON schema's keys have hyphens as well. */
const key = '\\w.\\-\\u00c0-\\u1fff\\u3040-\\ud7a3'
const beforeValue: Pattern = sequence(space(), '=', space())
/** A literal; any other word is a variable, of which only the model knows what it stands for. */
const literalStart: Pattern = oneOf(
  chars('"\'\\d+.({\\[-', 1, 1),
  sequence(chars('rbfu', 1, 2), chars('"\'', 1, 1)),
  'True',
  'False',
  'None',
  'null',
)
const commaWith = (gap: string): Pattern => sequence(space(), ',', space(gap))
const comma: Pattern = commaWith(' ')

/**
 * `f(**{"city": "Paris"})`: all arguments as a dictionary, where a key is no word. Models leave the stars out, so that a
 * dictionary by itself is never the value of the first argument.
 */
const dictionary: Expression = seq(token(maybe('**', true), ahead('{')), jsonArguments(python))

/**
 * What follows a call's name and its opening parenthesis. A comma at the end is Python's. What is no literal, such as a
 * calculation or a call within the call, is not guessed at; so the closing parenthesis counts as left out only where the
 * list around the calls goes on with `before`. Behind a comma `gap` is written, and any white space read.
 */
export function argumentsUpTo(before: PatternLike, style: JsonStyle = python, gap: string = ' '): Expression {
  // `city="Paris"`. A value without a name is the next of the tool's arguments, as in Python.
  const argument = seq(
    token(ahead(oneOf(sequence(chars(key, 1, 128), beforeValue), literalStart))),
    optional(token(capture('key', key, 128), beforeValue)),
    jsonValue(style),
  )
  return seq(
    choice(
      seq(
        token(notAhead(oneOf('{', '**'))),
        optional(some(argument, commaWith(gap))),
        tolerated(token(space(), ',', space(), ahead(')'))),
      ),
      dictionary,
    ),
    tolerated(token(space(), oneOf(']', '}'), space(), ahead(')'))),
    close(')', before),
  )
}

/** `[f(a=1), g(x="y")]` within markers, which say that it is a list of calls. The brackets may be missing. */
function markedList(end: string, style: JsonStyle = python): Expression {
  const each = call(token(name, '(', space()), argumentsUpTo(oneOf(']', end), style))
  return seq(
    optional(token('[', space())),
    some(each, sequence(space(), maybe(oneOf(',', ';'), true), space(' '))),
    tolerated(token(space(), ',')),
    optional(token(space(), ']')),
  )
}

/**
 * The list by itself. Prose, Markdown and code have brackets too, so that a name counts only with a parenthesis behind it
 * in which an argument with its name stands, or nothing: then no link's target may follow, as in `[f()](url)`.
 */
const noArguments: Pattern = sequence(
  ')',
  space(),
  oneOf(',', sequence(']', notAhead(sequence('(', chars('^\\s()', 1, 256), ')')))),
)
const firstKey: Pattern = sequence(chars(key, 1, 128), space(), '=', chars(' \\t', 0, 4), chars('^=\\s', 1, 1))
/** A dictionary of all arguments. */
const firstMemberKey: Pattern = sequence('{', space(), oneOf('"', "'"))
const surely = (nothing: Pattern): Pattern =>
  sequence('(', space(), ahead(oneOf(nothing, firstKey, '**{', firstMemberKey)))
const surelyCall: Pattern = surely(noArguments)
/** The same where the call ends with a marker and not with the list. */
const surelyBefore = (end: PatternLike): Pattern =>
  surely(oneOf(noArguments, sequence(')', chars('\\])', 0, 2), space(), end)))
export function bareListOf(style: JsonStyle, gap?: string): Expression {
  return seq(
    token('[', space(), ahead(sequence(chars('\\w.-', 1, 256), surelyCall))),
    some(call(token(name, '(', space()), argumentsUpTo(']', style, gap)), comma),
    tolerated(token(space(), ',', space(), ahead(']'))),
    close(']'),
  )
}
const bareList: Expression = bareListOf(python)

/** The same with each call as a string: `['f(a=1)']`. */
const quote: Pattern = oneOf('"', "'")
const quotedList: Expression = seq(
  token('[', space(), ahead(sequence(quote, chars('\\w.-', 1, 256), surelyBefore(quote)))),
  some(call(token(quote, name, '(', space()), argumentsUpTo(quote), token(quote)), comma),
  tolerated(token(space(), ',', space(), ahead(']'))),
  close(']'),
)

/** Models that were told of Hermes' tags and have learnt Python: for the universal reader. */
export const pythonInTags: Block = {
  tree: seq(
    token(
      '<tool_call>',
      space(),
      ahead(sequence(maybe('['), space(), chars('\\w.-', 1, 256), surelyBefore('</tool_call>'))),
    ),
    markedList('</tool_call>'),
    close('</tool_call>'),
  ),
  place: 'anywhere',
}

const codeLine: Pattern = sequence(space('\n'), maybe('print('))
/** Gemma 3's prompt asks for calls in a fence of this name, whose code prints what they give: for the universal reader. */
export const toolCode: Block = {
  tree: seq(
    token('```tool_code', ahead(sequence(codeLine, maybe('['), chars('\\w.-', 1, 256), surelyBefore('```')))),
    some(
      seq(
        call(token(codeLine, maybe('['), name, '(', space()), argumentsUpTo(oneOf('```', '\n'))),
        tolerated(token(chars('\\])', 1, 2))),
      ),
    ),
    close('```'),
  ),
  place: 'line',
}

const firstMember: Pattern = sequence('"', oneOf('name', 'type', 'function'), '"')
const bareJson: Block = {
  tree: seq(
    token(ahead(sequence('{', space(), firstMember))),
    jsonCall({ name: 'name', arguments: 'parameters' }, { isBare: true }),
  ),
  place: 'line',
}

export const pythonic: FormatData = {
  name: 'pythonic',
  families: 'Llama 4, Llama 3.2 (pythonic), ToolACE',
  source: "Meta's Llama 4 prompt format; vLLM's pythonic and llama4_pythonic tool parsers",
  example: '[get_weather(city="Paris", days=3)]',
  blocks: [
    { tree: bareList, place: 'phrase' },
    { tree: quotedList, place: 'phrase' },
    // Llama 4 puts what it takes for code between markers; Llama 3 has only one in front.
    {
      tree: seq(token('<|python_start|>', space()), markedList('<|python_end|>'), close('<|python_end|>')),
      place: 'anywhere',
    },
    { tree: seq(token('<|python_tag|>', space()), markedList('<|python_end|>')), place: 'anywhere' },
    // Told to write Python, Llama 4 now and then writes Llama 3's JSON.
    bareJson,
  ],
  markers: ['<|eot|>', '<|eom|>', '<|eot_id|>', '<|eom_id|>'],
}

export const olmo3: FormatData = {
  name: 'olmo3',
  families: 'OLMo 3',
  source: "OLMo 3's chat template; vLLM's olmo3 tool parser",
  example: '<function_calls>\nget_weather(city="Paris", days=3)\n</function_calls>',
  blocks: [
    {
      tree: seq(
        token('<function_calls>', space('\n')),
        tolerated(token('[', space())),
        some(
          call(token(name, '(', space()), argumentsUpTo(oneOf(']', '</function_calls>'))),
          sequence(space('\n'), maybe(oneOf(',', ';')), space()),
        ),
        tolerated(token(space(), ']')),
        token(space('\n')),
        close('</function_calls>'),
      ),
      place: 'anywhere',
    },
  ],
  markers: ['<|im_end|>'],
}

/** Strings as Python prints them. */
const printed: JsonStyle = { python: true, singleQuotes: true }
const lfmEnd = '<|tool_call_end|>'

export const lfm2: FormatData = {
  name: 'lfm2',
  families: 'LiquidAI LFM2, LFM2.5',
  source: "LiquidAI's LFM2.5 chat template, which writes strings and lists as Python and objects as JSON",
  example: "<|tool_call_start|>[get_weather(city='Paris', days=3)]<|tool_call_end|>",
  blocks: [
    {
      // Asked for it, LFM2 writes JSON between the same markers.
      tree: seq(token('<|tool_call_start|>', space()), choice(markedList(lfmEnd, printed), jsonCalls()), close(lfmEnd)),
      place: 'anywhere',
    },
  ],
  markers: ['<|im_end|>', noCalls('<|tool_call_start|>', lfmEnd)],
}
