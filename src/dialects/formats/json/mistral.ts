import {
  call,
  jsonArguments,
  jsonCalls,
  oneOrMore,
  pattern,
  sequence,
  token,
  tolerated,
} from '../../../grammar/index.ts'
import type { FormatData } from '../../format/format.ts'
import { reasoningForms } from '../../format/reasoning-forms.ts'
import { argumentsStart, calls, fenced, noCalls, parisArguments, turnEnd } from '../parts/json-parts.ts'

/** A name may have any character but those that end it. */
const name = pattern.capture('name', '^\\[\\]{}<>\\s"\'', 128)

/** Small 3.2 has an id after the name; some fine-tunes leave `[ARGS]` out. */
const named = sequence(
  call(
    token(
      '[TOOL_CALLS]',
      pattern.tolerated('[TOOL_CALLS]'),
      pattern.space(),
      name,
      pattern.space(),
      pattern.tolerated(
        pattern.sequence('[CALL_ID]', pattern.space(), pattern.capture('id', '\\w-', 64), pattern.space()),
      ),
      pattern.optional('[ARGS]'),
      pattern.space(),
      pattern.ahead(argumentsStart),
    ),
    jsonArguments(),
  ),
  tolerated(token(pattern.space(), '[/TOOL_CALLS]')),
  turnEnd,
)

/** A call without arguments may lack them and their marker: the text after it shows that none came. */
const nameAlone = sequence(
  oneOrMore(
    call(
      token(
        '[TOOL_CALLS]',
        pattern.space(),
        name,
        pattern.tolerated('[ARGS]'),
        pattern.ahead(
          pattern.choice(
            pattern.sequence(pattern.space(), pattern.choice('[TOOL_CALLS]', '[/TOOL_CALLS]', '</s>', pattern.textEnd)),
            '\n',
          ),
        ),
      ),
    ),
  ),
  tolerated(token(pattern.space(), pattern.choice('[/TOOL_CALLS]', '</s>'))),
  turnEnd,
)

/** Before v11: all calls in one list. */
const list = sequence(
  token('[TOOL_CALLS]', pattern.space()),
  calls,
  fenced(jsonCalls({ name: 'name', arguments: 'arguments', id: 'id' })),
  tolerated(token(pattern.space(), '[/TOOL_CALLS]')),
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
