import {
  call,
  choice,
  close,
  type Expression,
  jsonArguments,
  jsonCalls,
  longestName,
  oneOrMore,
  type Pattern,
  type PatternLike,
  pattern,
  patternOf,
  sequence,
  token,
  tolerated,
  value,
} from '../../../grammar/index.ts'
import type { Block, FormatData } from '../../format/format.ts'
import { reasoningForms } from '../../format/reasoning-forms.ts'
import { again, gap, namedElement } from '../parts/invocation.ts'
import { calls as callsAhead } from '../parts/json-parts.ts'

/** `<parameter=city>`, or `<city>`: models with other instructions use the argument's name as the tag. */
const childTag: Pattern = pattern.choice('<parameter', pattern.sequence('<', pattern.chars('\\w.-', 1, 64), '>'))

/** Qwen3.6 leaves out the bracket after a key if the value begins a line. */
const tagEnd: Pattern = pattern.choice('>', pattern.ahead(pattern.choice('\n', '\r\n')))

/** Llama closes its opening tag after the object, or puts the object in parentheses (`<function=f{"a": 1}></function>`). */
const strayBrackets: Expression = tolerated(
  token(pattern.space(), pattern.chars(')\\]>', 1, 2), pattern.ahead(pattern.sequence(pattern.space(), '</function'))),
)

/** A slash at its end closes the tag: that is a call without arguments. */
const functionName: Pattern = {
  type: 'capture',
  as: 'name',
  of: pattern.sequence(
    { type: 'chars', set: '^<>"\\n', min: 0, max: longestName - 1, as: '', lazy: true },
    pattern.chars('^<>"\\s/', 1, 1),
  ),
}

/** `<function=f>` with `<parameter=a>` inside. `lines`: a value has its own lines. */
function functionCall(lines: boolean): Expression {
  return sequence(
    call(
      token(
        '<function=',
        pattern.tolerated('"'),
        functionName,
        pattern.tolerated('"'),
        // Quantised models close the tag that they open; the arguments still follow.
        pattern.optional(
          pattern.choice(
            '>',
            pattern.sequence('</function>', pattern.ahead(pattern.sequence(pattern.space(), '<parameter='))),
          ),
        ),
        // After anything else the tag is only talked about.
        pattern.ahead(
          pattern.sequence(
            pattern.space(),
            pattern.choice('</function', '</tool_call', '</seed:tool_call', '{', childTag),
          ),
        ),
      ),
      tolerated(gap(), '<parameters>'),
      choice(
        oneOrMore(
          sequence(
            gap('\n'),
            token(
              '<parameter=',
              pattern.space(),
              pattern.tolerated('"'),
              pattern.capture('key', '^<>"\\n'),
              pattern.tolerated('"'),
              tagEnd,
            ),
            value('</parameter>', { lines, keepsQuotes: true }),
            again('</parameter>'),
          ),
        ),
        sequence(token(pattern.space(), pattern.ahead('{')), jsonArguments({}, { isWrapped: true }), strayBrackets),
        oneOrMore(namedElement({ keepsQuotes: true })),
        sequence(),
      ),
      tolerated(gap(), '</parameters>'),
      gap('\n'),
      close('</function>'),
    ),
    again('</function>'),
  )
}

/** The closing tag of a section: models trained on both formats end one with the other's. */
const qwenEnd: Pattern = pattern.choice('</tool_call>', '</seed:tool_call>')
const seedEnd: Pattern = pattern.choice('</seed:tool_call>', '</tool_call>')

/** A line of words, or a word right before the tag. Prose about the tags has neither at this place. */
const said: Expression = tolerated(
  token(
    pattern.choice(
      pattern.sequence(pattern.chars('^<>{}\\n', 1, 200), pattern.space('\n')),
      pattern.chars('\\w', 1, 20),
    ),
    pattern.ahead('<function='),
  ),
)

function section(open: string, closer: Pattern, one: Expression): Expression {
  // Each call has its own section, but models put several into one, and a word before the first.
  return sequence(
    open,
    gap('\n'),
    said,
    one,
    tolerated(oneOrMore(sequence(gap(), one))),
    gap('\n'),
    close(closer),
    again(closer),
  )
}

/** `<function=f/>`, a call without arguments. */
const selfClosed: Expression = call(
  token(
    '<function=',
    pattern.tolerated('"'),
    pattern.capture('name', '^<>"/\\s'),
    pattern.tolerated('"'),
    pattern.space(),
    '/>',
  ),
)

export const qwenCall: Expression = functionCall(true)
const seedCall = functionCall(false)

/** Calls without their section's opening tag, which models leave out; they still write its closing tag. */
function bare(one: Expression, closer: Pattern): Expression {
  return sequence(oneOrMore(sequence(one, gap())), again(closer))
}

/** The JSON that most other models write between tags: these fall back to it (Step 3.5, GLM 4.7). */
export function jsonSection(open: string, closer: PatternLike): Block {
  const calls = sequence(token(open, pattern.space()), callsAhead, jsonCalls(), gap(), close(patternOf(closer)))
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
