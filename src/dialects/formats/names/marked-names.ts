import {
  ahead,
  call,
  capture,
  close,
  jsonArguments,
  maybe,
  oneOf,
  optional,
  seq,
  sequence,
  some,
  space,
  token,
  tolerated,
} from '../../../grammar/index.ts'
import type { FormatData } from '../../format/format.ts'
import { reasoningForms } from '../../format/reasoning-forms.ts'
import { blank, fenced, parisArguments } from '../parts/json-parts.ts'

/** Formats in which the name and the arguments each have a special token before them. */

const name = capture('name', '^<>{}|\\s"', 128)

const solarCall = call(
  token(
    space(),
    '<|tool_call:begin|>',
    maybe(capture('id', '^<>|\\s', 64), true),
    '<|tool_call:name|>',
    space(),
    name,
    space(),
    // A call without arguments may lack their marker.
    oneOf('<|tool_call:args|>', ahead('<|tool_call:end|>')),
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
      tree: seq(optional('<|tool_calls|>'), some(solarCall), tolerated(token(space(), '<|calls|>'))),
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
    space(),
    plamo('begin_tool_request'),
    space(),
    plamo('begin_tool_name'),
    space(),
    name,
    space(),
    plamo('end_tool_name'),
    space(),
    // A call without arguments may lack their markers.
    oneOf(
      sequence(
        plamo('begin_tool_arguments'),
        space(),
        maybe(sequence(maybe(sequence('<|plamo:constrain|>', 'json', space()), true), '<|plamo:msg|>'), true),
      ),
      ahead(plamo('end_tool_request')),
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
      tree: seq(plamo('begin_tool_requests'), some(plamoCall, space()), close(plamo('end_tool_requests'))),
      place: 'anywhere',
    },
    { tree: seq(plamoCall, tolerated(token(space(), plamo('end_tool_requests')))), place: 'anywhere' },
  ],
  reasoning: [reasoningForms.plamo],
  markers: ['<|plamo:tag|>'],
  separator: '',
}
