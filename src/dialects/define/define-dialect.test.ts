import { describe, expect, it, test } from 'vitest'
import { someOf } from '../../../test/support/draws.ts'
import {
  call,
  choice,
  close,
  type Expression,
  jsonArguments,
  jsonCall,
  oneOrMore,
  optional,
  pattern,
  repeat,
  sequence,
  token,
  value,
} from '../../grammar/index.ts'
import { formats } from '../formats/index.ts'
import { createReader, createTrigger, parseToolCalls, writePrompt } from '../index.ts'
import { checkReading } from './check-reading.ts'
import { checkTree } from './check-tree.ts'
import { type DialectDefinition, DialectError, defineDialect } from './index.ts'

const name = pattern.capture('name', '\\w.-')
const plain = call('<call:', name, '>', jsonArguments(), close('</call>'))

function problemsOf(definition: DialectDefinition): [code: string, part: string][] {
  try {
    defineDialect(definition)
  } catch (error) {
    if (!DialectError.isInstance(error)) throw error
    expect(error.code).toBe('invalid-request')
    for (const { part, message } of error.problems) expect(error.message).toContain(`${part}: ${message}`)
    return error.problems.map(({ code, part }) => [code, part])
  }
  return []
}

describe('a dialect of a definition', () => {
  const dialect = defineDialect({
    name: 'alcove',
    calls: plain,
    reasoning: { open: '<muse>', close: '</muse>' },
    markers: ['<|end|>'],
  })

  it('reads calls, reasoning and markers', () => {
    const text = '<muse>Paris.</muse>Let me look. <call:get_weather>{"city": "Paris"}</call><|end|>'
    const reply = parseToolCalls(text, { tools: ['get_weather'], dialect })
    expect([reply.reasoning, reply.text.trim()]).toEqual(['Paris.', 'Let me look.'])
    expect(reply.calls.map(({ json }) => json)).toEqual(['{"city":"Paris"}'])
  })

  it('has an example, and shows its form in a prompt', () => {
    expect(dialect.example).toBe('<call:get_weather>{"city": "Paris", "days": 3}</call>')
    const turns = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'Try <call:now>{}</call>' }] }]
    const [system, user] = writePrompt({ turns, tools: ['now'] }, { dialect })
    expect(system?.parts).toEqual([{ type: 'text', text: expect.stringContaining('<call:TOOL_NAME>{') }])
    expect(user?.parts).not.toEqual(turns[0]?.parts)
  })

  it('counts calls only after the trigger if it uses one', async () => {
    const triggered = defineDialect({ name: 'alcove', calls: plain, usesTrigger: true })
    const trigger = await createTrigger({ turns: [] }, { secret: 'a secret' })
    const callsIn = (text: string) => {
      const reader = createReader({ tools: ['now'], dialect: triggered, trigger })
      return [...reader.push(text), ...reader.end()].filter(({ type }) => type === 'call-start').length
    }
    expect(callsIn('<call:now>{}</call>')).toBe(0)
    expect(callsIn(`${trigger}\n<call:now>{}</call>`)).toBe(1)
  })

  it('takes several forms, each with its place', () => {
    const lines = { tree: call('CALL ', name, ' ', jsonArguments(), close('END')), place: 'line' as const }
    const both = defineDialect({ name: 'both', calls: [plain, lines] })
    const count = (text: string) => parseToolCalls(text, { tools: ['now'], dialect: both }).calls.length
    expect(['<call:now>{}</call>', 'CALL now {}END', 'I say CALL now {}END'].map(count)).toEqual([1, 1, 0])
  })
})

const key = pattern.capture('key', '\\w.-')
const long = 'x'.repeat(501)

