import { describe, expect, test } from 'vitest'
import { coveringPairs, lawRuns } from '../../../test/support/draws.ts'
import { admits, derive, parseGbnf, type TestGrammar } from '../../../test/support/grammar/gbnf.ts'
import { randomOf } from '../../../test/support/grammar/random.ts'
import { shapeOf } from '../../../test/support/grammar/reply-shapes.ts'
import { customTool, textGrammars } from '../../../test/support/grammar/text-grammars.ts'
import { tools } from '../../../test/support/grammar/tools.ts'
import { formats } from '../../dialects/formats/index.ts'
import { eagerGrammar } from '../gbnf/calls/eager-grammar.ts'
import { readLarkRules } from '../gbnf/lark/grammar.ts'
import { recognise } from '../gbnf/text/recognise.ts'
import { printReplyGrammar } from './grammar.ts'
import { printReplyLark } from './lark.ts'
import type { ReplyRequest } from './shape.ts'

const some = tools.filter(({ name }) => ['get_weather', 'now', 'edit'].includes(name))
const request: ReplyRequest = { tools: some, toolChoice: { type: 'required' }, parallelCalls: true }
const nested = { type: 'object', properties: { a: {}, b: { type: 'array', items: { $ref: '#' } } }, required: ['a'] }
const kinds: readonly (readonly [name: string, request: ReplyRequest])[] = [
  ['calls', request],
  ['free calls', { ...request, toolChoice: { type: 'auto' } }],
  ['calls after text', { ...request, textBefore: true }],
  ['text', { ...request, toolChoice: { type: 'none' } }],
  ['JSON', { ...request, toolChoice: { type: 'none' }, responseSchema: nested }],
  ['calls or JSON', { ...request, toolChoice: { type: 'auto' }, responseSchema: nested }],
  ['custom tools', { ...request, tools: textGrammars.slice(1, 2).map(customTool) }],
]
const kindsOf = coveringPairs(formats, kinds, { fewest: 1 })

/** Far above those of any grammar here. */
const bounds = { characters: 5_000_000, tokens: 1_000_000 }
const signs = ['<', '\n', '"', '}', '/', 'x', ' ', '</', '{"name": "', '[TOOL_CALLS]']

/** Draws a text, and one that differs from it in a place. */
function drawn(grammar: TestGrammar, draw: number): readonly string[] {
  const random = randomOf(draw)
  const text = derive(grammar, random, 20 + draw * 10)
  const chars = [...text]
  const sign = signs[Math.floor(random() * signs.length)] ?? ''
  chars.splice(Math.floor(random() * chars.length), Math.floor(random() * 2), sign)
  return [text, chars.join('')]
}

/** The Lark of each grammar, read back, admits the texts of its GBNF, and no others. */
describe.each(formats.map((format) => [format.name, format] as const))('%s in Lark', (name, format) => {
  test.each(kindsOf(format))('admits the same %s as in GBNF', (_, asked) => {
    const shape = shapeOf(name)
    const found = printReplyGrammar(shape, asked)
    const held = found && eagerGrammar(found)
    const lark = printReplyLark(shape, asked)
    expect(lark?.triggers).toEqual(held?.triggers)
    expect(lark?.widened).toEqual(held && found?.widened)
    if (!held || !lark) return
    const gbnf = parseGbnf(held.grammar)
    const rules = readLarkRules(lark.grammar, bounds)
    for (let draw = 0; draw < Math.ceil(lawRuns / 4); draw++) {
      for (const text of drawn(gbnf, draw)) {
        const { type } = recognise(rules, text, 5_000_000)
        expect([text, type]).toEqual([text, admits(gbnf, text) === true ? 'match' : 'mismatch'])
      }
    }
  })
})
