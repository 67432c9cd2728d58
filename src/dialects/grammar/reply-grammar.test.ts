import { describe, expect, it } from 'vitest'
import { callsOf, readPieces } from '../../../test/support/dialects/replies.ts'
import { lawRuns } from '../../../test/support/draws.ts'
import { derive, parseGbnf } from '../../../test/support/grammar/gbnf.ts'
import { randomOf } from '../../../test/support/grammar/random.ts'
import { schemaFault } from '../../../test/support/grammar/schema.ts'
import { tools as allTools } from '../../../test/support/grammar/tools.ts'
import { AnycallError } from '../../conversation/index.ts'
import { call, close, jsonArguments, oneOrMore, pattern, repeat, sequence, value } from '../../grammar/index.ts'
import { analyzeTemplate, loadTemplate, templateDialect } from '../../templates/index.ts'
import { defineDialect } from '../define/index.ts'
import { getDialect } from '../index.ts'
import { toGbnf, toStructuralTag } from './index.ts'

const tools = allTools.filter(({ name }) => ['get_weather', 'now', 'edit'].includes(name))
const name = pattern.capture('name', '\\w.-')
const key = pattern.capture('key', '\\w.-')
const json = call('<call:', name, '>', jsonArguments(), close('</call>'))
const tagged = call('<do:', name, '>', repeat(sequence('<in:', key, '>', value('</in>'))), close('</do>'))
const trigger = '<<CALL_9f3a27c1>>'

const dialects = [
  defineDialect({ name: 'json', calls: json, reasoning: { open: '<muse>', close: '</muse>' } }),
  defineDialect({ name: 'tagged', calls: sequence('<dos>', oneOrMore(tagged), close('</dos>')) }),
  defineDialect({ name: 'triggered', calls: json, usesTrigger: true }),
]

describe.each(dialects)('the grammar of a defined dialect: $name', (dialect) => {
  const options = { tools, ...(dialect.usesTrigger && { trigger }) }

  it('admits only calls that are read back and fit their schemas', () => {
    const found = toGbnf(dialect, { ...options, toolChoice: { type: 'required' }, reasoning: 'off' })
    const grammar = parseGbnf(found?.grammar ?? '')
    for (let index = 0; index < lawRuns; index++) {
      const text = derive(grammar, randomOf(index), 20 + (200 * index) / lawRuns)
      const calls = callsOf(readPieces(dialect, [text], { tools }).events)
      expect([text, calls.length > 0]).toEqual([text, true])
      for (const { name, json, complete } of calls) {
        expect([text, complete]).toEqual([text, true])
        const schema = tools.find((tool) => tool.name === name)?.schema ?? {}
        expect(schemaFault(schema, JSON.parse(json))).toBeUndefined()
      }
    }
  })

  it('is lazy where the model is free to call, and made once', () => {
    const found = toGbnf(dialect, options)
    expect(found?.isLazy).toBe(true)
    expect(toGbnf(dialect, options)?.grammar).toBe(found?.grammar)
    expect(toGbnf(dialect, { ...options, toolChoice: { type: 'none' } })?.isLazy).not.toBe(true)
  })

  it('has the form of a structural tag as well', () => {
    const tag = toStructuralTag(dialect, { ...options, toolChoice: { type: 'required' } })
    expect(tag?.tag).toMatchObject({ type: 'structural_tag' })
    expect(JSON.stringify(tag?.tag)).toContain('get_weather')
  })
})

it('takes the tools in any form, and a dialect of the package', () => {
  const hermes = getDialect('hermes')
  if (!hermes) throw new Error('there is no dialect hermes')
  const found = toGbnf(hermes, {
    tools: [{ type: 'function', function: { name: 'now' } }],
    toolChoice: { type: 'required' },
  })
  expect(found?.grammar).toContain('<tool_call>')
})

it('names what is missing', () => {
  const paramOf = (run: () => unknown): string | undefined => {
    try {
      run()
    } catch (error) {
      return AnycallError.isInstance(error) ? error.param : String(error)
    }
    return undefined
  }
  const source = '{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}assistant: '
  const ofTemplate = templateDialect(analyzeTemplate(loadTemplate(source)))
  expect(paramOf(() => toGbnf(ofTemplate, { tools }))).toBe('dialect')
  for (const dialect of dialects.filter(({ usesTrigger }) => usesTrigger)) {
    expect(paramOf(() => toStructuralTag(dialect, { tools }))).toBe('trigger')
  }
})
