import { expect, test } from 'vitest'
import { testTemplates } from '../../../../test/support/templates/templates.ts'
import { safeLoadTemplate } from '../../index.ts'
import { analyzeTemplate } from '../analyze.ts'
import { holdsNonce } from '../probes/nonces.ts'

/** Gemma 4's form: reasoning is shown with calls only, and text comes after them. */
const textAfterCalls = `{%- for m in messages -%}
<turn>{{ 'model' if m.role == 'assistant' else m.role }}
{% if m.tool_calls %}{% if m.reasoning_content %}<thought>{{ m.reasoning_content }}</thought>{% endif -%}
{% for call in m.tool_calls %}<call>{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}</call>{% endfor %}{% endif %}{{ m.content or '' }}</turn>
{% endfor %}{{ tools | tojson if tools }}{% if add_generation_prompt %}<turn>model
{% endif %}`

function analysisOf(source: string) {
  const loaded = safeLoadTemplate(source)
  if (loaded.type !== 'template') throw new Error(loaded.message)
  return analyzeTemplate(loaded.template)
}

test('what stands before a text after calls is no marker of the text', () => {
  const { content, probes } = analysisOf(textAfterCalls)
  expect(content).toMatchObject({ mode: 'plain', open: '', close: '' })
  expect(probes.filter(({ passed }) => !passed)).toEqual([])
})

test.each([...testTemplates, { name: 'text after calls', source: textAfterCalls }])(
  '$name: no marker holds a word of a probe',
  ({ source }) => {
    const { frame, reasoning, content, format } = analysisOf(source)
    const markers = [frame.header, ...frame.ends, reasoning.open, reasoning.close, content.open, content.close]
    const texts = (format.markers ?? []).filter((marker) => typeof marker === 'string')
    expect([...markers, ...texts].filter(holdsNonce)).toEqual([])
  },
)
