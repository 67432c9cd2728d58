import { close, type Expression, seq, some, space, token, tolerated } from '../../grammar/index.ts'
import type { FormatData } from '../format.ts'
import { gap, invocation } from './invocation.ts'

const invoke = invocation({ elements: ['steptml:invoke'], parameters: ['steptml:parameter'], between: '' })
const one: Expression = seq(
  token('<｜tool_call_begin｜>', space(), 'function', space(), '<｜tool_sep｜>', space()),
  invoke,
  gap(),
  close('<｜tool_call_end｜>'),
)

export const step3: FormatData = {
  name: 'step3',
  families: 'StepFun Step-3',
  source: 'the format that vLLM and SGLang read for Step-3',
  example:
    '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="get_weather"><steptml:parameter name="city">Paris</steptml:parameter><steptml:parameter name="days">3</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
  blocks: [
    {
      tree: seq('<｜tool_calls_begin｜>', some(seq(gap(), one)), gap(), close('<｜tool_calls_end｜>')),
      place: 'anywhere',
    },
    { tree: seq(some(seq(one, gap())), tolerated('<｜tool_calls_end｜>')), place: 'anywhere' },
    { tree: invoke, place: 'anywhere' },
  ],
}
