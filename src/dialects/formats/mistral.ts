import {
  ahead,
  call,
  capture,
  jsonArguments,
  jsonCalls,
  maybe,
  seq,
  sequence,
  space,
  token,
  tolerated,
} from '../../grammar/index.ts'
import type { FormatData } from '../format.ts'
import { reasoningForms } from '../reasoning-forms.ts'
import { calls, fenced, objectStart, parisArguments, turnEnd } from './json-parts.ts'

/** A name may have any character but those that end it. */
const name = capture('name', '^\\[\\]{}<>\\s"\'', 128)

/** Small 3.2 has an id behind the name; some fine-tunes leave `[ARGS]` out. */
const named = seq(
  call(
    token(
      '[TOOL_CALLS]',
      maybe('[TOOL_CALLS]'),
      space(),
      name,
      space(),
      maybe(sequence('[CALL_ID]', space(), capture('id', '\\w-', 64), space())),
      maybe('[ARGS]', true),
      space(),
      ahead(objectStart),
    ),
    jsonArguments(),
  ),
  tolerated(token(space(), '[/TOOL_CALLS]')),
  turnEnd,
)

/** Before v11: all calls in one list. */
const list = seq(
  token('[TOOL_CALLS]', space()),
  calls,
  fenced(jsonCalls({ name: 'name', arguments: 'arguments', id: 'id' })),
  tolerated(token(space(), '[/TOOL_CALLS]')),
  turnEnd,
)

export const mistral: FormatData = {
  name: 'mistral',
  families: 'Mistral Nemo, Mistral Small, Devstral, Magistral, Ministral 3',
  source: 'mistral-common, tokenizers v3 to v13',
  example: `[TOOL_CALLS]get_weather[ARGS]${parisArguments}`,
  blocks: [
    { tree: named, place: 'anywhere' },
    { tree: list, place: 'anywhere' },
  ],
  reasoning: [reasoningForms.mistral],
  markers: ['</s>'],
  separator: '',
}
