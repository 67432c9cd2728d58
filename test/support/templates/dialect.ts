import { analyzeTemplate } from '../../../src/templates/analysis/analyze.ts'
import { type TemplateDialect, templateDialect } from '../../../src/templates/dialect/template-dialect.ts'
import { safeLoadTemplate } from '../../../src/templates/source/load.ts'
import type { TestTemplate } from './templates.ts'

const analysed = new Map<string, TemplateDialect>()

/** Returns the dialect of a template. Files of tests that share a process share it: an analysis takes up to 100 ms. */
export function testDialect({
  source,
  specialTokens,
}: Pick<TestTemplate, 'source' | 'specialTokens'>): TemplateDialect {
  const key = JSON.stringify([source, specialTokens])
  const known = analysed.get(key)
  if (known) return known
  const loaded = safeLoadTemplate(source, { specialTokens })
  if (loaded.type === 'error') throw new Error(loaded.message)
  const dialect = templateDialect(analyzeTemplate(loaded.template))
  analysed.set(key, dialect)
  return dialect
}
