import {
  call,
  choice,
  close,
  type Expression,
  jsonArguments,
  jsonCalls,
  oneOrMore,
  type Pattern,
  pattern,
  sequence,
  token,
  tolerated,
  value,
} from '../../../grammar/index.ts'
import type { FormatData } from '../../format/format.ts'
import { reasoningForms } from '../../format/reasoning-forms.ts'
import { gap, invocation } from '../parts/invocation.ts'
import { calls } from '../parts/json-parts.ts'

const element = { elements: ['invoke'], parameters: ['parameter'], between: '\n', keepsQuotes: true }
/** A call as MiniMax M2 writes it, as Anthropic's models once did. */
export const invoke: Expression = invocation(element)
const bare = invocation({ ...element, isBare: true })
const sectionEnd = token(pattern.choice('</minimax:tool_call>', '</dots_function_call>'))

function section(name: string): Expression {
  return sequence(`<${name}>`, oneOrMore(sequence(gap('\n'), invoke)), gap('\n'), close(`</${name}>`))
}

/** The same with the JSON that most other models write between tags. */
function jsonSection(name: string): Expression {
  return sequence(token(`<${name}>`, pattern.space()), calls, jsonCalls(), gap(), close(`</${name}>`))
}

export const minimaxM2: FormatData = {
  name: 'minimax-m2',
  families: 'MiniMax-M2, dots',
  source: 'the chat template of MiniMax-M2',
  example:
    '<minimax:tool_call>\n<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n<parameter name="days">3</parameter>\n</invoke>\n</minimax:tool_call>',
  blocks: [
    { tree: section('minimax:tool_call'), place: 'anywhere' },
    { tree: section('dots_function_call'), place: 'anywhere' },
    { tree: jsonSection('minimax:tool_call'), place: 'anywhere' },
    { tree: jsonSection('dots_function_call'), place: 'anywhere' },
    // The section's opening tag may be missing.
    {
      tree: sequence(bare, tolerated(oneOrMore(sequence(gap(), bare))), tolerated(gap(), sectionEnd)),
      place: 'phrase',
    },
  ],
  reasoning: [reasoningForms.think],
  markers: ['[e~['],
}

const quote: Pattern = pattern.choice('"', "'")

/** The prefix that MiniMax-M3 writes before each tag, down to the innermost. */
const tagPrefix = ']<]minimax[>['
const prefixed = (...of: (Pattern | string)[]): Pattern => pattern.sequence(pattern.optional(tagPrefix), ...of)

/** The arguments are elements with the arguments' own names; objects and lists are elements inside of them. */
function m3Call(opener: Pattern): Expression {
  return call(
    token(opener),
    choice(
      oneOrMore(
        sequence(
          gap(),
          token(prefixed('<', pattern.capture('key', '^\\s<>/'), '>')),
          value(prefixed('</', pattern.captured('key'), '>'), { encoding: 'markup', tagPrefix, keepsQuotes: true }),
        ),
      ),
      sequence(token(pattern.space(), pattern.ahead('{')), jsonArguments({}, { isWrapped: true })),
      sequence(),
    ),
    gap(),
    close(prefixed('</invoke>')),
  )
}

const m3Opener = [
  '<invoke name=',
  pattern.optional(quote),
  pattern.capture('name', '^<>"\'\\n'),
  pattern.optional(quote),
  '>',
]

export const minimaxM3: FormatData = {
  name: 'minimax-m3',
  families: 'MiniMax-M3',
  source: 'the chat template of MiniMax-M3',
  example:
    ']<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="get_weather">]<]minimax[>[<city>Paris]<]minimax[>[</city>]<]minimax[>[<days>3]<]minimax[>[</days>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>',
  keys: /^[\w.-]+$/,
  blocks: [
    {
      tree: sequence(
        `${tagPrefix}<tool_call>`,
        oneOrMore(sequence(gap('\n'), m3Call(prefixed(...m3Opener)))),
        gap('\n'),
        close(prefixed('</tool_call>')),
      ),
      place: 'anywhere',
    },
    {
      tree: sequence(
        oneOrMore(sequence(m3Call(pattern.sequence(tagPrefix, ...m3Opener)), gap())),
        tolerated(token(prefixed('</tool_call>'))),
      ),
      place: 'anywhere',
    },
  ],
  reasoning: [reasoningForms.minimax],
  markers: ['[e~['],
}
