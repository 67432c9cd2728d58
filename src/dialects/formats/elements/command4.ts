import { close, oneOrMore, sequence, tolerated } from '../../../grammar/index.ts'
import type { FormatData } from '../../format/format.ts'
import { reasoningForms } from '../../format/reasoning-forms.ts'
import { gap, invocation } from '../parts/invocation.ts'

const one = invocation({
  elements: ['cofl:tool_call'],
  // Newer templates have another name for the same, and its type as DeepSeek writes it.
  parameters: ['cofl:value', 'cofl:tool_param'],
  hasId: true,
  typeAttributes: ['type', 'string'],
  typeWords: { string: 'raw', other: 'json' },
  between: '',
  keepsQuotes: true,
})

export const command4: FormatData = {
  name: 'command4',
  families: 'Cohere Command 4',
  source: 'the format that vLLM and SGLang read for Command 4',
  example:
    '<cofl:tool_calls><cofl:tool_call id="0" name="get_weather"><cofl:value name="city" type="raw">Paris</cofl:value><cofl:value name="days" type="json">3</cofl:value></cofl:tool_call></cofl:tool_calls>',
  blocks: [
    {
      tree: sequence('<cofl:tool_calls>', oneOrMore(sequence(gap(), one)), gap(), close('</cofl:tool_calls>')),
      place: 'anywhere',
    },
    { tree: sequence(oneOrMore(sequence(one, gap())), tolerated('</cofl:tool_calls>')), place: 'anywhere' },
  ],
  reasoning: [reasoningForms.cohere],
}
