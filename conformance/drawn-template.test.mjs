// @ts-check
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { analyzeTemplate, loadTemplate, templateDialect } from '../src/templates/index.ts'
import { drawnTemplate } from './drawn-template.mjs'
import { grammarFaults } from './grammar.mjs'
import { specialTokens } from './templates.mjs'

/** @import { AssistantPart, Tool } from '../src/index.ts' */

const numRuns = Number(process.env.LAW_RUNS ?? 40)

/** @type {Tool[]} */
const tools = [
  {
    name: 'zq_edit',
    schema: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        line: { type: 'integer' },
        isNew: { type: 'boolean' },
        lines: { type: 'array', items: { type: 'string' } },
      },
    },
  },
  { name: 'zq_list', schema: { type: 'object', properties: {} } },
]

/** @type {AssistantPart[]} */
const parts = [
  { type: 'text', text: 'I will look.' },
  {
    type: 'call',
    id: 'call_1',
    name: 'zq_edit',
    arguments: JSON.stringify({ path: 'a <b>c</b> "d"', line: 3, isNew: true, lines: ['</div>', "it's"] }),
  },
  { type: 'call', id: 'call_2', name: 'zq_list', arguments: '{}' },
]

// Each with seeds that nobody has tried: what a template may be like is not known beforehand.
it('finds how the model of any drawn template writes, and a grammar for it', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(drawnTemplate, (source) => {
      const loaded = loadTemplate(source, { specialTokens })
      if (loaded.type === 'error') throw new Error(loaded.message)
      const analysis = analyzeTemplate(loaded.template)
      expect([analysis.handler, analysis.unread]).toEqual(['inferred', []])
      const dialect = templateDialect(analysis)
      const written = dialect.renderReply(parts, tools) ?? ''
      expect(written).toContain('zq_list')
      const constraint = dialect.grammar({ tools, toolChoice: { type: 'auto' }, parallelCalls: true })
      expect(grammarFaults(constraint, written, ['zq_edit', 'zq_list'], false)).toEqual([])
    }),
    { numRuns },
  )
})
