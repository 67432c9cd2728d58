import {
  call,
  choice,
  close,
  closeTag,
  type Expression,
  jsonArguments,
  jsonCall,
  jsonCalls,
  jsonValue,
  oneOrMore,
  openTag,
  type Pattern,
  pattern,
  repeat,
  sequence,
  token,
  tolerated,
} from '../../../grammar/index.ts'
import type { Block } from '../../format/format.ts'
import { bareCallStart } from '../parts/bare-call-start.ts'
import { blank, objectStart, oneCall } from '../parts/json-parts.ts'
import { react } from './react.ts'

const name: Pattern = pattern.capture('name', '\\w.-')
/** White space that stays on its line. */
const blanks: Pattern = pattern.chars(' \\t', 0, 16, ' ')
const json: Expression = jsonArguments()

/**
 * A key of the fields around a call: ds2api writes past calls as fields, which models then copied for their new calls.
 */
const shellKey: Pattern = pattern.sequence(pattern.chars('a-z_', 1, 32), ':')
/** The fields have a line each, or are on one line with a word each. */
const historyField: Expression = token(
  blanks,
  shellKey,
  pattern.choice(
    pattern.sequence(blanks, pattern.chars('^\\s{', 1, 100), ' ', pattern.ahead(pattern.choice(shellKey, 'function.'))),
    pattern.sequence(pattern.chars('^\\n', 0, 200), '\n'),
  ),
  pattern.space(),
)
const historyFields: Expression[] = Array.from({ length: 8 }, () => tolerated(historyField))

/** The name is taken whole: the names of fields are made of the same letters. */
const wholeName = pattern.sequence(name, pattern.notAhead(pattern.chars('\\w.-', 1, 1)))
/** Other fields may come between the two. */
const otherFields: Pattern[] = Array.from({ length: 4 }, () =>
  pattern.tolerated(
    pattern.sequence(
      pattern.notAhead('function.'),
      pattern.chars('a-z_', 1, 32),
      ':',
      pattern.chars('^\\n{', 0, 200),
      '\n',
      pattern.space(),
    ),
  ),
)
/** The two may be items of a list. */
const bullet: Pattern = pattern.tolerated(
  pattern.sequence(pattern.choice('-', '*', '•'), pattern.chars(' \\t', 1, 4, ' ')),
)

/**
 * `function.name: f`, and in the next line `function.arguments: {…}`. The id in the fields is that of the call it was
 * copied from, and so not the new call's.
 */
const fieldCalls: Expression = oneOrMore(
  call(
    token(
      bullet,
      'function.name:',
      blanks,
      wholeName,
      pattern.space(),
      ...otherFields,
      bullet,
      'function.arguments:',
      pattern.space(),
      pattern.ahead(objectStart),
    ),
    json,
  ),
  pattern.space(),
)
const fields: Block = {
  tree: choice(
    sequence(
      token('[TOOL_CALL_HISTORY]', pattern.space()),
      ...historyFields,
      fieldCalls,
      close('[/TOOL_CALL_HISTORY]'),
    ),
    fieldCalls,
  ),
  place: 'phrase',
}

/** `[call f]` and JSON; Chinese models write the word in Chinese. `[Calling tool: f({…})]` is how vllm-mlx writes past calls, which models copy. */
const bracketed: Block = {
  tree: choice(
    call(
      token('[Calling tool:', blanks, name, '(', pattern.space(), pattern.ahead('{')),
      json,
      token(pattern.space()),
      close(pattern.sequence(')', pattern.space(), ']')),
    ),
    call(
      token(
        '[',
        pattern.choice('call', '调用'),
        pattern.chars(' :：', 1, 4, ' '),
        name,
        blanks,
        ']',
        pattern.space(),
        pattern.ahead('{'),
      ),
      json,
    ),
  ),
  place: 'line',
}

/** One rare character, another for each conversation. */
const rare: Pattern = pattern.chars('\\u3400-\\u9fff', 1, 2, '龘')
/** Delimiters of characters that no text has: cc-proxy asks models for them. */
const unicode: Block = {
  tree: sequence(
    token('꧁', rare, 'ᐅ'),
    oneOrMore(
      call(
        token(
          pattern.space(),
          '࿔▸',
          pattern.space(),
          name,
          pattern.space(),
          '◂࿔',
          pattern.space(),
          '࿔▹',
          pattern.space(),
          pattern.ahead('{'),
        ),
        json,
        close('◃࿔'),
      ),
      pattern.space(),
    ),
    close(pattern.sequence('ᐊ', rare, '꧂')),
  ),
  place: 'anywhere',
}

