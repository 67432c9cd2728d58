import { describe, expect, test } from 'vitest'
import { readBlock } from '../../../../test/support/dialects/format-reading.ts'
import { coveringPairs, lawRuns } from '../../../../test/support/draws.ts'
import { derive, parseGbnf } from '../../../../test/support/grammar/gbnf.ts'
import { randomOf } from '../../../../test/support/grammar/random.ts'
import { customTool, readGrammar, textGrammars } from '../../../../test/support/grammar/text-grammars.ts'
import { formats } from '../../../dialects/formats/index.ts'
import { printStructuralTag } from '../../reply/structural-tag.ts'
import { matchText } from '../text/match.ts'
import { type GrammarRequest, makeCallsGrammar } from './grammar.ts'

const grammarsFor = coveringPairs(formats, textGrammars, { fewest: 1 })
const unexpressed = 'the pattern or grammar of argument "input" is not expressed: it may admit markers of the format'

/** The input of a custom tool is held to its grammar in the calls of each format, or the format's grammar says that it is not. */
for (const format of formats) {
  const [block] = format.blocks
  if (!block) continue
  const separator = format.separator === undefined ? {} : { separator: format.separator }

  describe(format.name, () => {
    test.each(grammarsFor(format))('holds an input to $definition', (definition) => {
      const grammar = readGrammar(definition)
      const tools = [customTool(definition)]
      const request: GrammarRequest = { tools, toolChoice: { type: 'required' }, parallelCalls: false, ...separator }
      const found = makeCallsGrammar(block.tree, request)
      const printed = parseGbnf(found?.grammar ?? '')
      for (let draw = 0; draw < lawRuns; draw++) {
        const text = derive(printed, randomOf(draw), 20 + draw * 4)
        const { status, calls, rest } = readBlock([block], text, { tools })
        expect([text, status, rest, calls.length]).toEqual([text, 'complete', '', 1])
        const { input } = JSON.parse(calls[0]?.slice('run '.length) ?? '')
        const verdict = matchText(grammar, input)
        if (verdict.type !== 'match') expect([text, found?.widened]).toEqual([text, [unexpressed]])
      }
    })

    test('holds it in a structural tag, or says that it does not', () => {
      const tools = [customTool({ syntax: 'regex', definition: 'a{2}b' })]
      const found = printStructuralTag(block.tree, {
        tools,
        toolChoice: { type: 'required' },
        parallelCalls: true,
        ...separator,
      })
      // No schema of the tool says what the grammar does.
      expect(JSON.stringify(found?.tag)).not.toContain('"json_schema"')
      expect(found?.widened).toEqual([])
    })
  })
}
