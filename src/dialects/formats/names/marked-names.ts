import {
  call,
  close,
  jsonArguments,
  oneOrMore,
  optional,
  pattern,
  sequence,
  token,
  tolerated,
} from '../../../grammar/index.ts'
import type { FormatData } from '../../format/format.ts'
import { reasoningForms } from '../../format/reasoning-forms.ts'
import { blank, fenced, parisArguments } from '../parts/json-parts.ts'

/** Formats in which the name and the arguments each have a special token before them. */

const name = pattern.capture('name', '^<>{}|\\s"', 128)

const solarCall = call(
  token(
    pattern.space(),
    '<|tool_call:begin|>',
    pattern.optional(pattern.capture('id', '^<>|\\s', 64)),
    '<|tool_call:name|>',
    pattern.space(),
    name,
    pattern.space(),
    // A call without arguments may lack their marker.
    pattern.choice('<|tool_call:args|>', pattern.ahead('<|tool_call:end|>')),
  ),
  blank,
  fenced(jsonArguments()),
  close('<|tool_call:end|>'),
)

export const solarOpen: FormatData = {
  name: 'solar-open',
  families: 'Solar Open 100B',
  source: 'the chat template of Solar-Open-100B',
  example: `<|tool_calls|><|tool_call:begin|>call00000<|tool_call:name|>get_weather<|tool_call:args|>${parisArguments}<|tool_call:end|>`,
  blocks: [
    {
      tree: sequence(optional('<|tool_calls|>'), oneOrMore(solarCall), tolerated(token(pattern.space(), '<|calls|>'))),
      place: 'anywhere',
    },
  ],
  reasoning: [reasoningForms.solar],
  markers: ['<|begin|>assistant', '<|content|>', '<|end|>', '<|flush|>', '<|tool_calls|>', '<|calls|>'],
}

function plamo(name: string): string {
  return `<|plamo:${name}:plamo|>`
}

const plamoCall = call(
  token(
    pattern.space(),
    plamo('begin_tool_request'),
    pattern.space(),
    plamo('begin_tool_name'),
    pattern.space(),
    name,
    pattern.space(),
    plamo('end_tool_name'),
    pattern.space(),
    // A call without arguments may lack their markers.
    pattern.choice(
      pattern.sequence(
        plamo('begin_tool_arguments'),
        pattern.space(),
        pattern.optional(
          pattern.sequence(
            pattern.optional(pattern.sequence('<|plamo:constrain|>', 'json', pattern.space())),
            '<|plamo:msg|>',
          ),
        ),
      ),
      pattern.ahead(plamo('end_tool_request')),
    ),
  ),
  blank,
  jsonArguments(),
  { type: 'close', of: token(plamo('end_tool_arguments')), mayBeMissing: true },
  close(plamo('end_tool_request')),
)

export const plamo3: FormatData = {
  name: 'plamo3',
  families: 'PLaMo 3',
  source: 'the parser that vLLM has for it',
  example: `${plamo('begin_tool_requests')}${plamo('begin_tool_request')}${plamo('begin_tool_name')}get_weather${plamo('end_tool_name')}${plamo('begin_tool_arguments')}<|plamo:constrain|>json<|plamo:msg|>${parisArguments}${plamo('end_tool_arguments')}${plamo('end_tool_request')}${plamo('end_tool_requests')}`,
  blocks: [
    {
      tree: sequence(
        plamo('begin_tool_requests'),
        oneOrMore(plamoCall, pattern.space()),
        close(plamo('end_tool_requests')),
      ),
      place: 'anywhere',
    },
    { tree: sequence(plamoCall, tolerated(token(pattern.space(), plamo('end_tool_requests')))), place: 'anywhere' },
  ],
  reasoning: [reasoningForms.plamo],
  markers: ['<|plamo:tag|>'],
  separator: '',
}
