// @ts-check
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { analyzeTemplate, safeLoadTemplate, templateDialect } from '../../../src/templates/index.ts'
import { callsOf, readPieces, textOf } from '../../../test/support/dialects/replies.ts'
import { lawRuns } from '../../../test/support/draws.ts'
import { derive, parseGbnf } from '../../../test/support/grammar/gbnf.ts'
import { randomOf } from '../../../test/support/grammar/random.ts'
import { schemaFault } from '../../../test/support/grammar/schema.ts'
import { grammarFaults } from '../grammar/grammar.mjs'
import { specialTokens } from '../templates/templates.mjs'
import { drawnTemplate } from './template.mjs'

/** @import { AssistantPart, Tool } from '../../../src/index.ts' */

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
      additionalProperties: false,
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

/** @param {string} source */
function dialectOf(source) {
  const loaded = safeLoadTemplate(source, { specialTokens })
  if (loaded.type === 'error') throw new Error(loaded.message)
  return templateDialect(analyzeTemplate(loaded.template))
}

it('finds how the model of any drawn template writes, and a grammar for it', () => {
  fc.assert(
    fc.property(drawnTemplate, (source) => {
      const dialect = dialectOf(source)
      expect([dialect.analysis.handler, dialect.analysis.unread]).toEqual(['inferred', []])
      const written = dialect.renderReply(parts, tools) ?? ''
      expect(written).toContain('zq_list')
      const constraint = dialect.grammar({ tools, toolChoice: { type: 'auto' }, parallelCalls: true })
      expect(grammarFaults(constraint, written, ['zq_edit', 'zq_list'], false)).toEqual([])
    }),
    { numRuns: lawRuns },
  )
})

it('reads what such a grammar admits as valid calls, and says nothing of it', () => {
  fc.assert(
    fc.property(drawnTemplate, fc.nat(), fc.integer({ min: 20, max: 200 }), (source, seed, length) => {
      const dialect = dialectOf(source)
      const request = { tools, toolChoice: /** @type {const} */ ({ type: 'required' }), parallelCalls: true }
      const text = derive(parseGbnf(dialect.grammar(request)?.grammar ?? ''), randomOf(seed), length)
      const { events } = readPieces(dialect, [text], request)
      const calls = callsOf(events)
      const faults = calls.map(({ name, json, complete }) => {
        const schema = tools.find((tool) => tool.name === name)?.schema
        return complete ? schemaFault(schema, JSON.parse(json)) : 'incomplete'
      })
      const notices = events.filter(({ type }) => type === 'notice')
      expect([text, calls.length > 0, faults.filter((fault) => fault !== undefined), notices, textOf(events)]).toEqual([
        text,
        true,
        [],
        [],
        '',
      ])
    }),
    { numRuns: 2 * lawRuns },
  )
})
