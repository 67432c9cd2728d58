import { close, closeTag, openTag, seq, some, tolerated } from '../../grammar/index.ts'
import type { FormatData } from '../format.ts'
import { reasoningForms } from '../reasoning-forms.ts'
import { gap, invocation } from './invocation.ts'

/**
 * DeepSeek's tags have a special token before their names, which models leave out, garble or replace by their own:
 * GigaChat 3.5 writes the same with GCML.
 */
const prefix = { prefix: 'vendor', written: '｜DSML｜' } as const
const sections = ['tool_calls', 'function_calls', 'tool-calls', 'toolcalls', 'calls']

const invoke = invocation({
  elements: ['invoke'],
  parameters: ['parameter'],
  ...prefix,
  // `string="true"` says that the value is a string, `string="false"` that it is JSON.
  typeAttributes: ['string', 'type'],
  typeWords: { string: 'true', other: 'false' },
  between: '\n',
})

export const dsml: FormatData = {
  name: 'dsml',
  families: 'DeepSeek V3.2 and V4, GigaChat 3.5',
  source: 'the encoding that DeepSeek publishes with V3.2 and V4',
  example:
    '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="city" string="true">Paris</｜DSML｜parameter>\n<｜DSML｜parameter name="days" string="false">3</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
  blocks: [
    {
      tree: seq(openTag(sections, prefix), some(seq(gap('\n'), invoke)), gap('\n'), close(closeTag(sections, prefix))),
      place: 'anywhere',
    },
    { tree: seq(some(seq(invoke, gap())), tolerated(closeTag(sections, prefix))), place: 'line' },
  ],
  reasoning: [reasoningForms.think],
  markers: ['<｜end▁of▁sentence｜>'],
  separator: '\n\n',
}
