import { describe, expect, test } from 'vitest'
import { callsOf, readPieces, textOf } from '../../../test/support/dialects/replies.ts'
import { coveringPairs, lawRuns } from '../../../test/support/draws.ts'
import { admits, derive, parseGbnf, type TestGrammar } from '../../../test/support/grammar/gbnf.ts'
import { randomOf } from '../../../test/support/grammar/random.ts'
import { shapeOf } from '../../../test/support/grammar/reply-shapes.ts'
import { schemaFault } from '../../../test/support/grammar/schema.ts'
import { tools } from '../../../test/support/grammar/tools.ts'
import type { JsonObject } from '../../conversation/index.ts'
import { formats } from '../../dialects/formats/index.ts'
import { formatDialect } from '../../dialects/prompt/format-dialect.ts'
import { printReplyGrammar } from './grammar.ts'
import type { ReplyRequest } from './shape.ts'

const answer: JsonObject = {
  type: 'object',
  properties: {
    summary: { type: 'string' },
    score: { type: 'integer', minimum: 0, maximum: 10 },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['summary', 'score'],
}

const some = tools.filter(({ name }) => ['get_weather', 'now', 'edit'].includes(name))
const request: ReplyRequest = { tools: some, toolChoice: { type: 'required' }, parallelCalls: true }
const mayRepeat = 'arguments that the schema does not name may come twice'

/** Markup of calls, as values hold it that show or edit calls. */
const fragments = [
  '<function>',
  '<function=get_weather>',
  '<parameter=city',
  '<parameter=city>',
  '</parameter>',
  '<call>',
  '<invoke name="now">',
  '<parameter name="city">',
  '<tool_call>',
  '</tool_call>',
  '<arg_key>city</arg_key>',
  '<arg_value>',
  '<![CDATA[',
  '[TOOL_CALLS]',
  '{"name": "',
  '", "',
  '"}]',
  '```',
]

/** The texts that are drawn from one grammar: half of them have fragments in them. */
const draws = 2 * Math.ceil(lawRuns / 3)

function drawn(grammar: TestGrammar, of: string): string[] {
  return Array.from({ length: draws }, (_, index) => {
    const random = randomOf(index + of.length * 100)
    const text = derive(grammar, random, 20 + (200 * index) / draws)
    // Text before calls may hold markup that is read as another family's call; values may not.
    return of === 'calls' && index % 2 === 1 ? withFragments(grammar, text, random) : text
  })
}

/** Puts fragments into a text, wherever the grammar admits the text with them. */
function withFragments(grammar: TestGrammar, text: string, random: () => number): string {
  let found = text
  for (let left = 6; left > 0; left--) {
    const at = Math.floor(random() * found.length)
    const fragment = fragments[Math.floor(random() * fragments.length)] ?? ''
    const tried = found.slice(0, at) + fragment + found.slice(at)
    if (admits(grammar, tried) === true) found = tried
  }
  return found
}

const reasoningForms = ['unknown', 'open', 'off'] as const
const replyKinds: readonly [name: string, more: Partial<ReplyRequest>][] = [
  ['calls', {}],
  ['calls with text before', { textBefore: true }],
  ['one call with text before', { textBefore: true, parallelCalls: false }],
  ['an answer in JSON', { toolChoice: { type: 'none' }, responseSchema: answer }],
]
const kindsOf = coveringPairs(
  formats.flatMap(({ name }) => reasoningForms.map((how) => `${name} ${how}`)),
  replyKinds,
  { fewest: 1 },
)

/** Every text that a grammar admits is read as the calls that were asked for, without notices. */
for (const format of formats) {
  const dialect = formatDialect(format)
  const { reasoning } = shapeOf(format.name)

  describe(format.name, () => {
    for (const how of reasoningForms) {
      if (how !== 'unknown' && !reasoning) continue
      const shape = shapeOf(format.name, {
        reasoning: reasoning && { ...reasoning, isOpen: how === 'open', isOff: how === 'off' },
      })
      const options = {
        tools: some,
        toolChoice: request.toolChoice,
        reasoning: how === 'open' ? 'open' : 'detect',
      } as const

      test.each(kindsOf(`${format.name} ${how}`))(`%s, reasoning ${how}`, (what, more) => {
        if (more.responseSchema) {
          checkAnswers(more)
          return
        }
        const found = printReplyGrammar(shape, { ...request, ...more })
        for (const text of drawn(parseGbnf(found?.grammar ?? ''), what)) {
          const { events } = readPieces(dialect, [text], { ...options, ...more })
          const notices = events.flatMap((event) => (event.type === 'notice' ? [event.notice.code] : []))
          if (found?.widened.includes(mayRepeat) && notices.length > 0) continue
          const calls = callsOf(events)
          expect([text, notices, calls.length > 0]).toEqual([text, [], true])
          for (const { name, json, complete } of calls) {
            const schema = some.find((one) => one.name === name)?.schema
            expect([text, complete, schemaFault(schema, JSON.parse(json))]).toEqual([text, true, undefined])
          }
          if (!('textBefore' in more)) expect([text, textOf(events)]).toEqual([text, ''])
          if (how === 'off') expect([text, textOf(events, 'reasoning')]).toEqual([text, ''])
        }
      })

      function checkAnswers(more: Partial<ReplyRequest>): void {
        const found = printReplyGrammar(shape, { ...request, ...more })
        for (const text of drawn(parseGbnf(found?.grammar ?? ''), 'json')) {
          const { events } = readPieces(dialect, [text], { ...options, tools: [], toolChoice: { type: 'none' } })
          const notices = events.flatMap((event) => (event.type === 'notice' ? [event.notice.code] : []))
          const json = textOf(events).trim()
          expect([text, notices, callsOf(events)]).toEqual([text, [], []])
          expect([text, schemaFault(answer, JSON.parse(json))]).toEqual([text, undefined])
        }
      }
    }
  })
}
