import { analyzeTemplate } from './analysis/analyze.ts'
import type { TestTemplate } from './analysis/test-templates.ts'
import { loadTemplate } from './load.ts'
import { type TemplateDialect, templateDialect } from './template-dialect.ts'

/** The dialect of one of the templates that are for tests only. */
export function testDialect({
  source,
  specialTokens,
}: Pick<TestTemplate, 'source' | 'specialTokens'>): TemplateDialect {
  const loaded = loadTemplate(source, { specialTokens })
  if (loaded.type === 'error') throw new Error(loaded.message)
  return templateDialect(analyzeTemplate(loaded.template))
}
