import {
  call,
  choice,
  close,
  type Expression,
  jsonCalls,
  oneOrMore,
  pattern,
  repeat,
  sequence,
  token,
  tolerated,
  value,
} from '../../../grammar/index.ts'
import type { FormatData } from '../../format/format.ts'
import { reasoningForms } from '../../format/reasoning-forms.ts'
import { gap } from '../parts/invocation.ts'

const opener = '<ifm|tool_call>'
const closer = '</ifm|tool_call>'

/** Keys and values in tags, with or without the value's type between them. */
const tagged: Expression = call(
  token(
    opener,
    pattern.space(),
    pattern.capture('name', '^\\s<>{}\\[\\]"'),
    pattern.ahead(pattern.sequence(pattern.space(), pattern.choice('<ifm|arg_key>', closer))),
  ),
  repeat(
    sequence(
      gap('\n'),
      token(
        '<ifm|arg_key>',
        pattern.space(),
        pattern.capture('key', '^<>'),
        pattern.space(),
        '</ifm|arg_key>',
        pattern.optional(
          pattern.sequence(
            pattern.space(),
            '<ifm|arg_type>',
            pattern.space(),
            pattern.capture('type', '^<>'),
            pattern.space(),
            '</ifm|arg_type>',
          ),
        ),
        pattern.space(),
        '<ifm|arg_value>',
      ),
      value('</ifm|arg_value>', {
        keepsQuotes: true,
        typeWords: {
          string: 'string',
          number: 'number',
          integer: 'integer',
          boolean: 'boolean',
          null: 'null',
          object: 'object',
          array: 'array',
        },
      }),
    ),
  ),
  gap(),
  close(closer),
)

const inJson: Expression = sequence(
  token(opener, pattern.space(), pattern.ahead(pattern.choice('{', '['))),
  jsonCalls(),
  gap(),
  close(closer),
)
const one: Expression = choice(tagged, inJson)

export const k2Horizon: FormatData = {
  name: 'k2-horizon',
  families: 'K2 Horizon (K2-v3 IFM)',
  source: 'the format that vLLM and SGLang read for K2-v3',
  example:
    '<ifm|tool_calls>\n<ifm|tool_call>get_weather\n<ifm|arg_key>city</ifm|arg_key><ifm|arg_type>string</ifm|arg_type><ifm|arg_value>Paris</ifm|arg_value>\n<ifm|arg_key>days</ifm|arg_key><ifm|arg_type>integer</ifm|arg_type><ifm|arg_value>3</ifm|arg_value></ifm|tool_call>\n</ifm|tool_calls>',
  keys: /^[\w.-]+$/,
  blocks: [
    {
      tree: sequence('<ifm|tool_calls>', oneOrMore(sequence(gap('\n'), one)), gap('\n'), close('</ifm|tool_calls>')),
      place: 'anywhere',
    },
    { tree: sequence(oneOrMore(sequence(one, gap())), tolerated('</ifm|tool_calls>')), place: 'anywhere' },
  ],
  reasoning: [reasoningForms.k2Horizon, reasoningForms.k2HorizonFast, reasoningForms.k2HorizonFaster],
}
