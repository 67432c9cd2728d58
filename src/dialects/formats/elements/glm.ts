import {
  ahead,
  call,
  capture,
  chars,
  choice,
  close,
  type Expression,
  jsonArguments,
  maybe,
  oneOf,
  type Pattern,
  repeat,
  seq,
  sequence,
  some,
  space,
  token,
  untagged,
  value,
  writePattern,
} from '../../../grammar/index.ts'
import type { FormatData } from '../../format/format.ts'
import { reasoningForms } from '../../format/reasoning-forms.ts'
import { again, gap } from '../parts/invocation.ts'
import { jsonSection } from './qwen3-coder.ts'

/** A tool's name between tags. */
const toolName: Pattern = capture('name', '^\\s<>{}()\\[\\]"')

/** The tags of GLM, and those of others, who begin or end them with a word of their own: `<arg_key:opensource>`. */
function tagsWith(suffix: string): (name: string) => Pattern {
  return (name) => (suffix === '' ? sequence(`<${name}>`) : sequence(`<${name}`, maybe(suffix, true), '>'))
}

/** With what the tags begin, none of which begins a value whose own was left out. */
function beginnings(tag: (name: string) => Pattern): string[] {
  return ['arg_', 'tool_'].flatMap((name) =>
    [name, `/${name}`].map((one) => {
      const written = writePattern(tag(one), {})
      return written.slice(0, written.indexOf(name) + name.length)
    }),
  )
}

/**
 * Arguments as pairs of a key and a value in tags. Models write either tag of a key twice, or leave one out; GLM 5.2 leaves
 * out `<arg_value>` as well. `between` is written between the tags. `joined` is the first of them where no tag parts its key from the tool's name.
 */
export function keyedArguments(
  tag: (name: string) => Pattern,
  between: string,
): { argument: Expression; joined: Expression } {
  const keyEnd = sequence(maybe(sequence(space(), tag('/arg_key'))), space(between), tag('arg_value'))
  const closer = tag('/arg_value')
  return {
    argument: seq(
      gap(between),
      choice(
        token(
          tag('arg_key'),
          maybe(sequence(space(), tag('arg_key'))),
          space(),
          capture('key', '^<>'),
          space(),
          maybe(tag('/arg_key'), true),
          keyEnd,
        ),
        token(
          tag('arg_key'),
          space(),
          capture('key', '^<>'),
          space(),
          tag('/arg_key'),
          space(),
          untagged(...beginnings(tag)),
        ),
        token(maybe(tag('tool_call')), capture('key', '^\\s<>'), space(), tag('/arg_key'), keyEnd),
      ),
      value(closer),
      again(closer),
    ),
    joined: seq(
      token(tag('tool_call'), space(), capture('joined', '^<>{}"'), tag('/arg_key'), keyEnd),
      value(closer),
      again(closer),
    ),
  }
}

/**
 * Returns a call that is a name and its arguments in tags of a family. `head` puts the opening tag before the name, `closer` closes
 * the call, and `between` is written between the tags.
 */
export function keyedCall(
  tag: (name: string) => Pattern,
  head: (name: Pattern) => Expression[],
  closer: Expression,
  between: string,
): Expression {
  const name = sequence(space(), toolName, ahead(sequence(space(), oneOf(tag('arg_key'), tag('/tool_call')))))
  return call(...head(name), repeat(keyedArguments(tag, between).argument), gap(between), closer)
}

/** A key in the wrong tag: GLM 5.3 opens the call once more. */
const keyInCall = sequence('<tool_call>', chars('^\\s<>', 1, 64), '</arg_key>')

const glmTag = tagsWith('')
const glmArguments = keyedArguments(glmTag, '\n')

export const glm: FormatData = {
  name: 'glm',
  families: 'GLM-4.5 and later, Laguna, Spark 2.5, Ling 3',
  source: 'the chat templates of GLM-4.6 and GLM-4.7, which has no line breaks',
  example:
    '<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n</tool_call>',
  keys: /^[\w.-]+$/,
  blocks: [
    {
      tree: call(
        choice(
          token(
            '<tool_call>',
            space(),
            toolName,
            ahead(sequence(space(), oneOf('<arg_key>', '</tool_call>', keyInCall))),
          ),
          glmArguments.joined,
          // GLM 5.2 closes an argument where the call has none.
          token('<tool_call>', space(), toolName, space(), '</arg_value>'),
          // Models that have seen much JSON write all arguments as one object behind the name.
          seq(token('<tool_call>', space(), toolName, space(), ahead('{')), jsonArguments({}, { isWrapped: true })),
        ),
        repeat(glmArguments.argument),
        gap('\n'),
        close('</tool_call>'),
      ),
      place: 'anywhere',
    },
    jsonSection('<tool_call>', '</tool_call>'),
  ],
  reasoning: [reasoningForms.think],
  markers: ['<|user|>', '<|observation|>'],
}

const hunyuanTag = tagsWith(':opensource')
const hunyuanArguments = keyedArguments(hunyuanTag, '\n')
const hunyuanHead = [hunyuanTag('tool_call'), space(), toolName, space()]
const hunyuanCall = call(
  choice(
    seq(
      token(
        ...hunyuanHead,
        maybe(hunyuanTag('tool_sep'), true),
        ahead(sequence(space(), oneOf(hunyuanTag('arg_key'), hunyuanTag('/tool_call')))),
      ),
      repeat(hunyuanArguments.argument),
    ),
    // All arguments as one object, which other models write there.
    seq(token(...hunyuanHead, hunyuanTag('tool_sep'), space(), ahead('{')), jsonArguments({}, { isWrapped: true })),
  ),
  gap('\n'),
  close(hunyuanTag('/tool_call')),
)

export const hunyuan: FormatData = {
  name: 'hunyuan',
  families: 'Hunyuan 3, Hunyuan 4, whose tags have no suffix',
  source: 'the chat template of Hunyuan 3',
  example:
    '<tool_calls:opensource>\n<tool_call:opensource>get_weather<tool_sep:opensource>\n<arg_key:opensource>city</arg_key:opensource>\n<arg_value:opensource>Paris</arg_value:opensource>\n<arg_key:opensource>days</arg_key:opensource>\n<arg_value:opensource>3</arg_value:opensource>\n</tool_call:opensource>\n</tool_calls:opensource>',
  keys: /^[\w.-]+$/,
  blocks: [
    {
      tree: seq(
        token(hunyuanTag('tool_calls')),
        some(seq(gap('\n'), hunyuanCall)),
        gap('\n'),
        close(hunyuanTag('/tool_calls')),
      ),
      place: 'anywhere',
    },
    { tree: hunyuanCall, place: 'anywhere' },
  ],
  reasoning: [reasoningForms.hunyuan, reasoningForms.think],
}