/** Definitions with one thing wrong in each. */
const faulty: [title: string, calls: Expression | Expression[], problems: [code: string, part: string][]][] = [
  ['no form', [], [['missing-call', 'calls']]],
  ['no call', sequence('<call>', '</call>'), [['missing-call', 'calls']]],
  ['no name', sequence('<', call('call>', jsonArguments(), close('</call>'))), [['missing-name', 'calls.sequence[1]']]],
  ['no arguments', call('<call:', name, close('>')), [['missing-arguments', 'calls']]],
  [
    'no key',
    call('<call:', name, '>', oneOrMore(sequence('<arg>', value('</arg>'))), close('</call>')),
    [['missing-key', 'calls.call[1].oneOrMore.sequence[1]']],
  ],
  ['arguments outside of the call', sequence(plain, jsonArguments()), [['misplaced-part', 'calls.sequence[1]']]],
  ['a call in a call', call('<', plain, '>'), [['misplaced-part', 'calls.call[1]']]],
  [
    'a reference to nothing',
    call('<call:', name, '>', jsonArguments(), token('</', pattern.captured('key'), '>')),
    [['unknown-capture', 'calls.call[2]']],
  ],
  ['a beginning that may be empty', optional(plain), [['empty-beginning', 'calls']]],
  [
    'a repetition of nothing',
    sequence('<calls>', repeat(optional(plain)), '</calls>'),
    [['empty-repetition', 'calls.sequence[1]']],
  ],
  ['a long marker', call(long, name, '>', jsonArguments(), close('</call>')), [['unreadable-marker', 'calls.call[0]']]],
  [
    'repetitions that overlap',
    call('<', pattern.capture('id', '^>'), pattern.capture('name', '^>'), '>', jsonArguments(), close('</call>')),
    [['unreadable-marker', 'calls.call[0]']],
  ],
  [
    'a set that is none',
    call('<call:', pattern.capture('name', ']['), '>', jsonArguments(), close('</call>')),
    [['unreadable-marker', 'calls.call[0]']],
  ],
  [
    'an empty set',
    call('<call:', pattern.chars('', 1, 2), name, '>', jsonArguments(), close('<')),
    [['unreadable-marker', 'calls.call[0]']],
  ],
  [
    'alternatives that begin alike',
    call(
      '<call:',
      name,
      '>',
      choice(
        sequence(token(pattern.ahead('{')), jsonArguments()),
        oneOrMore(sequence(token('{', key, '}'), value('{/}'))),
      ),
      close('</call>'),
    ),
    [['ambiguous', 'calls.call[1].choice[1]']],
  ],
  [
    'a name that no tool has',
    call('<call:', pattern.capture('name', '0-9'), '>', jsonArguments(), close('</call>')),
    [['not-read-back', 'calls']],
  ],
]

describe('defineDialect', () => {
  it.each(faulty)('names what is wrong: %s', (_, calls, problems) => {
    expect(problemsOf({ name: 'alcove', calls })).toEqual(problems)
  })

  it('names what is wrong beside the calls', () => {
    const definition = { name: 'a b', calls: plain, reasoning: { open: 1, close: '' } }
    expect(problemsOf(Object(definition))).toEqual([
      ['invalid-name', 'name'],
      ['invalid-member', 'reasoning'],
    ])
    expect(problemsOf({ name: 'a', calls: plain, markers: ['ok', ''], reasoning: { open: long, close: 'x' } })).toEqual(
      [
        ['unreadable-marker', 'reasoning'],
        ['unreadable-marker', 'markers[1]'],
      ],
    )
    for (const calls of [undefined, 1, '<call>', {}, [plain, null]]) {
      expect(problemsOf(Object({ name: 'a', calls })).length).toBe(1)
    }
    expect(problemsOf(Object(null)).map(([code]) => code)).toEqual(['invalid-name', 'missing-call'])
  })

  it('takes calls as JSON objects', () => {
    expect(problemsOf({ name: 'a', calls: sequence('<tool>', jsonCall(), close('</tool>')) })).toEqual([])
  })
})

test.each(someOf(formats, 8).map((format) => [format.name, format] as const))(
  'finds nothing wrong in a format that is known to be right: %s',
  (_, format) => {
    const paths = format.blocks.map((__, index) => `calls[${index}]`)
    const found = format.blocks.flatMap((form, index) => checkTree(form, paths[index] ?? '', index === 0))
    expect([...found, ...checkReading(format, false, paths)]).toEqual([])
  },
)
