import {
  ahead,
  call,
  capture,
  jsonArguments,
  jsonCalls,
  maybe,
  oneOf,
  seq,
  sequence,
  some,
  space,
  textEnd,
  token,
  tolerated,
} from '../../../grammar/index.ts'
import type { FormatData } from '../../format/format.ts'
import { reasoningForms } from '../../format/reasoning-forms.ts'
import { calls, fenced, noCalls, objectStart, parisArguments, turnEnd } from '../parts/json-parts.ts'

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

/** A call without arguments may lack them and their marker: what follows shows that none came. */
const nameAlone = seq(
  some(
    call(
      token(
        '[TOOL_CALLS]',
        space(),
        name,
        maybe('[ARGS]'),
        ahead(sequence(space(), oneOf('[TOOL_CALLS]', '[/TOOL_CALLS]', '</s>', textEnd))),
      ),
      {
        type: 'close',
        of: token(oneOf('[/TOOL_CALLS]', '</s>')),
        mayBeMissing: true,
        others: [token('[TOOL_CALLS]')],
      },
    ),
  ),
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
    { tree: nameAlone, place: 'anywhere' },
  ],
  reasoning: [reasoningForms.mistral],
  markers: ['</s>', '[/TOOL_CALLS]', noCalls('[TOOL_CALLS]')],
  separator: '',
}
