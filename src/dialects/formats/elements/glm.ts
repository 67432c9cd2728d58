import {
  call,
  choice,
  close,
  type Expression,
  jsonArguments,
  jsonCall,
  oneOrMore,
  type Pattern,
  pattern,
  repeat,
  sequence,
  token,
  untagged,
  value,
  writePattern,
} from '../../../grammar/index.ts'
import type { FormatData } from '../../format/format.ts'
import { reasoningForms } from '../../format/reasoning-forms.ts'
import { embeddedCallStart } from '../parts/bare-call-start.ts'
import { again, gap } from '../parts/invocation.ts'
import { jsonSection } from './qwen3-coder.ts'

/** A tool's name between tags. */
const toolName: Pattern = pattern.capture('name', '^\\s<>{}()\\[\\]"')

/** The tags of GLM, and those of others, who begin or end them with their own word: `<arg_key:opensource>`. */
function tagsWith(suffix: string): (name: string) => Pattern {
  return (name) =>
    suffix === '' ? pattern.sequence(`<${name}>`) : pattern.sequence(`<${name}`, pattern.optional(suffix), '>')
}

/** The beginnings of the tags; a value without its opening tag must not begin with one. */
function beginnings(tag: (name: string) => Pattern): string[] {
  return ['arg_', 'tool_'].flatMap((name) =>
    [name, `/${name}`].map((one) => {
      const written = writePattern(tag(one), {})
      return written.slice(0, written.indexOf(name) + name.length)
    }),
  )
}

/**
 * Arguments as pairs of a key and a value in tags. Models write either tag of a key twice, or leave one out; GLM 5.2
 * also leaves out `<arg_value>`. `between` is written between the tags. `joined` is the first pair if no tag separates
 * its key from the tool's name.
 */
export function keyedArguments(
  tag: (name: string) => Pattern,
  between: string,
): { argument: Expression; joined: Expression } {
  const keyEnd = pattern.sequence(
    pattern.tolerated(pattern.sequence(pattern.space(), tag('/arg_key'))),
    pattern.space(between),
    tag('arg_value'),
  )
  const closer = tag('/arg_value')
  return {
    argument: sequence(
      gap(between),
      choice(
        token(
          tag('arg_key'),
          pattern.tolerated(pattern.sequence(pattern.space(), tag('arg_key'))),
          pattern.space(),
          pattern.capture('key', '^<>'),
          pattern.space(),
          pattern.optional(tag('/arg_key')),
          keyEnd,
        ),
        token(
          tag('arg_key'),
          pattern.space(),
          pattern.capture('key', '^<>'),
          pattern.space(),
          tag('/arg_key'),
          pattern.space(),
          untagged(...beginnings(tag)),
        ),
        token(
          pattern.tolerated(tag('tool_call')),
          pattern.capture('key', '^\\s<>'),
          pattern.space(),
          tag('/arg_key'),
          keyEnd,
        ),
      ),
      value(closer, { keepsQuotes: true }),
      again(closer),
    ),
    joined: sequence(
      token(tag('tool_call'), pattern.space(), pattern.capture('joined', '^<>{}"'), tag('/arg_key'), keyEnd),
      value(closer, { keepsQuotes: true }),
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
  const end = pattern.choice(tag('arg_key'), tag('/tool_call'))
  const name = pattern.sequence(pattern.space(), toolName, pattern.ahead(pattern.sequence(pattern.space(), end)))
  return call(...head(name), repeat(keyedArguments(tag, between).argument), gap(between), closer)
}

/** A key in the wrong tag: GLM 5.3 opens the call once more. */
const keyInCall = pattern.sequence('<tool_call>', pattern.chars('^\\s<>', 1, 64), '</arg_key>')

const glmTag = tagsWith('')
const glmArguments = keyedArguments(glmTag, '\n')

/** Laguna writes its calls, and calls in other formats, between the turn tags of another model. */
const inUserTag = sequence(
  token('<user>', pattern.space()),
  choice(
    call(
      token(toolName, pattern.ahead(pattern.sequence(pattern.space(), '<arg_key>'))),
      repeat(glmArguments.argument),
      gap('\n'),
    ),
    sequence(token(pattern.ahead(embeddedCallStart)), jsonCall(undefined, { isBare: true }), gap('\n')),
  ),
  close('</user>'),
)

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
            pattern.space(),
            toolName,
            pattern.ahead(pattern.sequence(pattern.space(), pattern.choice('<arg_key>', '</tool_call>', keyInCall))),
          ),
          glmArguments.joined,
          // GLM 5.2 closes an argument although the call has none.
          token('<tool_call>', pattern.space(), toolName, pattern.space(), '</arg_value>'),
          // Models that have seen much JSON write all arguments as one object after the name.
          sequence(
            token('<tool_call>', pattern.space(), toolName, pattern.space(), pattern.ahead('{')),
            jsonArguments({}, { isWrapped: true }),
          ),
        ),
        repeat(glmArguments.argument),
        gap('\n'),
        close('</tool_call>'),
      ),
      place: 'anywhere',
    },
    jsonSection('<tool_call>', '</tool_call>'),
    { tree: inUserTag, place: 'phrase' },
  ],
  reasoning: [reasoningForms.think],
  markers: ['<|user|>', '<|observation|>', '<|role_end|>'],
}

const hunyuanTag = tagsWith(':opensource')
const hunyuanArguments = keyedArguments(hunyuanTag, '\n')
const hunyuanHead = [hunyuanTag('tool_call'), pattern.space(), toolName, pattern.space()]
const hunyuanCall = call(
  choice(
    sequence(
      token(
        ...hunyuanHead,
        pattern.optional(hunyuanTag('tool_sep')),
        pattern.ahead(
          pattern.sequence(pattern.space(), pattern.choice(hunyuanTag('arg_key'), hunyuanTag('/tool_call'))),
        ),
      ),
      repeat(hunyuanArguments.argument),
    ),
    // All arguments as one object, which other models write there.
    sequence(
      token(...hunyuanHead, hunyuanTag('tool_sep'), pattern.space(), pattern.ahead('{')),
      jsonArguments({}, { isWrapped: true }),
    ),
  ),
  gap('\n'),
  close(hunyuanTag('/tool_call')),
)

export const hunyuan: FormatData = {
  name: 'hunyuan',
  families: 'Hunyuan 3, Hunyuan 4 (tags without a suffix)',
  source: 'the chat template of Hunyuan 3',
  example:
    '<tool_calls:opensource>\n<tool_call:opensource>get_weather<tool_sep:opensource>\n<arg_key:opensource>city</arg_key:opensource>\n<arg_value:opensource>Paris</arg_value:opensource>\n<arg_key:opensource>days</arg_key:opensource>\n<arg_value:opensource>3</arg_value:opensource>\n</tool_call:opensource>\n</tool_calls:opensource>',
  keys: /^[\w.-]+$/,
  blocks: [
    {
      tree: sequence(
        token(hunyuanTag('tool_calls')),
        oneOrMore(sequence(gap('\n'), hunyuanCall)),
        gap('\n'),
        close(hunyuanTag('/tool_calls')),
      ),
      place: 'anywhere',
    },
    { tree: hunyuanCall, place: 'anywhere' },
  ],
  reasoning: [reasoningForms.hunyuan, reasoningForms.think],
}
