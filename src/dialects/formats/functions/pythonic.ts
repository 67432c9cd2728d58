import {
  call,
  choice,
  close,
  type Expression,
  jsonArguments,
  jsonCall,
  jsonCalls,
  jsonValue,
  oneOrMore,
  optional,
  type Pattern,
  type PatternLike,
  pattern,
  sequence,
  token,
  tolerated,
} from '../../../grammar/index.ts'
import type { JsonStyle } from '../../../json/index.ts'
import type { Block, FormatData } from '../../format/format.ts'
import { noCalls } from '../parts/json-parts.ts'

const python: JsonStyle = { python: true }
/** Names with dots are methods of a namespace, as LFM2's training has them: `Calendar.create_event`. */
const name: Pattern = pattern.capture('name', '\\w.-')
/** Python's words may be of any alphabet; JSON schema's keys have hyphens as well. */
const key = '\\w.\\-\\u00c0-\\u1fff\\u3040-\\ud7a3'
const beforeValue: Pattern = pattern.sequence(pattern.space(), '=', pattern.space())
/** A literal; any other word is a variable, whose value only the model knows. */
const literalStart: Pattern = pattern.choice(
  pattern.chars('"\'\\d+.({\\[-', 1, 1),
  pattern.sequence(pattern.chars('rbfu', 1, 2), pattern.chars('"\'', 1, 1)),
  'True',
  'False',
  'None',
  'null',
)
const commaWith = (gap: string): Pattern => pattern.sequence(pattern.space(), ',', pattern.space(gap))
const comma: Pattern = commaWith(' ')

/**
 * `f(**{"city": "Paris"})`: all arguments as a dictionary, if a key is not an identifier. Models leave the stars out,
 * so a dictionary alone is never the value of the first argument.
 */
const dictionary: Expression = sequence(token(pattern.optional('**'), pattern.ahead('{')), jsonArguments(python))

/**
 * The arguments after a call's name and its opening parenthesis. A trailing comma is allowed, as in Python. An argument
 * that is not a literal, such as a calculation or a nested call, is not guessed; so the closing parenthesis counts as
 * left out only if the list around the calls continues with `before`. After a comma `gap` is written, and any white
 * space read.
 */
export function argumentsUpTo(before: PatternLike, style: JsonStyle = python, gap: string = ' '): Expression {
  // `city="Paris"`. A value without a name is the next of the tool's arguments, as in Python.
  const argument = sequence(
    token(pattern.ahead(pattern.choice(pattern.sequence(pattern.chars(key, 1, 128), beforeValue), literalStart))),
    optional(token(pattern.capture('key', key, 128), beforeValue)),
    jsonValue(style),
  )
  return sequence(
    choice(
      sequence(
        token(pattern.notAhead(pattern.choice('{', '**'))),
        optional(oneOrMore(argument, commaWith(gap))),
        tolerated(token(pattern.space(), ',', pattern.space(), pattern.ahead(')'))),
      ),
      dictionary,
    ),
    tolerated(token(pattern.space(), pattern.choice(']', '}'), pattern.space(), pattern.ahead(')'))),
    close(')', before),
  )
}

/** `[f(a=1), g(x="y")]` within markers, which identify it as a list of calls. The brackets may be missing. */
function markedList(end: string, style: JsonStyle = python): Expression {
  const each = call(token(name, '(', pattern.space()), argumentsUpTo(pattern.choice(']', end), style))
  return sequence(
    optional(token('[', pattern.space())),
    oneOrMore(each, pattern.sequence(pattern.space(), pattern.optional(pattern.choice(',', ';')), pattern.space(' '))),
    tolerated(token(pattern.space(), ',')),
    optional(token(pattern.space(), ']')),
  )
}

/**
 * The list without markers. Prose, Markdown and code have brackets too, so a name counts only if a parenthesis follows
 * with a named argument in it, or nothing: in the latter case no link target may follow, as in `[f()](url)`.
 */
const noArguments: Pattern = pattern.sequence(
  ')',
  pattern.space(),
  pattern.choice(
    ',',
    pattern.sequence(']', pattern.notAhead(pattern.sequence('(', pattern.chars('^\\s()', 1, 256), ')'))),
  ),
)
const firstKey: Pattern = pattern.sequence(
  pattern.chars(key, 1, 128),
  pattern.space(),
  '=',
  pattern.chars(' \\t', 0, 4),
  pattern.chars('^=\\s', 1, 1),
)
/** A dictionary of all arguments. */
const firstMemberKey: Pattern = pattern.sequence('{', pattern.space(), pattern.choice('"', "'"))
const surely = (nothing: Pattern): Pattern =>
  pattern.sequence('(', pattern.space(), pattern.ahead(pattern.choice(nothing, firstKey, '**{', firstMemberKey)))
const surelyCall: Pattern = surely(noArguments)
/** The same if the call ends with a marker and not with the list. */
export const surelyBefore = (end: PatternLike): Pattern =>
  surely(pattern.choice(noArguments, pattern.sequence(')', pattern.chars('\\])', 0, 2), pattern.space(), end)))
export function bareListOf(style: JsonStyle, gap?: string): Expression {
  return sequence(
    token('[', pattern.space(), pattern.ahead(pattern.sequence(pattern.chars('\\w.-', 1, 256), surelyCall))),
    oneOrMore(call(token(name, '(', pattern.space()), argumentsUpTo(']', style, gap)), comma),
    tolerated(token(pattern.space(), ',', pattern.space(), pattern.ahead(']'))),
    close(']'),
  )
}
const bareList: Expression = bareListOf(python)