const arrow: Pattern = pattern.sequence(pattern.space(), '=>', pattern.space())
const quote: Pattern = pattern.choice('"', "'")
const arrowsBegin: Pattern = pattern.sequence(pattern.space(), pattern.ahead(pattern.choice('--', '}')))
/**
 * A form that MiniMax models sometimes write instead of their usual one: `{tool => "f", args => {--city "Paris"}}`, with
 * an argument per line. Values are JSON; if one is anything else the call is not read further.
 */
const arrows: Expression = sequence(
  call(
    token(
      '{',
      pattern.space(),
      'tool',
      arrow,
      quote,
      name,
      quote,
      pattern.space(),
      pattern.tolerated(','),
      pattern.space(),
      'args',
      arrow,
      '{',
      arrowsBegin,
    ),
    repeat(
      sequence(token('--', pattern.capture('key', '\\w-'), pattern.chars(' \\t=:', 1, 8, ' ')), jsonValue({})),
      pattern.sequence(pattern.space(), pattern.tolerated(','), pattern.space()),
    ),
    close('}', pattern.sequence(pattern.space(), '[/TOOL_CALL]')),
  ),
  close('}'),
)

const toolCallBrackets: Block = {
  tree: sequence('[TOOL_CALL]', token(pattern.space()), choice(arrows, jsonCalls()), close('[/TOOL_CALL]')),
  place: 'anywhere',
}

/**
 * The form that LM Studio requests from models without their own; some put the name before the arguments, or mix up the
 * ends.
 */
const requestEnd: Pattern = pattern.choice('[END_TOOL_REQUEST]', '[TOOL_REQUEST_END]', '[END_TOOL_RESULT]')
const toolRequest: Block = {
  tree: choice(
    sequence('[TOOL_REQUEST]', token(pattern.space()), jsonCalls(), close(requestEnd)),
    call(
      token('[TOOL_REQUEST]', pattern.space(), name, pattern.space(), pattern.ahead(objectStart)),
      json,
      token(pattern.space()),
      close(requestEnd),
    ),
  ),
  place: 'anywhere',
}

/** A fence whose info string identifies its content as a call: prompts ask for it in place of tags. */
const namedFence: Block = {
  tree: sequence(
    token(
      '```',
      pattern.choice('tool_call', 'tool_calls', 'toolcall', 'tool-call', 'tool_use', 'function_call', 'function_calls'),
      pattern.chars(' \\t', 0, 8),
      '\n',
      pattern.space(),
    ),
    token(pattern.ahead(pattern.choice('{', '['))),
    jsonCalls(),
    token(pattern.space()),
    close('```'),
  ),
  place: 'line',
}

/** Elements that prompts fill with more elements, and models with JSON. */
const jsonElements = ['tool_use', 'tool_uses', 'function_calls', 'ccx_tool']
const jsonInElements: Block = {
  tree: sequence(openTag(jsonElements), blank, oneCall(), blank, close(closeTag(jsonElements))),
  place: 'anywhere',
}

/** The same in an element that may also contain the definition of a tool: the object must identify itself as a call. */
const jsonInTool: Block = {
  tree: sequence(
    openTag('tool'),
    blank,
    token(pattern.ahead('{')),
    jsonCall(undefined, { isBare: true }),
    blank,
    close(closeTag('tool')),
  ),
  place: 'anywhere',
}

/** The element that names a tool in an attribute, with JSON that names it in its place. */
const jsonInInvoke: Block = {
  tree: sequence(
    openTag('invoke', { before: pattern.sequence(pattern.space(), bareCallStart) }),
    blank,
    oneCall(),
    blank,
    close(closeTag('invoke')),
  ),
  place: 'phrase',
}

/** JSON in tags without its first brace. */
const member = (...keys: string[]): Pattern =>
  pattern.sequence('"', pattern.choice(...keys), '"', pattern.space(), ':', pattern.space())
const braceless: Block = {
  tree: call(
    openTag('tool_call'),
    token(pattern.space(), member('name', 'tool'), '"', name, '"', pattern.space(), ',', pattern.space()),
    token(member('arguments', 'input', 'parameters', 'args'), pattern.ahead('{')),
    json,
    tolerated(token(pattern.space(), '}')),
    blank,
    close(closeTag('tool_call')),
  ),
  place: 'anywhere',
}

/**
 * Calls that belong to no single model's format, for the universal reader: each has a marker, or a line with its own
 * words.
 */
export const directCalls: readonly Block[] = [
  unicode,
  toolCallBrackets,
  toolRequest,
  namedFence,
  fields,
  bracketed,
  ...react,
  jsonInElements,
  jsonInTool,
  jsonInInvoke,
  braceless,
]
