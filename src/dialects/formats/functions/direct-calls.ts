import {
  ahead,
  call,
  capture,
  chars,
  choice,
  close,
  closeTag,
  type Expression,
  jsonArguments,
  jsonCall,
  jsonCalls,
  jsonValue,
  maybe,
  notAhead,
  oneOf,
  openTag,
  type Pattern,
  repeat,
  seq,
  sequence,
  some,
  space,
  token,
  tolerated,
} from '../../../grammar/index.ts'
import type { Block } from '../../format/format.ts'
import { bareCallStart } from '../parts/bare-call-start.ts'
import { blank, objectStart, oneCall } from '../parts/json-parts.ts'

const name: Pattern = capture('name', '\\w.-')
/** White space that stays on its line. */
const blanks: Pattern = chars(' \\t', 0, 16, ' ')
const json: Expression = jsonArguments()

/** ds2api writes past calls as fields in a shell, which models then copied for their new calls. */
const shellKey: Pattern = sequence(chars('a-z_', 1, 32), ':')
/** The fields have a line each, or stand on one line with a word each. */
const historyField: Expression = token(
  blanks,
  shellKey,
  oneOf(
    sequence(blanks, chars('^\\s{', 1, 100), ' ', ahead(oneOf(shellKey, 'function.'))),
    sequence(chars('^\\n', 0, 200), '\n'),
  ),
  space(),
)
const historyFields: Expression[] = Array.from({ length: 8 }, () => tolerated(historyField))

/** The name is taken whole: the names of fields are made of the same letters. */
const wholeName = sequence(name, notAhead(chars('\\w.-', 1, 1)))
/** Other fields of the shell may stand between the two. */
const otherFields: Pattern[] = Array.from({ length: 4 }, () =>
  maybe(sequence(notAhead('function.'), chars('a-z_', 1, 32), ':', chars('^\\n{', 0, 200), '\n', space())),
)
/** The two may be items of a list. */
const bullet: Pattern = maybe(sequence(oneOf('-', '*', '•'), chars(' \\t', 1, 4, ' ')))

/**
 * `function.name: f`, and in the next line `function.arguments: {…}`. The shell's id is that of the call it was copied
 * from, and so none of a new one.
 */
const fieldCalls: Expression = some(
  call(
    token(
      bullet,
      'function.name:',
      blanks,
      wholeName,
      space(),
      ...otherFields,
      bullet,
      'function.arguments:',
      space(),
      ahead(objectStart),
    ),
    json,
  ),
  space(),
)
const fields: Block = {
  tree: choice(
    seq(token('[TOOL_CALL_HISTORY]', space()), ...historyFields, fieldCalls, close('[/TOOL_CALL_HISTORY]')),
    fieldCalls,
  ),
  place: 'phrase',
}

/** `[call f]` and JSON; Chinese models write the word in Chinese. */
const bracketed: Block = {
  tree: call(token('[', oneOf('call', '调用'), chars(' :：', 1, 4, ' '), name, blanks, ']', space(), ahead('{')), json),
  place: 'line',
}

/** One rare character, another for each conversation. */
const rare: Pattern = chars('\\u3400-\\u9fff', 1, 2, '龘')
/** Delimiters of characters that no text has: cc-proxy asks models for them. */
const unicode: Block = {
  tree: seq(
    token('꧁', rare, 'ᐅ'),
    some(
      call(token(space(), '࿔▸', space(), name, space(), '◂࿔', space(), '࿔▹', space(), ahead('{')), json, close('◃࿔')),
      space(),
    ),
    close(sequence('ᐊ', rare, '꧂')),
  ),
  place: 'anywhere',
}

const arrow: Pattern = sequence(space(), '=>', space())
const quote: Pattern = oneOf('"', "'")
const arrowsBegin: Pattern = sequence(space(), ahead(oneOf('--', '}')))
/**
 * What MiniMax models were seen to write in place of their own format: `{tool => "f", args => {--city "Paris"}}`,
 * with an argument a line. Values are JSON; where one is anything else the call is not read on.
 */
const arrows: Expression = seq(
  call(
    token(
      '{',
      space(),
      'tool',
      arrow,
      quote,
      name,
      quote,
      space(),
      maybe(','),
      space(),
      'args',
      arrow,
      '{',
      arrowsBegin,
    ),
    repeat(
      seq(token('--', capture('key', '\\w-'), chars(' \\t=:', 1, 8, ' ')), jsonValue({})),
      sequence(space(), maybe(','), space()),
    ),
    close('}', sequence(space(), '[/TOOL_CALL]')),
  ),
  close('}'),
)

