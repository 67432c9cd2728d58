// @ts-check
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { expressionsMadeIn, overlapsIn } from '../../../test/support/dialects/expressions.ts'
import { lawRuns, someOf } from '../../../test/support/draws.ts'
import { testTemplates } from '../../../test/support/templates/templates.ts'
import { specialTokens, templateNames } from '../templates/templates.mjs'
import { drawnTemplate } from './template.mjs'

/** @import { AssistantPart, Tool } from '../../../src/index.ts' */

vi.mock('../../../src/grammar/regex/lazy-reg-exp.ts', async (original) => {
  const { compiledAtOnce } = await import('../../../test/support/dialects/expressions.ts')
  return compiledAtOnce(
    /** @type {() => Promise<typeof import('../../../src/grammar/regex/lazy-reg-exp.ts')>} */ (original),
  )
})

/** The templates of models that conformance is measured with; they are not a part of the project. */
const folder =
  process.env.ANYCALL_CONFORMANCE ?? join(import.meta.dirname, '..', '..', '..', '..', 'shared', 'conformance')

/** @type {Tool[]} */
const tools = [
  { name: 'zq_edit', schema: { type: 'object', properties: { path: { type: 'string' }, line: { type: 'integer' } } } },
]

/** @type {AssistantPart[]} */
const parts = [
  { type: 'reasoning', text: 'Hm.' },
  { type: 'text', text: 'I will look.' },
  { type: 'call', id: 'call_1', name: 'zq_edit', arguments: '{"path":"a <b>","line":3}' },
  { type: 'call', id: 'call_2', name: 'zq_edit', arguments: '{"path":"c"}' },
]

/**
 * Returns the expressions that are compiled for these templates: what each writes is neutralised, and read in pieces by its own dialect.
 * @param {readonly { source: string, specialTokens: Record<string, string> }[]} templates
 */
function expressionsOf(templates) {
  return expressionsMadeIn(async () => {
    const { analyzeTemplate, safeLoadTemplate, templateDialect } = await import('../../../src/templates/index.ts')
    for (const { source, specialTokens } of templates) {
      const loaded = safeLoadTemplate(source, { specialTokens })
      if (loaded.type === 'error') throw new Error(loaded.message)
      const dialect = templateDialect(analyzeTemplate(loaded.template))
      const written = dialect.renderReply(parts, tools) ?? 'I will look.'
      for (const way of [{}, { looseCalls: true, reasoning: /** @type {const} */ ('open') }]) {
        const reader = dialect.createReader({
          ...way,
          tools,
          toolChoice: { type: 'auto' },
          parallelCalls: true,
          delivery: 'live',
          newCallId: () => 'call_1',
        })
        const half = Math.floor(written.length / 2)
        for (const piece of [written.slice(0, 8), written.slice(8, half), written.slice(half)]) reader.push(piece)
        reader.end()
      }
    }
  })
}

/** By default, one of so many templates is tested; the run's seed chooses them. */
const every = 20

/** The sources of the models' templates, or none where the folder with them is absent. */
function modelTemplates() {
  if (!existsSync(folder)) return []
  return someOf(templateNames(folder), every).map((name) =>
    readFileSync(join(folder, 'templates', `${name}.jinja`), 'utf8'),
  )
}

// One run for all templates: what each compiles for the universal reader takes far longer than its own expressions.
test('no dialect of a template written for tests, drawn, or of a model has an expression whose repetitions overlap', {
  timeout: 240_000,
}, async () => {
  const drawn = fc.sample(drawnTemplate, { numRuns: Math.ceil(lawRuns / 2) })
  const sources = [...drawn, ...modelTemplates()].map((source) => ({ source, specialTokens }))
  const made = await expressionsOf([...someOf(testTemplates, every), ...sources])
  expect(made.length).toBeGreaterThan(80)
  expect(overlapsIn(someOf(made))).toEqual([])
})
