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
  maybe,
  notAhead,
  oneOf,
  type Pattern,
  type PatternLike,
  patternOf,
  seq,
  sequence,
  some,
  space,
  token,
  tolerated,
  value,
} from '../../../grammar/index.ts'
import type { Block, FormatData } from '../../format/format.ts'
import { reasoningForms } from '../../format/reasoning-forms.ts'
import { again, gap, namedElement } from '../parts/invocation.ts'

/** `<parameter=city>`, or `<city>`: models that were told otherwise name arguments by their tags. */
const childTag: Pattern = oneOf('<parameter', sequence('<', chars('\\w.-', 1, 64), '>'))

/** Qwen3.6 leaves out the bracket behind a key where the value begins a line. */
const tagEnd: Pattern = oneOf('>', ahead(oneOf('\n', '\r\n')))

/** `<function=f>` with `<parameter=a>` inside. `lines`: a value stands on lines of its own. */
function functionCall(lines: boolean): Expression {
  return seq(
    call(
      token(
        '<function=',
        notAhead(sequence(chars('^<>/\\s', 1, 256), space(), '/>')),
        maybe('"'),
        capture('name', '^<>"\\n'),
        maybe('"'),
        // Quantised, it closes the tag that it opens: the arguments follow all the same.
        maybe(oneOf('>', sequence('</function>', ahead(sequence(space(), '<parameter=')))), true),
        // Behind anything else the tag is only talked about.
        ahead(sequence(space(), oneOf('</function', '</tool_call', '</seed:tool_call', '{', childTag))),
      ),
      choice(
        some(
          seq(
            gap('\n'),
            token('<parameter=', space(), maybe('"'), capture('key', '^<>"\\n'), maybe('"'), tagEnd),
            value('</parameter>', { lines }),
            again('</parameter>'),
          ),
        ),
        seq(token(space(), ahead('{')), jsonArguments({}, { isWrapped: true })),
        some(namedElement(false)),
        seq(),
      ),
      gap('\n'),
      close('</function>'),
    ),
    again('</function>'),
  )
}

/** The closing tag of a section: models that know both formats end one with the other's. */
const qwenEnd: Pattern = oneOf('</tool_call>', '</seed:tool_call>')
const seedEnd: Pattern = oneOf('</seed:tool_call>', '</tool_call>')

/** A line of words, or a word right before the tag: in prose about the tags neither stands there. */
const said: Expression = tolerated(
  token(oneOf(sequence(chars('^<>{}\\n', 1, 200), space('\n')), chars('\\w', 1, 20)), ahead('<function=')),
)

function section(open: string, closer: Pattern, one: Expression): Expression {
  // Each call has a section of its own, but models put several into one, and a word before the first.
  return seq(open, gap('\n'), said, one, tolerated(some(seq(gap(), one))), gap('\n'), close(closer), again(closer))
}

/** `<function=f/>`, a call without arguments. */
const selfClosed: Expression = call(
  token('<function=', maybe('"'), capture('name', '^<>"/\\s'), maybe('"'), space(), '/>'),
)

export const qwenCall: Expression = functionCall(true)
const seedCall = functionCall(false)

/** Calls without their section's opening tag, which models leave out; they write its closing tag all the same. */
function bare(one: Expression, closer: Pattern): Expression {
  return seq(some(seq(one, gap())), again(closer))
}

/** The JSON that most other models write between tags: these fall back to it (Step 3.5, GLM 4.7). */
export function jsonSection(open: string, closer: PatternLike): Block {
  const calls = seq(token(open, space(), ahead(oneOf('{', '['))), jsonCalls(), gap(), close(patternOf(closer)))
  return { tree: calls, place: 'anywhere' }
}

export const qwen3Coder: FormatData = {
  name: 'qwen3-coder',
  families: 'Qwen3-Coder, Qwen3.5 and later, Nemotron 3, Step 3.5, MiMo',
  source: 'the chat template of Qwen3-Coder',
  example:
    '<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>',
  blocks: [
    { tree: section('<tool_call>', qwenEnd, qwenCall), place: 'anywhere' },
    { tree: bare(qwenCall, qwenEnd), place: 'line' },
    { tree: section('<tool_call>', qwenEnd, selfClosed), place: 'anywhere' },
    { tree: bare(selfClosed, qwenEnd), place: 'line' },
    jsonSection('<tool_call>', qwenEnd),
  ],
  reasoning: [reasoningForms.think],
  markers: ['<|im_end|>'],
}

export const seedOss: FormatData = {
  name: 'seed-oss',
  families: 'ByteDance Seed-OSS',
  source: 'the chat template of Seed-OSS',
  example:
    '<seed:tool_call>\n<function=get_weather>\n<parameter=city>Paris</parameter>\n<parameter=days>3</parameter>\n</function>\n</seed:tool_call>',
  blocks: [
    { tree: section('<seed:tool_call>', seedEnd, seedCall), place: 'anywhere' },
    { tree: bare(seedCall, seedEnd), place: 'line' },
    { tree: section('<seed:tool_call>', seedEnd, selfClosed), place: 'anywhere' },
    { tree: bare(selfClosed, seedEnd), place: 'line' },
    jsonSection('<seed:tool_call>', seedEnd),
  ],
  reasoning: [reasoningForms.seed],
  markers: ['<seed:eos>'],
}
