import {
  call,
  choice,
  close,
  closeTag,
  jsonArguments,
  oneOrMore,
  openTag,
  type Pattern,
  pattern,
  sequence,
  token,
  tolerated,
  turnEnds,
  value,
} from '../../../grammar/index.ts'
import type { Block } from '../../format/format.ts'
import { blank, objectStart, oneCall } from '../parts/json-parts.ts'
import { argumentsUpTo, surelyBefore } from './pythonic.ts'

/** Forms that the prompts of agents and of older models ask for, for the universal reader. */

const name: Pattern = pattern.capture('name', '\\w.-', 128)
const blanks: Pattern = pattern.chars(' \\t', 0, 16, ' ')
const colon: Pattern = pattern.sequence(blanks, pattern.choice(':', '\uff1a'), blanks)

/** `✿FUNCTION✿: f`, and `✿ARGS✿: {…}` in the next line: Qwen-Agent, whose result would follow. */
const qwenAgent: Block = {
  tree: sequence(
    oneOrMore(
      call(
        token(
          '✿FUNCTION✿',
          colon,
          name,
          pattern.space('\n'),
          '✿ARGS✿',
          pattern.choice(colon, ''),
          pattern.space(),
          pattern.ahead(objectStart),
        ),
        jsonArguments(),
      ),
      pattern.space('\n'),
    ),
    tolerated(token(pattern.space(), '✿RESULT✿', pattern.tolerated(colon))),
  ),
  place: 'anywhere',
}

/** The markers that Qwen-Agent's models write before an answer. */
export const qwenAgentMarkers: readonly Pattern[] = [
  pattern.sequence('✿RETURN✿', pattern.tolerated(pattern.choice(':', '\uff1a'))),
]

const inputNames = ['tool_input', 'tool_arguments', 'parameters', 'arguments', 'args', 'input']
const nameNames = ['tool', 'tool_name', 'function', 'function_name']
/** `<tool>f</tool><tool_input>…</tool_input>`: LangChain's agents with XML, whose input is a text or an object. */
const siblings: Block = {
  tree: choice(
    ...nameNames.map((element) => {
      const head = [`<${element}>`, pattern.space(), name, pattern.space(), `</${element}>`, pattern.space()]
      const opener = openTag(inputNames)
      const closer = closeTag(inputNames)
      return choice(
        call(
          token(...head, pattern.ahead(inputAhead(pattern.choice('{', '"{')))),
          opener,
          blank,
          jsonArguments(),
          blank,
          close(closer),
        ),
        call(token(...head, pattern.ahead(inputAhead(''))), opener, value(closer, { unnamed: 'input' })),
      )
    }),
  ),
  place: 'phrase',
}

function inputAhead(first: Pattern | string): Pattern {
  return pattern.sequence('<', pattern.choice(...inputNames), '>', ...(first === '' ? [] : [pattern.space(), first]))
}

/** Cline and Roo call tools of MCP servers through their tool `use_mcp_tool`. It is not offered here: the inner call counts. */
const mcpTool: Block = {
  tree: call(
    token(
      '<use_mcp_tool>',
      pattern.space(),
      pattern.tolerated(
        pattern.sequence('<server_name>', pattern.chars('^<>', 0, 128), '</server_name>', pattern.space()),
      ),
      '<tool_name>',
      pattern.space(),
      name,
      pattern.space(),
      '</tool_name>',
      pattern.space(),
      pattern.choice(
        pattern.sequence('<arguments>', pattern.space(), pattern.ahead(objectStart)),
        pattern.ahead('</use_mcp_tool>'),
      ),
    ),
    jsonArguments(),
    blank,
    { type: 'close', of: token('</arguments>'), mayBeMissing: true },
    blank,
    close('</use_mcp_tool>'),
  ),
  place: 'phrase',
}

/** Llama writes its tag with other signs, or none, between the word, the name and the object, as Groq's errors show. */
const functionSlips: Block = {
  tree: call(
    token(
      '<function',
      pattern.choice('=', '(', '/', ':', ' ', '>'),
      name,
      pattern.tolerated(')'),
      pattern.tolerated('>'),
      pattern.space(),
      pattern.tolerated(pattern.choice('(', '[', ',')),
      pattern.ahead('{'),
    ),
    jsonArguments(),
    tolerated(token(pattern.choice(')', ']'))),
    tolerated(token('>')),
    blank,
    close(pattern.choice('</function>', '<function>', '<function/>')),
  ),
  place: 'anywhere',
}

/** The calls of Glaive's data. Only the end of the turn follows the object. */
const functionCall: Block = {
  tree: sequence(
    token('<functioncall>', pattern.space(), pattern.ahead('{')),
    oneCall(),
    tolerated(token(pattern.space(), '</functioncall>')),
    tolerated(token(pattern.space(), turnEnds)),
  ),
  place: 'anywhere',
}

/** The calls of NexusRaven, `Call: f(a=1)<bot_end>`. The model adds an explanation after them. */
const raven: Block = {
  tree: call(
    token(
      'Call:',
      blanks,
      pattern.ahead(pattern.sequence(pattern.chars('\\w.-', 1, 128), surelyBefore('<bot_end>'))),
      name,
      '(',
      pattern.space(),
    ),
    argumentsUpTo('<bot_end>'),
    token(blanks),
    close('<bot_end>'),
  ),
  place: 'line',
}

/** All of them, in the order in which they are tried. */
export const promptCalls: readonly Block[] = [qwenAgent, siblings, mcpTool, functionSlips, functionCall, raven]
