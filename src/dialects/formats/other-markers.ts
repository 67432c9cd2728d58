import {
  choice,
  type Expression,
  jsonCalls,
  oneOrMore,
  type Pattern,
  pattern,
  sequence,
  token,
  tolerated,
} from '../../grammar/index.ts'
import type { Block } from '../format/format.ts'
import { glm } from './elements/glm.ts'
import { minimaxM2 } from './elements/minimax.ts'
import { qwen3Coder } from './elements/qwen3-coder.ts'
import { hermes } from './json/in-tags.ts'
import { mistral } from './json/mistral.ts'
import { barMarker } from './parts/bar-marker.ts'
import { calls, fenced } from './parts/json-parts.ts'

/** Calls of one family between the markers of another: models write them that were trained on texts of several. */

const [begin, end] = [barMarker('\u2581', 'tool', 'calls', 'begin'), barMarker('\u2581', 'tool', 'calls', 'end')]

/** Markers after which their own family has an id or a name, and others have JSON. */
const idOpeners: readonly (Pattern | string)[] = [
  '<|tool_call_begin|>',
  '<|tool_calls_section_begin|>',
  '<|tool_call_section_begin|>',
  begin,
]
const opener: Pattern = pattern.sequence(
  pattern.choice(
    ...idOpeners,
    '<|tool_call|>',
    '<|tool_calls|>',
    '<|tool_call>',
    '<|tool_call_start|>',
    '<|function_call|>',
    '<|python_tag|>',
    '<|START_ACTION|>',
    '[TOOL_CALLS]',
    '[TOOL_CALL]',
    '[TOOL_REQUEST]',
    '<TOOLCALL>',
    '<tool_calls>',
    '<tool_call>',
    '<function_calls>',
    '<function_call>',
    '<minimax:tool_call>',
    '<seed:tool_call>',
  ),
  pattern.space(),
)
/** Closing markers, in any number up to three: of the inner family, of the outer one, or the opening marker once more. */
const closer: Expression = tolerated(
  token(
    pattern.space(),
    pattern.choice(
      '<|tool_call_end|>',
      '<|tool_calls_section_end|>',
      '<|tool_call_section_end|>',
      end,
      '<|/tool_call|>',
      '<|/tool_calls|>',
      '</|tool_call|>',
      '</|tool_calls|>',
      '<|tool_call|>',
      '<tool_call|>',
      '<|END_ACTION|>',
      '<|python_end|>',
      '[/TOOL_CALLS]',
      '[/TOOL_CALL]',
      '[END_TOOL_REQUEST]',
      '</TOOLCALL>',
      '</tool_calls>',
      '</tool_call>',
      '</function_calls>',
      '</function_call>',
      '</minimax:tool_call>',
      '</seed:tool_call>',
    ),
  ),
)

/** The calls that begin with their own marker. */
const marked = [hermes, qwen3Coder, mistral, minimaxM2, glm].flatMap(({ blocks }) => blocks.map(({ tree }) => tree))
const markedStart: Pattern = pattern.choice('<tool_call>', '<function=', '<invoke ', '[TOOL_CALLS]')

/** Returns calls after the markers of another family, and the closers of those markers. */
function after(start: Expression, inner: Expression): Block {
  return { tree: sequence(start, inner, closer, closer, closer), place: 'anywhere' }
}

/** The blocks that the universal reader has for these. */
export const otherMarkers: readonly Block[] = [
  after(
    token(opener, pattern.tolerated(opener), pattern.ahead(markedStart)),
    oneOrMore(sequence(token(pattern.space(), pattern.ahead(markedStart)), choice(...marked))),
  ),
  after(
    token(pattern.choice(...idOpeners), pattern.space(), pattern.tolerated(pattern.choice(...idOpeners))),
    sequence(token(pattern.space()), calls, fenced(jsonCalls())),
  ),
]