const toolCallBrackets: Block = {
  tree: seq('[TOOL_CALL]', token(space()), choice(arrows, jsonCalls()), close('[/TOOL_CALL]')),
  place: 'anywhere',
}

/** What LM Studio asks models without a form of their own for; some put the name before the arguments, or mix up the ends. */
const requestEnd: Pattern = oneOf('[END_TOOL_REQUEST]', '[TOOL_REQUEST_END]', '[END_TOOL_RESULT]')
const toolRequest: Block = {
  tree: choice(
    seq('[TOOL_REQUEST]', token(space()), jsonCalls(), close(requestEnd)),
    call(token('[TOOL_REQUEST]', space(), name, space(), ahead(objectStart)), json, token(space()), close(requestEnd)),
  ),
  place: 'anywhere',
}

/** A fence whose word says that what is in it is meant: prompts ask for it, where others ask for tags. */
const namedFence: Block = {
  tree: seq(
    token(
      '```',
      oneOf('tool_call', 'tool_calls', 'toolcall', 'tool-call', 'function_call'),
      chars(' \\t', 0, 8),
      '\n',
      space(),
    ),
    token(ahead(oneOf('{', '['))),
    jsonCalls(),
    token(space()),
    close('```'),
  ),
  place: 'line',
}

/** A label as LangChain reads it, with or without a number, and bold where the model writes Markdown. */
function label(word: string): Pattern {
  const number = maybe(sequence(' ', chars('0-9', 1, 3)))
  return sequence(maybe('**'), word, number, maybe('**'), blanks, ':', maybe('**'), blanks)
}
const wrap: Pattern = chars('`"\\[', 0, 2)
const unwrap: Pattern = chars('`"\\]', 0, 2)
const reactFence: Pattern = sequence('```', maybe('json'), space())
const reactHead: Pattern = sequence(label('Action'), wrap, name, unwrap, space('\n'), label('Action Input'), space())

/** ReAct's `Action: f` and, in the next line, `Action Input: {…}`. */
const react: Block = {
  tree: choice(
    call(token(reactHead, ahead(objectStart)), json),
    call(token(reactHead, reactFence, ahead(objectStart)), json, token(space()), close('```')),
  ),
  place: 'line',
}

/** Elements that prompts fill with more elements, and models with JSON. */
const jsonElements = ['tool_use', 'tool_uses', 'function_calls', 'ccx_tool']
const jsonInElements: Block = {
  tree: seq(openTag(jsonElements), blank, oneCall(), blank, close(closeTag(jsonElements))),
  place: 'anywhere',
}

/** The same in an element that holds the definition of a tool as well: the object must say that it is a call. */
const jsonInTool: Block = {
  tree: seq(
    openTag('tool'),
    blank,
    token(ahead('{')),
    jsonCall(undefined, { isBare: true }),
    blank,
    close(closeTag('tool')),
  ),
  place: 'anywhere',
}

/** The element that names a tool in an attribute, with JSON that names it in its place. */
const jsonInInvoke: Block = {
  tree: seq(
    openTag('invoke', { before: sequence(space(), bareCallStart) }),
    blank,
    oneCall(),
    blank,
    close(closeTag('invoke')),
  ),
  place: 'phrase',
}

/** JSON in tags without its first brace. */
const member = (...keys: string[]): Pattern => sequence('"', oneOf(...keys), '"', space(), ':', space())
const braceless: Block = {
  tree: call(
    openTag('tool_call'),
    token(space(), member('name', 'tool'), '"', name, '"', space(), ',', space()),
    token(member('arguments', 'input', 'parameters', 'args'), ahead('{')),
    json,
    tolerated(token(space(), '}')),
    blank,
    close(closeTag('tool_call')),
  ),
  place: 'anywhere',
}

/** Calls that belong to no one model's format, for the universal reader: each has a marker, or a line of its own words. */
export const directCalls: readonly Block[] = [
  unicode,
  toolCallBrackets,
  toolRequest,
  namedFence,
  fields,
  bracketed,
  react,
  jsonInElements,
  jsonInTool,
  jsonInInvoke,
  braceless,
]
