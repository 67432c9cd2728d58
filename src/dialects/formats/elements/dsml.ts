import { close, closeTag, oneOrMore, openTag, pattern, sequence, tolerated } from '../../../grammar/index.ts'
import type { Block, FormatData } from '../../format/format.ts'
import { reasoningForms } from '../../format/reasoning-forms.ts'
import { gap, invocation } from '../parts/invocation.ts'
import { emptySection } from '../parts/json-parts.ts'

/**
 * DeepSeek's tags have a special token before their names, which models leave out, garble or replace by their own:
 * GigaChat 3.5 writes the same with GCML.
 */
const sections = ['tool_calls', 'function_calls', 'tool-calls', 'toolcalls', 'calls']

/** The calls between tags with the prefix before their names, in a section of the given name. */
function sectioned(written: string, section: string): Block[] {
  const prefix = { prefix: 'vendor', written } as const
  const names = [section, ...sections.filter((name) => name !== section)]
  const invoke = invocation({
    elements: ['invoke'],
    parameters: ['parameter'],
    ...prefix,
    // `string="true"` means that the value is a string, `string="false"` that it is JSON.
    typeAttributes: ['string', 'type'],
    typeWords: { string: 'true', other: 'false' },
    between: '\n',
    keepsQuotes: true,
  })
  return [
    {
      tree: sequence(
        openTag(names, prefix),
        oneOrMore(sequence(gap('\n'), invoke)),
        gap('\n'),
        close(closeTag(names, prefix)),
      ),
      place: 'anywhere',
    },
    { tree: sequence(oneOrMore(sequence(invoke, gap())), tolerated(closeTag(names, prefix))), place: 'line' },
  ]
}

function exampleOf(prefix: string, section: string): string {
  const parameter = (name: string, isString: boolean, value: string) =>
    `<${prefix}parameter name="${name}" string="${isString}">${value}</${prefix}parameter>\n`
  const body = `${parameter('city', true, 'Paris')}${parameter('days', false, '3')}`
  return `<${prefix}${section}>\n<${prefix}invoke name="get_weather">\n${body}</${prefix}invoke>\n</${prefix}${section}>`
}

function shared(prefix: string): Pick<FormatData, 'reasoning' | 'markers' | 'separator'> {
  const section = (begin: string) => pattern.sequence(begin, prefix, pattern.choice(...sections), '>')
  return {
    reasoning: [reasoningForms.think],
    // The model writes a section without calls at times.
    markers: ['<｜end▁of▁sentence｜>', emptySection(section('<'), section('</'))],
    separator: '\n\n',
  }
}

export const dsml: FormatData = {
  name: 'dsml',
  families: 'DeepSeek V3.2 and V4, GigaChat 3.5',
  source: 'the encoding that DeepSeek publishes with V3.2 and V4',
  example: exampleOf('｜DSML｜', 'tool_calls'),
  blocks: sectioned('｜DSML｜', 'tool_calls'),
  ...shared('｜DSML｜'),
}

/** V4.1 has a blank after its mark; either dialect reads both. */
export const dsmlSpaced: FormatData = {
  name: 'dsml-spaced',
  families: 'DeepSeek V4.1',
  source: "the encoding that DeepSeek publishes with V4.1, and xgrammar's deepseek_v4_1",
  example: exampleOf('｜DSML｜ ', 'calls'),
  blocks: sectioned('｜DSML｜ ', 'calls'),
  ...shared('｜DSML｜ '),
}
