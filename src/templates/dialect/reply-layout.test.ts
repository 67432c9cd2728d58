import { expect, test } from 'vitest'
import { testTemplates } from '../../../test/support/templates/templates.ts'
import { analyzeTemplate } from '../analysis/analyze.ts'
import { safeLoadTemplate } from '../source/load.ts'
import { replyLayout } from './reply-layout.ts'

function shapeOf(name: string, begun: string) {
  const loaded = safeLoadTemplate(testTemplates.find((one) => one.name === name)?.source ?? '')
  if (loaded.type === 'error') throw new Error(loaded.message)
  const analysis = analyzeTemplate(loaded.template)
  return replyLayout(analysis, analysis.format, {
    tools: [],
    toolChoice: { type: 'required' },
    parallelCalls: true,
    begun,
  })
}

test.each<[name: string, begun: string, expected: string | undefined]>([
  ['recipient-lines', '>>>', '>>>'],
  ['recipient-lines', '\n>>', '>>'],
  ['recipient-lines', '', undefined],
  // Reasoning, and text, that the reply is in the midst of.
  ['recipient-lines', '>>>self\nThey want >>>', undefined],
  ['recipient-lines', '>>>all\nLet me ', undefined],
  ['hermes-tags', '<think>\n', undefined],
  ['hermes-tags', '<think>\n\n</think>\n\n', undefined],
  ['hermes-tags', '<think>\n\n</think>\n\n<tool', '<tool'],
  ['hermes-tags', '<think>Is it <tool', undefined],
  ['json-in-wide-brackets', 'Let me look: <', undefined],
])('%s with %j: of the first call the prompt has begun %j', (name, begun, expected) => {
  expect(shapeOf(name, begun).begun).toBe(expected)
})

test('what opens text like a call is written before JSON', () => {
  expect(shapeOf('recipient-lines', '>>>').content).toEqual({ open: '>>>all', close: '' })
  expect(shapeOf('recipient-lines', '').content).toBeUndefined()
})

/** Pairs of tags in the way of GLM: the formats of two families read it. */
const pairs = [
  '{% for m in messages %}[{{ m.role }}]{{ m.content or "" }}',
  '{% for c in m.tool_calls or [] %}{% set f = c.function %}<tool_call>{{ f.name }}\n',
  '{% for k, v in f.arguments.items() %}<arg_key>{{ k }}</arg_key>\n',
  '<arg_value>{{ v if v is string else v | tojson }}</arg_value>\n{% endfor %}</tool_call>\n{% endfor %}',
  '{% if m.role != "user" %}[end]{% endif %}{% endfor %}{% if add_generation_prompt %}[assistant]{% endif %}',
].join('')

test('what another family writes is no way to call for this one, though its format reads both', () => {
  const loaded = safeLoadTemplate(pairs)
  if (loaded.type === 'error') throw new Error(loaded.message)
  const analysis = analyzeTemplate(loaded.template)
  expect(analysis.families).toEqual(['hunyuan', 'glm'])
  const shape = replyLayout(analysis, analysis.format, {
    tools: [],
    toolChoice: { type: 'auto' },
    parallelCalls: true,
  })
  expect(shape.otherCalls).toEqual([])
})
