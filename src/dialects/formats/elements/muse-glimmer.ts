import { close, type Expression, oneOrMore, pattern, sequence, token, tolerated } from '../../../grammar/index.ts'
import type { FormatData } from '../../format/format.ts'
import { reasoningForms } from '../../format/reasoning-forms.ts'
import { gap, invocation } from '../parts/invocation.ts'

const invoke = invocation({
  elements: ['atem:invoke'],
  parameters: ['atem:parameter'],
  between: '\n',
  keepsQuotes: true,
})
/** A message contains one call; if there are more, they are read. */
const section: Expression = sequence(
  '<atem:function_calls>',
  gap('\n'),
  invoke,
  tolerated(oneOrMore(sequence(gap(), invoke))),
  gap('\n'),
  close('</atem:function_calls>'),
)

export const museGlimmer: FormatData = {
  name: 'muse-glimmer',
  families: 'Muse Glimmer',
  source: 'the chat template of Muse Glimmer',
  example:
    'to=get_weather<|message|><atem:function_calls>\n<atem:invoke name="get_weather">\n<atem:parameter name="city">Paris</atem:parameter>\n<atem:parameter name="days">3</atem:parameter>\n</atem:invoke>\n</atem:function_calls>',
  blocks: [
    // The message's header names the recipient before the call does.
    {
      tree: sequence(
        token(pattern.tolerated(' '), 'to=', pattern.captured('name'), '<|message|>', pattern.space()),
        section,
      ),
      place: 'line',
    },
    { tree: section, place: 'anywhere' },
  ],
  reasoning: [reasoningForms.muse],
  userMessages: [
    {
      open: pattern.sequence(pattern.tolerated(' '), 'to=user<|message|>'),
      close: pattern.choice('<|eom|>', '<|eot|>'),
    },
  ],
  markers: [
    pattern.sequence('<|start|>assistant', pattern.chars(' ', 0, 2)),
    pattern.sequence(pattern.tolerated(' '), 'to=user<|message|>'),
    '<|message|>',
    '<|eom|>',
    '<|eot|>',
  ],
}
