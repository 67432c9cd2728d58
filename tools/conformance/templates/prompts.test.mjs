// @ts-check
import { expect, onTestFinished, test } from 'vitest'
import { folderOf, testTemplateLibrary } from '../library/test-templates.mjs'
import { prompts } from './prompts.mjs'

const both = 'zq_read_log, zq_list_jobs'
const grammar = { grammar: '', isLazy: true, triggers: [{ type: /** @type {const} */ ('word'), value: '<call>' }] }

/**
 * @param {string} source of a template; `plain` renders no calls
 * @param {string} text of each prompt
 */
function score(source, text) {
  const library = {
    ...testTemplateLibrary,
    templateDialect: (/** @type {import('../library/template-types.ts').TemplateAnalysis} */ analysis) => ({
      .../** @type {import('../library/template-types.ts').TemplateDialect} */ (
        testTemplateLibrary.templateDialect?.(analysis)
      ),
      safeRenderPrompt: () => ({ type: /** @type {const} */ ('prompt'), text, begun: '' }),
      grammar: () => grammar,
    }),
  }
  const result = prompts.score(folderOf({ a: source }, {}, onTestFinished), library)
  return result?.failures.map(({ id, differences }) => [id, differences.map(({ note }) => note).join('; ')])
}

test.each([
  ['names both, and the template renders calls', '', both],
  ['names both and says how to call', 'plain', `${both}: write <call>`],
])('a prompt that %s passes', (_, source, text) => {
  expect(score(source, text)).toEqual([])
})

test.each([
  ['names one', '', 'zq_read_log', 'the prompt does not name zq_list_jobs'],
  ['does not say how to call', 'plain', both, 'the prompt does not say how to call'],
])('a prompt that %s fails', (_, source, text, why) => {
  expect(score(source, text)?.[0]).toEqual(['a/a question', why])
})

test('a template that refuses fails', () => {
  const result = prompts.score(folderOf({ a: 'refuses' }, {}, onTestFinished), {
    ...testTemplateLibrary,
    templateDialect: (analysis) => ({
      .../** @type {import('../library/template-types.ts').TemplateDialect} */ (
        testTemplateLibrary.templateDialect?.(analysis)
      ),
      grammar: () => grammar,
    }),
  })
  expect(result?.failures).toHaveLength(4)
})
