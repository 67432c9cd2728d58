import { expect, test, vi } from 'vitest'
import { testTemplates } from '../../../test/support/templates/templates.ts'
import { turnsDuring } from '../../../test/support/turns.ts'
import { safeLoadTemplate } from '../source/load.ts'
import { analyzeTemplate, prepareAnalysis } from './analyze.ts'

const source = testTemplates[0]?.source ?? ''

/** Returns a template that no other test has analysed. */
function fresh() {
  const loaded = safeLoadTemplate(source, { specialTokens: { eos_token: `<|${crypto.randomUUID()}|>` } })
  if (loaded.type !== 'template') throw new Error(loaded.message)
  return loaded.template
}

test('a template that was prepared is not analysed again, and its analysis is the same', async () => {
  const prepared = fresh()
  await Promise.all([prepareAnalysis(prepared), prepareAnalysis(prepared)])
  const render = vi.spyOn(prepared.compiled, 'render')
  const { template: _, ...analysis } = analyzeTemplate(prepared)
  expect(render).not.toHaveBeenCalled()
  const { template: __, ...atOnce } = analyzeTemplate(fresh())
  expect(JSON.stringify(analysis)).toBe(JSON.stringify(atOnce))
})

test('others are served while a template is analysed', async () => {
  // The formats that are tried alone are more steps.
  expect(await turnsDuring(() => prepareAnalysis(fresh()))).toBeGreaterThan(20)
})
