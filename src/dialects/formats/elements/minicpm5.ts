import { type Expression, oneOrMore, sequence, tolerated } from '../../../grammar/index.ts'
import type { FormatData } from '../../format/format.ts'
import { reasoningForms } from '../../format/reasoning-forms.ts'
import { gap, invocation } from '../parts/invocation.ts'

const one: Expression = invocation({
  elements: ['function'],
  parameters: ['param', 'parameter', 'argument', 'arg'],
  // Text that would end a value is in CDATA, or written with entities.
  entities: true,
  between: '',
  keepsQuotes: true,
  isBare: true,
})

export const minicpm5: FormatData = {
  name: 'minicpm5',
  families: 'MiniCPM 5',
  source: 'the chat template of MiniCPM 5',
  example: '<function name="get_weather"><param name="city">Paris</param><param name="days">3</param></function>',
  blocks: [{ tree: sequence(one, tolerated(oneOrMore(sequence(gap(), one)))), place: 'phrase' }],
  reasoning: [reasoningForms.think],
  markers: ['<|im_end|>'],
  separator: '',
}
