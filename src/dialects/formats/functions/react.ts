import {
  call,
  choice,
  close,
  type Expression,
  jsonArguments,
  jsonCalls,
  type Pattern,
  type PatternLike,
  pattern,
  sequence,
  token,
  value,
} from '../../../grammar/index.ts'
import type { Block } from '../../format/format.ts'
import { bareCallStart } from '../parts/bare-call-start.ts'
import { objectStart } from '../parts/json-parts.ts'
import { argumentsUpTo, surelyBefore } from './pythonic.ts'

const name: Pattern = pattern.capture('name', '\\w.-')
/** White space that stays on its line. */
const blanks: Pattern = pattern.chars(' \\t', 0, 16, ' ')
const json: Expression = jsonArguments()

/** A label as LangChain reads it, with or without a number, and bold if the model writes Markdown. */
function label(word: PatternLike): Pattern {
  const number = pattern.tolerated(pattern.sequence(' ', pattern.chars('0-9', 1, 3)))
  return pattern.sequence(
    pattern.tolerated('**'),
    word,
    number,
    pattern.tolerated('**'),
    blanks,
    ':',
    pattern.tolerated('**'),
    blanks,
  )
}
const wrap: Pattern = pattern.chars('`"\\[', 0, 2)
const unwrap: Pattern = pattern.chars('`"\\]', 0, 2)
const reactFence: Pattern = pattern.sequence('```', pattern.tolerated('json'), pattern.space())
const head: Pattern = pattern.sequence(label('Action'), wrap, name, unwrap, pattern.space('\n'))
const reactHead: Pattern = pattern.sequence(head, label('Action Input'), pattern.space())
/** Other words for the input: only an object is one. */
const otherHead: Pattern = pattern.sequence(
  head,
  label(pattern.choice('Action_Input', 'Action Arguments', 'Input', 'Arguments', 'Args', 'Parameters')),
  pattern.space(),
)

/** The texts that may follow the input: the result, which models then invent, or the next step. */
const reactLabel: Pattern = pattern.sequence(
  pattern.tolerated('**'),
  pattern.choice('Observation', 'Thought', 'Action', 'Final Answer'),
  pattern.tolerated('**'),
  pattern.tolerated(pattern.sequence(' ', pattern.chars('0-9', 1, 3))),
  ':',
)
const reactNext: Pattern = pattern.sequence('\n', pattern.space(), pattern.ahead(reactLabel))
/** No input. */
const reactNone: Pattern = pattern.choice(
  pattern.textEnd,
  pattern.ahead(reactLabel),
  pattern.sequence(
    pattern.choice('None', 'null', 'N/A', '""'),
    pattern.choice(pattern.sequence(pattern.space(), pattern.textEnd), pattern.sequence(blanks, reactNext)),
  ),
)
/** No object, and no list. */
const reactText: Pattern = pattern.notAhead(pattern.choice('{', '"{', '[', '```', '\uff5b'))

function withObject(head: Pattern): Expression[] {
  return [
    call(token(head, pattern.ahead(objectStart)), json),
    call(token(head, reactFence, pattern.ahead(objectStart)), json, token(pattern.space()), close('```')),
  ]
}

/** ReAct's `Action: f` and, in the next line, `Action Input: {…}`. */
const inTwoLines: Block = {
  tree: choice(
    ...withObject(reactHead),
    ...withObject(otherHead),
    call(token(reactHead, reactNone)),
    // Text is all of the input, as LangChain reads it: that of the tool's one argument.
    call(token(reactHead, reactText), value(reactNext, { unnamed: 'input', mayEnd: true })),
  ),
  place: 'line',
}

/** The call as code after the label, `Action: f(a=1)`, as models write that know ReAct from papers. */
const asCode: Block = {
  tree: sequence(
    token(label('Action'), wrap, pattern.ahead(pattern.sequence(pattern.chars('\\w.-', 1, 256), surelyBefore('')))),
    call(token(name, '(', pattern.space()), argumentsUpTo('\n')),
    token(unwrap),
  ),
  place: 'line',
}

/** The call as JSON that names it, as smolagents asks for it. */
const asJson: Block = {
  tree: sequence(
    token(label('Action'), pattern.space(), pattern.ahead(bareCallStart)),
    jsonCalls(undefined, { isBare: true }),
  ),
  place: 'line',
}

/** The forms of ReAct, which has labels in place of markers. */
export const react: readonly Block[] = [inTwoLines, asCode, asJson]