/** The same with each call as a string: `['f(a=1)']`. */
const quote: Pattern = pattern.choice('"', "'")
const quotedList: Expression = sequence(
  token(
    '[',
    pattern.space(),
    pattern.ahead(pattern.sequence(quote, pattern.chars('\\w.-', 1, 256), surelyBefore(quote))),
  ),
  oneOrMore(call(token(quote, name, '(', pattern.space()), argumentsUpTo(quote), token(quote)), comma),
  tolerated(token(pattern.space(), ',', pattern.space(), pattern.ahead(']'))),
  close(']'),
)

/** The list in tags whose own families write JSON there. */
export function pythonIn(name: string): Block {
  const [opener, closer] = [`<${name}>`, `</${name}>`]
  return {
    tree: sequence(
      token(
        opener,
        pattern.space(),
        pattern.ahead(
          pattern.sequence(
            pattern.tolerated('['),
            pattern.space(),
            pattern.chars('\\w.-', 1, 256),
            surelyBefore(closer),
          ),
        ),
      ),
      markedList(closer),
      token(pattern.space()),
      close(closer),
    ),
    place: 'anywhere',
  }
}

/** The form of models that were prompted with Hermes' tags and trained on Python: for the universal reader. */
export const pythonInTags: readonly Block[] = ['tool_call', 'tool_calls', 'function_call', 'tool_use'].map(pythonIn)

const codeLine: Pattern = pattern.sequence(pattern.space('\n'), pattern.tolerated('print('))
/**
 * Gemma 3's prompt asks for calls in a fence of this name, whose code prints their results: for the universal reader.
 */
export const toolCode: Block = {
  tree: choice(printedIn('```tool_code', '```'), printedIn('<tool_code>', '</tool_code>')),
  place: 'line',
}

function printedIn(opener: string, closer: string): Expression {
  return sequence(
    token(
      opener,
      pattern.ahead(
        pattern.sequence(codeLine, pattern.tolerated('['), pattern.chars('\\w.-', 1, 256), surelyBefore(closer)),
      ),
    ),
    oneOrMore(
      sequence(
        call(
          token(codeLine, pattern.tolerated('['), name, '(', pattern.space()),
          argumentsUpTo(pattern.choice(closer, '\n')),
        ),
        tolerated(token(pattern.chars('\\])', 1, 2))),
      ),
    ),
    token(pattern.space('\n')),
    close(closer),
  )
}

const firstMember: Pattern = pattern.sequence('"', pattern.choice('name', 'type', 'function'), '"')
const jsonAhead: Pattern = pattern.ahead(pattern.sequence('{', pattern.space(), firstMember))
const llamaKeys = { name: 'name', arguments: 'parameters' }
const bareJson: Block = {
  tree: sequence(token(jsonAhead), jsonCall(llamaKeys, { isBare: true })),
  place: 'line',
}
/** The same between the markers of code: Llama 4 Scout. */
const markedJson: Block = {
  tree: sequence(
    token('<|python_start|>', pattern.space(), jsonAhead),
    jsonCall(llamaKeys),
    token(pattern.space()),
    close('<|python_end|>'),
  ),
  place: 'anywhere',
}

/** Llama 3's marker for code. Its models call the tools that Meta calls built-in so: `<|python_tag|>brave_search.call(query="x")`. */
export const pythonTag: Block = {
  tree: sequence(token('<|python_tag|>', pattern.space()), markedList('<|python_end|>')),
  place: 'anywhere',
}

export const pythonic: FormatData = {
  name: 'pythonic',
  families: 'Llama 4, Llama 3.2 (pythonic), ToolACE',
  source: "Meta's Llama 4 prompt format; vLLM's pythonic and llama4_pythonic tool parsers",
  example: '[get_weather(city="Paris", days=3)]',
  blocks: [
    { tree: bareList, place: 'phrase' },
    { tree: quotedList, place: 'phrase' },
    // Llama 4 puts text that it considers code between markers; Llama 3 has only one marker before it.
    {
      tree: sequence(token('<|python_start|>', pattern.space()), markedList('<|python_end|>'), close('<|python_end|>')),
      place: 'anywhere',
    },
    pythonTag,
    markedJson,
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
      tree: sequence(
        token('<function_calls>', pattern.space('\n')),
        tolerated(token('[', pattern.space())),
        oneOrMore(
          call(token(name, '(', pattern.space()), argumentsUpTo(pattern.choice(']', '</function_calls>'))),
          pattern.sequence(pattern.space('\n'), pattern.tolerated(pattern.choice(',', ';')), pattern.space()),
        ),
        tolerated(token(pattern.space(), ']')),
        token(pattern.space('\n')),
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
      tree: sequence(
        token('<|tool_call_start|>', pattern.space()),
        choice(
          markedList(lfmEnd, printed),
          jsonCalls(),
          // MiniCPM 3 has code in a fence there.
          sequence(
            token('```', pattern.tolerated('python'), pattern.space('\n')),
            markedList('```', printed),
            token(pattern.space('\n'), pattern.tolerated('```'), pattern.space('\n')),
          ),
        ),
        close(lfmEnd),
      ),
      place: 'anywhere',
    },
  ],
  markers: ['<|im_end|>', noCalls('<|tool_call_start|>', lfmEnd)],
}
