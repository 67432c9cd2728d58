import {
  close,
  type Expression,
  oneOrMore,
  type Pattern,
  pattern,
  sequence,
  token,
  tolerated,
} from '../../../grammar/index.ts'
import type { FormatData } from '../../format/format.ts'
import { barMarker } from '../parts/bar-marker.ts'
import { gap, invocation } from '../parts/invocation.ts'
import { emptySection } from '../parts/json-parts.ts'

function marker(...words: string[]): Pattern {
  return barMarker('_', ...words)
}

const end = marker('tool', 'call', 'end')
const sectionBegin = marker('tool', 'calls', 'begin')
const sectionEnd = marker('tool', 'calls', 'end')
const invoke = invocation({
  elements: ['steptml:invoke'],
  parameters: ['steptml:parameter'],
  between: '',
  keepsQuotes: true,
})
const separator = marker('tool', 'sep')
/**
 * The kind of tool that is called. Models leave it out, or write the tool's name in its line as well, as DeepSeek does.
 */
const kind: Pattern = pattern.sequence(
  'function',
  pattern.space(),
  separator,
  pattern.space(),
  pattern.tolerated(pattern.sequence(pattern.chars('\\w.:-', 1, 128), '\n', pattern.space())),
)
const one: Expression = sequence(
  token(marker('tool', 'call', 'begin'), pattern.space(), pattern.optional(kind)),
  invoke,
  gap(),
  close(end),
  tolerated(gap(), token(separator)),
)

export const step3: FormatData = {
  name: 'step3',
  families: 'StepFun Step-3',
  source: 'the format that vLLM and SGLang read for Step-3',
  example:
    '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="get_weather"><steptml:parameter name="city">Paris</steptml:parameter><steptml:parameter name="days">3</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
  blocks: [
    {
      tree: sequence(token(sectionBegin), oneOrMore(sequence(gap(), one)), gap(), close(sectionEnd)),
      place: 'anywhere',
    },
    { tree: sequence(oneOrMore(sequence(one, gap())), tolerated(token(sectionEnd))), place: 'anywhere' },
    { tree: invoke, place: 'anywhere' },
  ],
  markers: [emptySection(sectionBegin, sectionEnd)],
}
