import { expect, test } from 'vitest'
import { analyzeTemplate } from './analysis/analyze.ts'
import { testTemplates } from './analysis/test-templates.ts'
import { loadTemplate } from './load.ts'
import { replyShape } from './reply-shape.ts'

function shapeOf(name: string, begun: string) {
  const loaded = loadTemplate(testTemplates.find((one) => one.name === name)?.source ?? '')
  if (loaded.type === 'error') throw new Error(loaded.message)
  const analysis = analyzeTemplate(loaded.template)
  return replyShape(analysis, analysis.format, {
    tools: [],
    toolChoice: { type: 'required' },
    parallelCalls: true,
    begun,
  })
}

test.each<[name: string, begun: string, expected: string | undefined]>([
  ['switchboard', '>>>', '>>>'],
  ['switchboard', '\n>>', '>>'],
  ['switchboard', '', undefined],
  // Reasoning, and text, that the reply is in the midst of.
  ['switchboard', '>>>self\nThey want >>>', undefined],
  ['switchboard', '>>>all\nLet me ', undefined],
  ['mimic', '<think>\n', undefined],
  ['mimic', '<think>\n\n</think>\n\n', undefined],
  ['mimic', '<think>\n\n</think>\n\n<tool', '<tool'],
  ['mimic', '<think>Is it <tool', undefined],
  ['lantern', 'Let me look: <', undefined],
])('%s with %j: of the first call the prompt has begun %j', (name, begun, expected) => {
  expect(shapeOf(name, begun).begun).toBe(expected)
})

test('what opens text like a call is written before JSON', () => {
  expect(shapeOf('switchboard', '>>>').content).toEqual({ open: '>>>all', close: '' })
  expect(shapeOf('switchboard', '').content).toBeUndefined()
})
